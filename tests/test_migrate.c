/* ranks: 1 2 3 4 5 6 8 */
/* timeout: 300 */
/* Rows to the ranks they belong to: M-8 to M-12, the order of rows to the last one, random tables
 * of arrays of any row size, exact counts of messages, and errors, after which all is as it was. */
#include "support/harness.h"
#include "support/nodes.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *copy_of(const void *data, size_t bytes)
{
    void *copy = malloc(bytes > 0 ? bytes : 1);
    CHECK(copy != NULL);
    if (bytes > 0) memcpy(copy, data, bytes);
    return copy;
}

/* ---- the examples ---------------------------------------------------------------------------- */

static const int example_owner[3][4] = {{2, 0, 2, 1}, {1, 1, 0}, {0, 2}};
static const int64_t example_id[3][4] = {{10, 11, 12, 13}, {20, 21, 22}, {30, 31}};
static const int64_t example_n[3] = {4, 3, 2};

static void M_8_M_9_rows_and_counts(void **state)
{
    static const int64_t got[3][3] = {{11, 22, 30}, {13, 20, 21}, {10, 12, 31}};
    (void)state;
    if (tsrt_size() != 3) return;
    const int rank = tsrt_rank();
    int64_t n = example_n[rank];
    int64_t *id = copy_of(example_id[rank], (size_t)n * sizeof *id);
    double *x = malloc((size_t)n * 2 * sizeof *x);
    for (int64_t i = 0; i < n; ++i) {
        x[2 * i] = (double)id[i];
        x[2 * i + 1] = 0.5 * (double)id[i];
    }
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, example_owner[rank], TSR_ROWS(x, 2 * sizeof *x),
                         TSR_ROWS(id, sizeof *id)));
    CHECK_INT(n, 3);
    for (int64_t i = 0; i < n; ++i) {
        CHECK_INT(id[i], got[rank][i]);
        CHECK_DOUBLE(x[2 * i], (double)id[i], 0);
        CHECK_DOUBLE(x[2 * i + 1], 0.5 * (double)id[i], 0);
    }
    free(id);
    free(x);
}

static void M_10_no_rows_anywhere(void **state)
{
    (void)state;
    int64_t n = 0;
    float(*x)[2] = NULL;
    double *y = malloc(8);
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, NULL, TSR_ROWS(x, sizeof *x), TSR_ROWS(y, sizeof *y)));
    CHECK_INT(n, 0);
    CHECK_OK(tsr_migratev(TSR_COMM_WORLD, &n, NULL, 0, NULL));
    CHECK_INT(n, 0);
    free(x);
    free(y);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* A table of three rows for the next rank, as a call may find it. */
typedef struct table {
    int64_t n;
    int owner[3];
    int count;
    int64_t *id;
    char *tag;
    tsr_rows rows[2];
} table;

static void table_begin(table *t)
{
    const int next = (tsrt_rank() + 1) % tsrt_size();
    static const int64_t id[] = {7, 8, 9};
    *t = (table){.n = 3, .owner = {next, tsrt_rank(), next}, .count = 2};
    t->id = copy_of(id, sizeof id);
    t->tag = copy_of("abcabcabc", 9);
    t->rows[0] = (tsr_rows){.data = &t->id, .bytes = sizeof *t->id};
    t->rows[1] = (tsr_rows){.data = &t->tag, .bytes = 3};
}

static void table_end(table *t)
{
    free(t->id);
    free(t->tag);
}

typedef struct wrong {
    const char *text;
    tsr_status status;
    void (*spoil)(table *t);
} wrong;

#define SPOIL(name, ...)                                                                           \
    static void name(table *t)                                                                     \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
SPOIL(owner_beyond, t->owner[2] = tsrt_size())
SPOIL(owner_negative, t->owner[1] = TSR_NO_RANK)
SPOIL(wrong_rows, t->rows[1].count = 2)
SPOIL(no_address, t->rows[1].data = NULL)
SPOIL(negative_n, t->n = -1)
SPOIL(negative_count, t->count = -1)
SPOIL(same_array, t->rows[1].data = &t->id)
SPOIL(overflow, t->rows[1].bytes = SIZE_MAX / 2)
static int64_t little = 2;
SPOIL(no_room, t->rows[1].room = &little)
SPOIL(other_row, t->rows[1].bytes = 1)
SPOIL(other_count, t->count = 1)

