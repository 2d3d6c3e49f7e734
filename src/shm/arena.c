#define _GNU_SOURCE /* memfd_create, fallocate, MADV_HUGEPAGE */

#include "shm/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "shm/attach.h"
#include "shm/heap.h"
#include "shm/huge.h"
#include "shm/room.h"

enum {
    KEEP_BYTES = 256 << 20,
    TLB_REACH = 8 << 20 /* about what processors address without walking tables of small pages */
};

static tsr_status map_shared(size_t bytes, void **base, uint64_t *place);
static void unmap_shared(void *base, size_t bytes, uint64_t place);
static tsr_status map_private(size_t bytes, void **base, uint64_t *place);
static void unmap_private(void *base, size_t bytes, uint64_t place);

/* Guards everything here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsri_heap shared = {.map = map_shared, .unmap = unmap_shared, .keep_bytes = KEEP_BYTES};
static tsri_heap private = {.map = map_private, .unmap = unmap_private, .keep_bytes = KEEP_BYTES};
static size_t limit = SIZE_MAX;
static int users;
static bool private_pools; /* until the library ends */
static struct {
    bool open;
    int descriptor;
    int64_t process;
    uint64_t identity;
    uint64_t end; /* places below were used: none is used twice */
    bool left;    /* the library ends: pages go with the file, when nobody maps them any more */
} file;

/* ---- the file -------------------------------------------------------------------------------- */

static int create_file(void)
{
    int descriptor = memfd_create("tessera", MFD_CLOEXEC);
    if (descriptor >= 0 || errno != ENOSYS) return descriptor;

    char name[64];
    snprintf(name, sizeof name, "/tessera-%lld", (long long)getpid());
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0) shm_unlink(name);
    return descriptor;
}

static tsr_status open_file(void)
{
    tsr_status st = TSR_OK;
    struct stat about = {0};

    if (file.open) return TSR_OK;
    int descriptor = create_file();
    const int error = errno;
    TSRI_CHECK(fail, descriptor >= 0 && !tsri_fault(), TSR_ERR_UNSUPPORTED,
               "this system gives no memory that processes can share: %s",
               descriptor >= 0 ? "fault" : strerror(error));
    TSRI_CHECK(fail, fstat(descriptor, &about) == 0 && !tsri_fault(), TSR_ERR_UNSUPPORTED,
               "this system does not describe memory that processes share");
    file.open = true;
    file.descriptor = descriptor;
    file.process = getpid();
    file.identity = about.st_ino;
    file.end = 0;
    file.left = false;
    return TSR_OK;

fail:
    if (descriptor >= 0) close(descriptor);
    return st;
}

/* When nobody uses the arena and it has no piece, nothing of it stays. */
static void end_locked(void)
{
    if (users > 0) return;
    tsri_heap_trim(&shared, 0);
    tsri_attach_trim(0);
    if (shared.pieces > 0 || !file.open) return;
    close(file.descriptor);
    file.open = false;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static void *map_at(size_t bytes, int flags, int descriptor, uint64_t place)
{
    void *at = tsri_huge_reserve(bytes);
    if (at == MAP_FAILED) return NULL;
    void *base =
        mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, descriptor, (off_t)place);
    if (base == MAP_FAILED || tsri_fault()) {
        munmap(at, bytes);
        return NULL;
    }
    madvise(base, bytes, MADV_HUGEPAGE); /* advice: it may be refused */
    return base;
}

/* Pages of the file that exist, so that none can be missing when it is touched. */
static int reserve_pages(uint64_t place, size_t bytes)
{
    int rc;
    do
        rc = fallocate(file.descriptor, 0, (off_t)place, (off_t)bytes);
    while (rc != 0 && errno == EINTR);
    return rc;
}

static void release_pages(uint64_t place, size_t bytes)
{
    if (file.left) return;
    (void)!fallocate(file.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)place,
                     (off_t)bytes);
}

static tsr_status map_shared(size_t bytes, void **base, uint64_t *place)
{
    tsr_status st = TSR_OK;
    const size_t allowed = limit > shared.mapped_bytes ? limit - shared.mapped_bytes : 0;
    size_t room = allowed;

    if (bytes <= allowed) {
        const size_t left = tsri_room();
        if (left < room) room = left;
    }
    TSRI_CHECK(fail, bytes <= room, TSR_ERR_NOMEM,
               "no room for %zu bytes of shared memory: %zu are free", bytes, room);
    TSRI_TRY(fail, open_file());
    *place = file.end;
    tsri_huge_request(file.descriptor, *place, bytes);
    const int rc = reserve_pages(*place, bytes);
    const int error = errno;
    TSRI_CHECK(release, rc == 0 && !tsri_fault(), TSR_ERR_NOMEM,
               "no room for %zu bytes of shared memory, of %zu that are free: %s", bytes, room,
               rc != 0 ? strerror(error) : "fault");
    *base = map_at(bytes, MAP_SHARED | MAP_POPULATE, file.descriptor, *place);
    TSRI_CHECK(release, *base != NULL, TSR_ERR_NOMEM, "no addresses for %zu bytes of shared memory",
               bytes);
    file.end += (bytes + TSRI_HUGE_PAGE - 1) / TSRI_HUGE_PAGE * TSRI_HUGE_PAGE;
    return TSR_OK;

release:
    release_pages(*place, bytes);
fail:
    return st;
}

