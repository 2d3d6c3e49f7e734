/* ranks: 1 2 3 8 */
/* variants: none */
/* The arena, flags and teams: what the layers above ask of shared memory. */
#define _DEFAULT_SOURCE

#include "support/harness.h"

#include "base/context.h"
#include "shm/arena.h"
#include "shm/flag.h"
#include "shm/team.h"

#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const tsri_team *team(void)
{
    tsri_context *context = NULL;
    const tsri_team *found = NULL;
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
    CHECK_OK(tsri_team_of(context, &found));
    return found;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* ---- one process ----------------------------------------------------------------------------- */

static tsr_status alloc_private(size_t bytes, void **piece)
{
    *piece = tsri_private_alloc(bytes);
    return *piece != NULL ? TSR_OK : TSR_ERR_NOMEM;
}

/* Random pieces of all sizes keep what is written into them, whatever is freed beside them. */
static void keep_values(tsr_status (*alloc)(size_t, void **), void (*give_back)(void *))
{
    enum { SLOTS = 60, STEPS = 1500 };
    void *piece[SLOTS] = {NULL};
    size_t bytes[SLOTS] = {0};
    unsigned char mark[SLOTS] = {0};
    uint64_t random = 17;

    for (int step = 0; step < STEPS; ++step) {
        const size_t i = next_random(&random) % SLOTS;
        if (piece[i] != NULL) {
            const unsigned char *p = piece[i];
            CHECK(p[0] == mark[i] && p[bytes[i] / 2] == mark[i] && p[bytes[i] - 1] == mark[i]);
            CHECK(memcmp(p, p + 1, bytes[i] - 1) == 0);
            give_back(piece[i]);
            piece[i] = NULL;
            continue;
        }
        const int size = (int)(next_random(&random) % 100);
        bytes[i] = 1 + next_random(&random) % (size < 60 ? 300 : size < 98 ? 50000 : 3000000);
        mark[i] = (unsigned char)step;
        CHECK_OK(alloc(bytes[i], &piece[i]));
        CHECK_INT((uintptr_t)piece[i] % 64, 0);
        memset(piece[i], mark[i], bytes[i]);
    }
    for (int i = 0; i < SLOTS; ++i)
        give_back(piece[i]);
}

static void pieces_keep_their_values(void **state)
{
    (void)state;
    if (tsrt_rank() > 1) return;
    keep_values(tsri_arena_alloc, tsri_arena_free);
    keep_values(alloc_private, tsri_private_free);
}

/* What was freed serves the next of its size, whatever pages round that up to. */
static void freed_pieces_serve_again(void **state)
{
    (void)state;
    static const size_t sizes[] = {100000,  1000000, (2 << 20) - 100, (2 << 20) + 1,
                                   2300000, 4400000, (6 << 20) + 5};
    /* The arena keeps what is free while there is somebody to ask for more. */
    if (tsrt_size() > 1) team();
    if (tsrt_rank() > 1) return;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        for (int private = tsrt_size() == 1; private < 2; ++private) {
            tsr_status (*const alloc)(size_t, void **) = private ? alloc_private : tsri_arena_alloc;
            void (*const give_back)(void *) = private ? tsri_private_free : tsri_arena_free;
            void *first = NULL, *again = NULL;
            CHECK_OK(alloc(sizes[k], &first));
            give_back(first);
            CHECK_OK(alloc(sizes[k], &again));
            CHECK(again == first);
            give_back(again);
        }
}

/* The number of mappings of this process. */
static int mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int lines = 0;
    CHECK(file != NULL);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static int descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    CHECK(folder != NULL);
    while (readdir(folder) != NULL)
        ++count;
    closedir(folder);
    return count;
}

/* Many cycles leave no mapping and no descriptor behind, with and without somebody to pool for. */
static void cycles_are_flat(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1000, 100000, 3 << 20};
    const bool many = getenv("TSRT_LONG") != NULL;
    void *piece = NULL;

    CHECK_OK(tsri_arena_alloc(1, &piece));
    tsri_arena_free(piece);
    for (int pooled = 0; pooled < 2; ++pooled) {
        const int maps = mappings(), files = descriptors();
        const int cycles = !many ? 40 : pooled ? 100000 : 2000; /* system calls are slow */
        if (pooled) tsri_arena_use(SIZE_MAX);
        for (int i = 0; i < cycles; ++i) {
            CHECK_OK(tsri_arena_alloc(sizes[i % 4], &piece));
            *(char *)piece = 1;
            tsri_arena_free(piece);
        }
        if (pooled) tsri_arena_unuse();
        CHECK(TSRT_SANITIZED || mappings() <= maps + 1);
        CHECK_INT(descriptors(), files);
    }
}