static const wrong wrongs[] = {
    {"owner[2] is ", TSR_ERR_VALUE, owner_beyond}, /* M-11 */
    {"owner[1] is -1, must be a rank, 0 to ", TSR_ERR_VALUE, owner_negative},
    {"rows[1] has 2 rows, must have as many as there are owners, 3", TSR_ERR_VALUE,
     wrong_rows}, /* M-12 */
    {"rows[1].data is NULL", TSR_ERR_VALUE, no_address},
    {"n is -1, must be >= 0", TSR_ERR_VALUE, negative_n},
    {"count is -1, must be >= 0", TSR_ERR_VALUE, negative_count},
    {"rows[0] and rows[1] are the same memory", TSR_ERR_VALUE, same_array},
    {"more than memory can have", TSR_ERR_OVERFLOW, overflow},
    {"rows[1] has room for 2 rows, must have it for 3", TSR_ERR_VALUE, no_room},
    {"passed other arguments than rank 0", TSR_ERR_MISMATCH, other_row},
    {"passed other arguments than rank 0", TSR_ERR_MISMATCH, other_count},
};

/* The call with one thing wrong on one rank: the same error everywhere, and nothing has moved. */
static void try_wrong(const wrong *w, int victim)
{
    table t;
    table_begin(&t);
    const table was = t;
    if (tsrt_rank() == victim) w->spoil(&t);
    const int64_t n = t.n;
    const tsr_status st = tsr_migratev(TSR_COMM_WORLD, &t.n, t.owner, t.count, t.rows);
    CHECK_STATUS(st, w->status);
    CHECK_TEXT(w->text);
    CHECK_TEXT("tsr_migrate");
    CHECK_INT(t.n, n);
    CHECK(t.id == was.id && t.tag == was.tag);
    CHECK(t.id[0] == 7 && t.id[1] == 8 && t.id[2] == 9 && memcmp(t.tag, "abcabcabc", 9) == 0);
    table_end(&t);
}

static void M_11_M_12_errors_on_one_rank(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; ++k)
        for (int victim = 0; victim < tsrt_size(); ++victim)
            if (wrongs[k].status != TSR_ERR_MISMATCH || tsrt_size() > 1)
                try_wrong(&wrongs[k], victim);
}

static void pointers_that_are_null(void **state)
{
    (void)state;
    const int last = tsrt_size() - 1;
    const bool victim = tsrt_rank() == last;
    int owner[2] = {0, last};
    int64_t n = 2, *x = copy_of(&n, sizeof n), *null = NULL;
    x = realloc(x, 2 * sizeof *x);

    CHECK_STATUS(tsr_migrate(TSR_COMM_WORLD, victim ? NULL : &n, owner, TSR_ROWS(x, sizeof *x)),
                 TSR_ERR_VALUE);
    CHECK_TEXT("n is NULL");
    CHECK_STATUS(tsr_migrate(TSR_COMM_WORLD, &n, victim ? NULL : owner, TSR_ROWS(x, sizeof *x)),
                 TSR_ERR_VALUE);
    CHECK_TEXT("owner is NULL, must have as many ranks as there are rows, 2");
    tsr_rows rows[] = {{.data = victim ? &null : &x, .bytes = sizeof *x}};
    CHECK_STATUS(tsr_migratev(TSR_COMM_WORLD, &n, owner, 1, rows), TSR_ERR_VALUE);
    CHECK_TEXT("rows[0] points to NULL, must point to 2 rows");
    CHECK_STATUS(tsr_migratev(TSR_COMM_WORLD, &n, owner, 1, victim ? NULL : rows), TSR_ERR_VALUE);
    CHECK_TEXT("rows is NULL, must describe 1 arrays");
    CHECK_STATUS(tsr_migratev(TSR_COMM_NULL, &n, owner, 1, rows), TSR_ERR_VALUE);
    CHECK(n == 2 && null == NULL);
    free(x);
}

