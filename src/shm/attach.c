#define _GNU_SOURCE

#include "shm/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shm/huge.h"

/* Chunks that nobody uses any more stay mapped up to this many: the next exchange of the same
 * arrays finds them, page tables included. */
enum { KEEP = 64 };

/* A chunk of another process. */
typedef struct mapping {
    struct mapping *next; /* most recently used first */
    tsri_arena_address address;
    unsigned char *base;
    int uses;
} mapping;

/* Guards everything here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mapping *first;
static int unused;

static bool is_of(const mapping *m, const tsri_arena_address *address)
{
    return m->address.process == address->process && m->address.identity == address->identity &&
           m->address.chunk == address->chunk;
}

/* What nobody uses counts as idle, as it does in the arena. */
static void add_unused(int amount)
{
    unused += amount;
    tsri_count(TSRI_COUNT_IDLE_BLOCKS, amount);
}

static void trim_locked(int keep)
{
    int kept = 0;
    for (mapping **link = &first; *link != NULL && unused > 0;) {
        mapping *m = *link;
        if (m->uses > 0 || ++kept <= keep) {
            link = &m->next;
            continue;
        }
        *link = m->next;
        munmap(m->base, m->address.chunk_bytes);
        add_unused(-1);
        tsri_free(m);
    }
}

void tsri_attach_trim(int keep)
{
    pthread_mutex_lock(&lock);
    trim_locked(keep);
    pthread_mutex_unlock(&lock);
}

/* The file behind a descriptor of another process; -1 when it cannot be opened, or is another file:
 * a process of this number may be elsewhere. */
static int open_file(const tsri_arena_address *address)
{
    char path[64];
    struct stat about;

    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)address->process,
             (long long)address->file);
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return -1;
    if (fstat(descriptor, &about) == 0 && about.st_ino == address->identity) return descriptor;
    close(descriptor);
    errno = ESTALE;
    return -1;
}

static tsr_status map(const tsri_arena_address *address, mapping **out)
{
    tsr_status st = TSR_OK;
    mapping *m = NULL;
    void *at = MAP_FAILED, *base = MAP_FAILED;
    int descriptor = open_file(address);
    const int error = descriptor < 0 ? errno : tsri_fault() ? EMFILE : 0;
    const bool short_of = error == EMFILE || error == ENFILE || error == ENOMEM;

    TSRI_CHECK(done, error == 0, short_of ? TSR_ERR_NOMEM : TSR_ERR_UNSUPPORTED,
               "the memory of process %lld cannot be opened: %s", (long long)address->process,
               strerror(error));
    TSRI_ALLOC(done, m, 1);
    at = tsri_huge_reserve(address->chunk_bytes);
    if (at != MAP_FAILED)
        base = mmap(at, address->chunk_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    descriptor, (off_t)address->chunk);
    TSRI_CHECK(done, base != MAP_FAILED && !tsri_fault(), TSR_ERR_NOMEM,
               "no addresses for %llu bytes of another process",
               (unsigned long long)address->chunk_bytes);
    madvise(base, address->chunk_bytes, MADV_HUGEPAGE); /* advice: it may be refused */
    *m = (mapping){.next = first, .address = *address, .base = base};
    first = *out = m;
    add_unused(1);
done:
    if (st != TSR_OK && at != MAP_FAILED) munmap(at, address->chunk_bytes);
    if (st != TSR_OK) tsri_free(m);
    if (descriptor >= 0) close(descriptor);
    return st;
}

/* The mapping of a chunk, moved to the front; NULL when there is none. */
static mapping *find_address(const tsri_arena_address *address)
{
    for (mapping **link = &first; *link != NULL; link = &(*link)->next) {
        mapping *m = *link;
        if (!is_of(m, address)) continue;
        *link = m->next;
        m->next = first;
        first = m;
        return m;
    }
    return NULL;
}

tsr_status tsri_arena_attach(const tsri_arena_address *address, void **piece)
{
    tsr_status st = TSR_OK;
    mapping *m = NULL;

    *piece = tsri_arena_own(address);
    if (*piece == NULL) {
        pthread_mutex_lock(&lock);
        m = find_address(address);
        if (m == NULL) st = map(address, &m);
        if (m != NULL && m->uses++ == 0) add_unused(-1);
        pthread_mutex_unlock(&lock);
        if (st != TSR_OK) return st;
        *piece = m->base + address->offset;
    }
    tsri_count(TSRI_COUNT_ATTACHMENTS, 1);
    return TSR_OK;
}

void tsri_arena_detach(void *piece)
{
    const unsigned char *at = piece;

    if (piece == NULL) return;
    pthread_mutex_lock(&lock);
    for (mapping *m = first; m != NULL; m = m->next) {
        if (at < m->base || at >= m->base + m->address.chunk_bytes) continue;
        if (--m->uses == 0) add_unused(1);
        break;
    }
    trim_locked(KEEP);
    pthread_mutex_unlock(&lock);
    tsri_count(TSRI_COUNT_ATTACHMENTS, -1);
}