static void too_much_is_an_error(void **state)
{
    (void)state;
    void *piece = &piece;
    CHECK_STATUS(tsri_arena_alloc(SIZE_MAX, &piece), TSR_ERR_NOMEM);
    CHECK(piece == NULL);
    CHECK_STATUS(tsri_arena_alloc(PTRDIFF_MAX / 2, &piece), TSR_ERR_NOMEM);
    CHECK_TEXT("are free");

    tsri_arena_use(3 << 20);
    CHECK_STATUS(tsri_arena_alloc(4 << 20, &piece), TSR_ERR_NOMEM);
    CHECK_TEXT("no room for 6291456 bytes of shared memory: 3145728 are free");
    CHECK(piece == NULL);
    CHECK_OK(tsri_arena_alloc(1000, &piece));
    void *second = NULL; /* a piece that needs what is pooled gets it */
    tsri_arena_free(piece);
    CHECK_OK(tsri_arena_alloc(1500000, &second));
    tsri_arena_free(second);
    tsri_arena_unuse();
    tsri_arena_use(0);
    CHECK_STATUS(tsri_arena_alloc(1, &piece), TSR_ERR_NOMEM);
    tsri_arena_unuse();
    tsri_arena_use(SIZE_MAX);
    tsri_arena_unuse();
}

/* The n-th system call or allocation fails: an error, unless there is another way, and nothing is
 * left. */
static void faults_leave_nothing(void **state)
{
    (void)state;
    const int maps = mappings(), files = descriptors();
    void *piece = NULL;
    for (int64_t n = 0; n < 100; ++n) {
        tsri_fault_arm(n);
        const tsr_status st = tsri_arena_alloc(100, &piece);
        const bool fired = tsri_fault_fired();
        tsri_fault_arm(-1);
        CHECK((st == TSR_OK || fired) && (piece == NULL) == (st != TSR_OK));
        tsri_arena_free(piece);
        CHECK(TSRT_SANITIZED || mappings() <= maps + 1);
        CHECK_INT(descriptors(), files);
        if (!fired) return;
    }
    tsrt_fail(__FILE__, __LINE__, "every call had a fault");
}

/* ---- several processes ----------------------------------------------------------------------- */

/* Every rank writes where it stands in each rank's piece. */
static void every_rank_writes_to_every_piece(void **state)
{
    (void)state;
    static const size_t sizes[] = {1000, 5 << 20};
    for (int k = 0; k < 2; ++k) {
        int *mine = NULL;
        void *made = NULL;
        CHECK_OK(tsri_arena_alloc(sizes[k], &made));
        mine = made;
        for (int root = 0; root < tsrt_size(); ++root) {
            tsri_arena_address address = tsri_arena_address_of(mine);
            void *theirs = NULL, *again = NULL;
            tsrt_bcast(&address, sizeof address, root);
            CHECK_INT(address.bytes, sizes[k]);
            CHECK_OK(tsri_arena_attach(&address, &theirs));
            CHECK_OK(tsri_arena_attach(&address, &again));
            CHECK(theirs == again && (theirs == made) == (root == tsrt_rank()));
            ((int *)theirs)[tsrt_rank()] = 100 * root + tsrt_rank();
            tsri_arena_detach(theirs);
            tsri_arena_detach(again);
        }
        tsrt_barrier();
        for (int r = 0; r < tsrt_size(); ++r)
            CHECK_INT(mine[r], 100 * tsrt_rank() + r);
        tsri_arena_free(made);
    }
}

static void attach_faults_leave_nothing(void **state)
{
    (void)state;
    void *mine = NULL, *theirs = NULL;
    CHECK_OK(tsri_arena_alloc(100, &mine));
    for (int root = 0; root < tsrt_size(); ++root) {
        tsri_arena_address address = tsri_arena_address_of(mine);
        tsrt_bcast(&address, sizeof address, root);
        const int files = descriptors();
        for (int64_t n = 0; root != tsrt_rank(); ++n) {
            tsri_fault_arm(n);
            const tsr_status st = tsri_arena_attach(&address, &theirs);
            const bool fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            CHECK((st != TSR_OK) == fired);
            CHECK_INT(descriptors(), files);
            if (fired) continue;
            tsri_arena_detach(theirs);
            break;
        }
        tsrt_barrier();
    }
    tsri_arena_free(mine);
}