/* ---- random tables against a row_model
 * ----------------------------------------------------------- */

enum { MOST_ARRAYS = 4, MOST_ROWS = 60 };

static uint64_t random_state;

static int64_t below(int64_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((random_state >> 33) % (uint64_t)n);
}

/* Byte `b` of array `a` of the row with this number. */
static unsigned char payload(int64_t id, int a, size_t b)
{
    return (unsigned char)((uint64_t)id * 31 + (uint64_t)a * 7 + b * 13 + (uint64_t)id / 251);
}

/* Every rank knows all tables: where each row is, by its number, and where it goes. */
typedef struct row_model {
    int64_t n;        /* rows of all ranks */
    int64_t count[8]; /* rows of each rank */
    int64_t id[8 * MOST_ROWS];
    int owner[8 * MOST_ROWS];
} row_model;

static int64_t model_first(const row_model *m, int rank)
{
    int64_t first = 0;
    for (int r = 0; r < rank; ++r)
        first += m->count[r];
    return first;
}

static void model_migrate(row_model *m)
{
    row_model next = {.n = m->n};
    int64_t k = 0;
    for (int r = 0; r < tsrt_size(); ++r)
        for (int64_t i = 0; i < m->n; ++i)
            if (m->owner[i] == r) {
                next.id[k++] = m->id[i];
                ++next.count[r];
            }
    CHECK_INT(k, m->n);
    *m = next;
}

/* Where rows go in this round: anywhere, nearly nowhere, all to one, one place on, to the lowest
 * ranks alone. */
static void choose_owners(row_model *m, int kind)
{
    const int size = tsrt_size(), one = (int)below(size);
    int64_t i = 0;
    for (int r = 0; r < size; ++r)
        for (int64_t k = 0; k < m->count[r]; ++k, ++i) {
            const int any = (int)below(size), stays = below(10) > 0;
            const int where[] = {
                any, stays ? r : any,       one, (r + 1) % size, (int)below(1 + size / 2),
                r,   m->id[i] % 3 ? r : any};
            m->owner[i] = where[kind];
        }
}

static void fill_rows(unsigned char *rows, int64_t n, const int64_t *id, int a, size_t bytes)
{
    for (int64_t i = 0; i < n; ++i)
        for (size_t b = 0; b < bytes; ++b)
            rows[(size_t)i * bytes + b] = payload(id[i], a, b);
}

static void check_rows(const unsigned char *rows, int64_t n, const int64_t *id, int a, size_t bytes)
{
    for (int64_t i = 0; i < n; ++i)
        for (size_t b = 0; b < bytes; ++b)
            if (rows[(size_t)i * bytes + b] != payload(id[i], a, b))
                tsrt_fail(__FILE__, __LINE__, "array %d, row %lld, byte %zu", a, (long long)i, b);
}

/* Several rounds on one set of arrays, which grow and shrink on the way. */
static void random_table(uint64_t seed)
{
    static const size_t row_bytes[] = {0, 1, 3, 4, 8, 12, 16, 24, 40, 64, 65, 200, 1000};
    static row_model m;
    random_state = seed;
    memset(&m, 0, sizeof m);
    for (int r = 0; r < tsrt_size(); ++r)
        m.n += m.count[r] = below(4) == 0 ? 0 : below(MOST_ROWS);
    for (int64_t i = 0; i < m.n; ++i)
        m.id[i] = 1000 * (int64_t)(seed % 97) + i;

    const int count = 1 + (int)below(MOST_ARRAYS), rank = tsrt_rank();
    tsr_rows rows[MOST_ARRAYS];
    unsigned char *data[MOST_ARRAYS];
    int64_t n = m.count[rank], room = n;
    for (int a = 0; a < count; ++a) {
        const size_t bytes = row_bytes[below(sizeof row_bytes / sizeof *row_bytes)];
        data[a] = n > 0 && bytes > 0 ? malloc((size_t)n * bytes) : NULL;
        if (bytes > 0) fill_rows(data[a], n, m.id + model_first(&m, rank), a, bytes);
        rows[a] = (tsr_rows){.data = &data[a], .bytes = bytes, .room = a % 2 ? &room : NULL};
    }
    for (int round = 0; round < 6; ++round) {
        choose_owners(&m, (int)below(7));
        CHECK_OK(tsr_migratev(TSR_COMM_WORLD, &n, m.owner + model_first(&m, rank), count, rows));
        model_migrate(&m);
        CHECK_INT(n, m.count[rank]);
        CHECK(count < 2 || rows[1].bytes == 0 || room >= n);
        if (room < n) room = n; /* no array has it */
        for (int a = 0; a < count; ++a)
            check_rows(data[a], n, m.id + model_first(&m, rank), a, rows[a].bytes);
    }
    for (int a = 0; a < count; ++a)
        free(data[a]);
}