static void unmap_shared(void *base, size_t bytes, uint64_t place)
{
    munmap(base, bytes);
    release_pages(place, bytes);
}

static tsr_status map_private(size_t bytes, void **base, uint64_t *place)
{
    *place = 0;
    *base = map_at(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *base != NULL ? TSR_OK : TSRI_FAIL(TSR_ERR_NOMEM, "no memory for %zu bytes", bytes);
}

static void unmap_private(void *base, size_t bytes, uint64_t place)
{
    (void)place;
    munmap(base, bytes);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static tsr_status alloc(tsri_heap *heap, size_t bytes, void **piece)
{
    pthread_mutex_lock(&lock);
    const tsr_status st = tsri_heap_alloc(heap, bytes, piece);
    if (st != TSR_OK) end_locked();
    pthread_mutex_unlock(&lock);
    if (st != TSR_OK) return st;
    tsri_count(TSRI_COUNT_PIECES, 1);
    tsri_count(TSRI_COUNT_PIECES_MADE, 1);
    return TSR_OK;
}

static void give_back(tsri_heap *heap, void *piece)
{
    if (piece == NULL) return;
    tsri_count(TSRI_COUNT_PIECES, -1);
    pthread_mutex_lock(&lock);
    tsri_heap_free(heap, piece);
    end_locked();
    pthread_mutex_unlock(&lock);
}

tsr_status tsri_arena_alloc(size_t bytes, void **piece)
{
    return alloc(&shared, bytes, piece);
}

bool tsri_arena_suits(size_t bytes)
{
    if (bytes < TLB_REACH) return true;
    pthread_mutex_lock(&lock);
    const bool suits = tsri_huge_pages_of_shared() != TSRI_HUGE_PRIVATE;
    pthread_mutex_unlock(&lock);
    return suits;
}

void tsri_arena_free(void *piece)
{
    give_back(&shared, piece);
}

/* The library ends: what the private heap keeps is given back. */
static void end_private(tsri_live *self)
{
    (void)self;
    pthread_mutex_lock(&lock);
    private_pools = false;
    tsri_heap_trim(&private, 0);
    pthread_mutex_unlock(&lock);
}

void *tsri_private_alloc(size_t bytes)
{
    static tsri_live ending;
    void *piece = NULL;

    pthread_mutex_lock(&lock);
    if (!private_pools) tsri_live_add(&ending, end_private);
    private_pools = true;
    pthread_mutex_unlock(&lock);
    return alloc(&private, bytes, &piece) == TSR_OK ? piece : NULL;
}

void tsri_private_free(void *piece)
{
    give_back(&private, piece);
}

static tsri_arena_address address_in(const tsri_chunk *chunk, const void *memory, size_t bytes)
{
    return (tsri_arena_address){
        .process = file.process,
        .file = file.descriptor,
        .identity = file.identity,
        .chunk = chunk->place,
        .chunk_bytes = chunk->bytes,
        .offset = (uint64_t)((const unsigned char *)memory - chunk->base),
        .bytes = bytes,
    };
}

tsri_arena_address tsri_arena_address_of(const void *piece)
{
    return address_in(tsri_heap_chunk_of(piece), piece, tsri_heap_bytes_of(piece));
}

bool tsri_arena_find(const void *memory, tsri_arena_address *address)
{
    const unsigned char *at = memory;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (tsri_chunk *c = shared.newest; c != NULL && !found; c = c->older) {
        found = at >= c->base && at < c->base + c->bytes;
        if (found) *address = address_in(c, memory, (size_t)(c->base + c->bytes - at));
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void *tsri_arena_own(const tsri_arena_address *address)
{
    void *piece = NULL;
    pthread_mutex_lock(&lock);
    if (file.open && address->process == file.process && address->identity == file.identity)
        for (tsri_chunk *c = shared.newest; c != NULL && piece == NULL; c = c->older)
            if (c->place == address->chunk) piece = c->base + address->offset;
    pthread_mutex_unlock(&lock);
    return piece;
}

void tsri_arena_leave(void)
{
    pthread_mutex_lock(&lock);
    file.left = true;
    pthread_mutex_unlock(&lock);
}

void tsri_arena_use(size_t limit_bytes)
{
    pthread_mutex_lock(&lock);
    ++users;
    limit = limit_bytes;
    pthread_mutex_unlock(&lock);
}

void tsri_arena_unuse(void)
{
    pthread_mutex_lock(&lock);
    --users;
    end_locked();
    pthread_mutex_unlock(&lock);
}