static void teams_are_the_nodes(void **state)
{
    (void)state;
    tsri_context *context = NULL;
    const tsri_nodes *nodes = NULL;
    const tsri_team *t = team();
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
    CHECK_OK(tsri_nodes_of(context, &nodes));
    int count = 0;
    for (int r = 0; r < tsrt_size(); ++r) {
        if (nodes->of[r] != nodes->of[tsrt_rank()]) continue;
        CHECK(count < t->count);
        CHECK_INT(t->rank[count++], r);
    }
    CHECK_INT(count, t->count);
    CHECK_INT(t->rank[t->index], tsrt_rank());
    const char *transport = getenv("TESSERA_TRANSPORT");
    const bool p2p = transport != NULL && strcmp(transport, "p2p") == 0;
    const char *limit = getenv("TESSERA_SHM_LIMIT");
    if (limit == NULL) CHECK(t->sharing == (count > 1 && !p2p));
    CHECK(team() == t);
}

/* Two ranks hand a payload back and forth; each checks every value of it. */
static void flags_carry_what_was_written_before(void **state)
{
    (void)state;
    enum { WORDS = 8 };
    typedef struct mailbox {
        tsri_flag flag;
        uint64_t word[WORDS];
    } mailbox;
    const uint64_t rounds = getenv("TSRT_LONG") != NULL ? 1000000 : 200000;
    const int me = tsrt_rank();
    void *made[2] = {NULL}, *piece[2] = {NULL};
    mailbox *box[2];

    if (tsrt_size() < 2) return;
    for (int root = 0; root < 2; ++root) {
        tsri_arena_address address = {0};
        if (me == root) {
            CHECK_OK(tsri_arena_alloc(sizeof(mailbox), &made[root]));
            memset(made[root], 0, sizeof(mailbox));
            address = tsri_arena_address_of(made[root]);
        }
        tsrt_bcast(&address, sizeof address, root);
        CHECK_OK(tsri_arena_attach(&address, &piece[root]));
        box[root] = piece[root];
    }
    for (uint64_t n = 1; me < 2 && n <= rounds; ++n) {
        if (me == 0) {
            for (int i = 0; i < WORDS; ++i)
                box[1]->word[i] = n + (uint64_t)i;
            tsri_flag_raise(&box[1]->flag, n);
        }
        for (int round = 0; !tsri_flag_is_raised(&box[me]->flag, n);)
            tsri_relax(&round);
        for (int i = 0; i < WORDS; ++i)
            if (box[me]->word[i] != n + (uint64_t)i) CHECK_INT(box[me]->word[i], n + (uint64_t)i);
        if (me == 1) {
            memcpy(box[0]->word, box[1]->word, sizeof box[0]->word);
            tsri_flag_raise(&box[0]->flag, n);
        }
    }
    tsrt_barrier();
    for (int i = 0; i < 2; ++i)
        tsri_arena_detach(piece[i]);
    tsri_arena_free(made[0]);
    tsri_arena_free(made[1]);
}

/* A killed process takes its memory with it, and nothing is in the file system. */
static void a_killed_process_leaves_nothing(void **state)
{
    (void)state;
    int ends[2];
    if (tsrt_size() > 1) return;
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        void *piece = NULL;
        if (tsri_arena_alloc(5 << 20, &piece) != TSR_OK) _exit(1);
        strcpy(piece, "still here");
        const tsri_arena_address address = tsri_arena_address_of(piece);
        if (write(ends[1], &address, sizeof address) != sizeof address) _exit(1);
        pause();
    }
    tsri_arena_address address;
    void *piece = NULL;
    CHECK(read(ends[0], &address, sizeof address) == sizeof address);
    CHECK_OK(tsri_arena_attach(&address, &piece));
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK_STR((char *)piece, "still here");
    tsri_arena_detach(piece);
    tsri_arena_use(SIZE_MAX); /* ends the keeping of mappings, too */
    tsri_arena_unuse();
    CHECK_STATUS(tsri_arena_attach(&address, &piece), TSR_ERR_UNSUPPORTED);
    CHECK(piece == NULL);
    DIR *folder = opendir("/dev/shm");
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        CHECK(strstr(e->d_name, "tessera") == NULL);
    if (folder != NULL) closedir(folder);
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_keep_their_values),
        cmocka_unit_test(freed_pieces_serve_again),
        cmocka_unit_test(cycles_are_flat),
        cmocka_unit_test(too_much_is_an_error),
        cmocka_unit_test(faults_leave_nothing),
        cmocka_unit_test(a_killed_process_leaves_nothing),
        cmocka_unit_test(every_rank_writes_to_every_piece),
        cmocka_unit_test(attach_faults_leave_nothing),
        cmocka_unit_test(teams_are_the_nodes),
        cmocka_unit_test(flags_carry_what_was_written_before),
    };
    return TSRT_RUN(argc, argv, tests);
}