static void rows_are_conserved_in_order(void **state)
{
    (void)state;
    const int tables = getenv("TSRT_LONG") != NULL ? 20000 : 40;
    for (int seed = 1; seed <= tables; ++seed)
        random_table((uint64_t)seed);
}

/* ---- costs ----------------------------------------------------------------------------------- */

static int64_t limit(void)
{
    const char *text = getenv("TESSERA_MESSAGE_LIMIT");
    return text != NULL ? atoll(text) : INT64_C(1) << 30;
}

/* Each rank gives its neighbours `rows` rows of 16 bytes and keeps one. */
static tsri_counters cost_of(int64_t rows, bool both)
{
    const int rank = tsrt_rank(), size = tsrt_size();
    int64_t n = 1 + rows * (both ? 2 : 1);
    int owner[64];
    double *x = calloc((size_t)n, 16);
    owner[0] = rank;
    for (int64_t i = 1; i < n; ++i)
        owner[i] = (rank + (i <= rows ? 1 : size - 1)) % size;
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(x, 16)));
    tsri_counters after = tsri_counters_read();
    CHECK_INT(n, 1 + rows * (both ? 2 : 1));
    after.messages -= before.messages;
    after.message_bytes -= before.message_bytes;
    after.copied_bytes -= before.copied_bytes;
    free(x);
    return after;
}

/* Whether a rank reads this one's rows where they lie. */
static bool reads(int peer)
{
    const int k = ranks_per_node(tsrt_size());
    return !tsrt_counts_messages() && tsrt_rank() / k == peer / k;
}

/* Beyond what agreeing takes: to each rank that gets rows its note, which where ranks share memory
 * says where the rows are, and to others its rows in pieces. */
static void messages_are_counted(void **state)
{
    (void)state;
    (void)cost_of(0, false);
    const tsri_counters none = cost_of(0, false);
    const int rank = tsrt_rank(), size = tsrt_size();
    const int neighbour[] = {(rank + 1) % size, (rank + size - 1) % size};
    const bool shares = !tsrt_counts_messages() && nodes_among(size) < size;
    const int64_t note = shares ? 8 + 64 : 8;
    for (int64_t rows = 1; rows <= 20; rows += 19)
        for (int both = 0; both < 2; ++both) {
            const tsri_counters some = cost_of(rows, both);
            const int peers = size == 1 ? 0 : size == 2 || !both ? 1 : 2;
            const int64_t all = size == 1 ? 0 : rows * (both ? 2 : 1);
            const int64_t bytes = peers > 0 ? all / peers * 16 : 0;
            const int64_t pieces = (bytes + limit() - 1) / limit();
            int messaged = 0;
            for (int p = 0; p < peers; ++p)
                messaged += !reads(neighbour[p]);
            CHECK_INT(some.messages - none.messages, peers + messaged * pieces);
            CHECK_INT(some.message_bytes - none.message_bytes, peers * note + messaged * bytes);
        }
}

static void rows_that_stay_stay_in_place(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), size = tsrt_size();
    int64_t n = 100, *x = malloc(100 * sizeof *x);
    int owner[100];
    for (int i = 0; i < 100; ++i) {
        owner[i] = i % 10 == 9 ? (rank + 1) % size : rank;
        x[i] = 1000 * rank + i;
    }
    const int64_t *const was = x;
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(x, sizeof *x)));
    CHECK_INT(n, 100);
    CHECK(x == was);
    for (int i = 0; i < 100; ++i)
        owner[i] = 0;
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(x, sizeof *x)));
    CHECK_INT(n, rank == 0 ? 100 * size : 0);
    free(x);
}

/* Rows come and go inside the room, which is only left when it is too small. */
static void arrays_grow_inside_their_room(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), size = tsrt_size();
    int64_t n = 10, room = 10 * size, *x = malloc((size_t)room * sizeof *x);
    int *owner = calloc((size_t)(20 * size), sizeof *owner);
    for (int i = 0; i < 10; ++i)
        x[i] = 10 * rank + i;
    const int64_t *const was = x;
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS_ROOM(x, sizeof *x, &room)));
    CHECK_INT(n, rank == 0 ? 10 * size : 0);
    if (rank == 0) {
        CHECK(x == was && room == 10 * size);
        for (int i = 0; i < n; ++i) {
            CHECK_INT(x[i], i);
            owner[i] = size - 1;
        }
    } else {
        CHECK_INT(room, 0);
    }
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS_ROOM(x, sizeof *x, &room)));
    if (rank == size - 1) {
        CHECK_INT(n, 10 * size);
        CHECK_INT(room, size == 1 ? 10 : n + n / 8);
        for (int i = 0; i < n; ++i)
            CHECK_INT(x[i], i);
        for (int64_t i = n; i < room; ++i)
            x[i] = i; /* is there */
    }
    free(x);
    free(owner);
}

/* Arrays that share a room are all given back to the size that it then says. */
static void a_shared_room_shrinks_once(void **state)
{
    (void)state;
    enum { ROWS = 40000 };
    int64_t n = tsrt_rank() == 0 ? ROWS : 0, room = n;
    int64_t *x = calloc(ROWS, sizeof *x), *y = calloc(ROWS, sizeof *y);
    int *owner = malloc(ROWS * sizeof *owner);
    for (int i = 0; i < ROWS; ++i)
        owner[i] = i < 10 ? 0 : tsrt_size() - 1;
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS_ROOM(x, sizeof *x, &room),
                         TSR_ROWS_ROOM(y, sizeof *y, &room)));
    if (tsrt_rank() == 0 && tsrt_size() > 1) {
        CHECK_INT(n, 10);
        CHECK_INT(room, 11);
#ifdef __GLIBC__
        CHECK(malloc_usable_size(x) < ROWS && malloc_usable_size(y) < ROWS);
#endif
    }
    free(x);
    free(y);
    free(owner);
}

/* The owners may be one of the arrays, and other communicators number the ranks in their way. */
static void owners_travel_too(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), size = tsrt_size();
    int64_t n = 3;
    int *owner = malloc(3 * sizeof *owner);
    for (int i = 0; i < 3; ++i)
        owner[i] = (rank + i) % size;
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(owner, sizeof *owner)));
    CHECK_INT(n, 3);
    for (int i = 0; i < 3; ++i)
        CHECK_INT(owner[i], rank);
    n = 3;
    owner[0] = owner[1] = owner[2] = 0;
    CHECK_OK(tsr_migrate(TSR_COMM_SELF, &n, owner, TSR_ROWS(owner, sizeof *owner)));
    CHECK_INT(n, 3);
    free(owner);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M_8_M_9_rows_and_counts),
        cmocka_unit_test(M_10_no_rows_anywhere),
        cmocka_unit_test(M_11_M_12_errors_on_one_rank),
        cmocka_unit_test(pointers_that_are_null),
        cmocka_unit_test(rows_are_conserved_in_order),
        cmocka_unit_test(messages_are_counted),
        cmocka_unit_test(rows_that_stay_stay_in_place),
        cmocka_unit_test(arrays_grow_inside_their_room),
        cmocka_unit_test(a_shared_room_shrinks_once),
        cmocka_unit_test(owners_travel_too),
    };
    return TSRT_RUN(argc, argv, tests);
}
