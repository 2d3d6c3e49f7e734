/* Particles that leave their rank: ours against MPI_Alltoallv by hand.
 *
 *     migrate [--rows N,...] [--percent 1,50] [--rounds N] [--only NAME,...] [--json FILE]
 *
 * Each rank has N particles in three arrays, of 24, 24 and 8 bytes a row.  Of those that leave,
 * half go to the next rank and half to the one before.  Even and odd ranks send a little more in
 * turns, so that every rank grows in one call and shrinks in the next. */
#include "common.h"

#include <tessera.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 3 };
static const size_t row_bytes[ARRAYS] = {24, 24, 8};

/* Where this rank's rows go, in one of the two calls that take turns. */
typedef struct {
    int64_t n, after; /* rows before and after */
    int *owner;
} turn;

typedef struct {
    int rank, size;
    int64_t most; /* rows that a rank ever has */
    turn turn[2];
} problem;

typedef struct {
    const problem *p;
    int now; /* the turn */
    int64_t n, room;
    unsigned char *rows[ARRAYS];
    /* by hand: */
    unsigned char *spare[ARRAYS], *out, *in;
    int *order, *count[4];
} way;

/* ---- the problem ----------------------------------------------------------------------------- */

static int64_t leaving(int64_t rows, int percent, int rank, int t)
{
    const int64_t most = rows * percent / 100 / 20 * 20;
    return (rank + t) % 2 == 0 ? most : most / 10 * 9;
}

static int64_t rows_after(const problem *p, int64_t n, int64_t rows, int percent, int t)
{
    const int before = (p->rank + p->size - 1) % p->size, next = (p->rank + 1) % p->size;
    return n - leaving(rows, percent, p->rank, t) +
           (leaving(rows, percent, before, t) + leaving(rows, percent, next, t)) / 2;
}

/* `leave` of the rows, anywhere among them, to the two neighbours in turns. */
static int *owners(const problem *p, int64_t n, int64_t leave)
{
    int *owner = bench_alloc((size_t)p->most * sizeof *owner);
    uint64_t state = 12345 + (uint64_t)p->rank;
    for (int64_t i = 0, left = leave; i < n; ++i) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        const bool goes = (int64_t)((state >> 33) % (uint64_t)(n - i)) < left;
        owner[i] = p->rank;
        if (goes) owner[i] = (p->rank + (left-- % 2 ? 1 : p->size - 1)) % p->size;
    }
    return owner;
}

static problem make_problem(int64_t rows, int percent)
{
    problem p = {.most = rows * 2 + 100};
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.size);
    int64_t n = rows;
    for (int t = 0; t < 2; ++t) {
        p.turn[t] = (turn){n, rows_after(&p, n, rows, percent, t),
                           owners(&p, n, leaving(rows, percent, p.rank, t))};
        n = p.turn[t].after;
    }
    return p;
}

/* ---- ours ------------------------------------------------------------------------------------ */

static void ours(void *ctx)
{
    way *w = ctx;
    double(*x)[3] = (double(*)[3])w->rows[0], (*v)[3] = (double(*)[3])w->rows[1];
    int64_t *id = (int64_t *)w->rows[2];
    TSR_CHECK(tsr_migrate(
        TSR_COMM_WORLD, &w->n, w->p->turn[w->now].owner, TSR_ROWS_ROOM(x, sizeof *x, &w->room),
        TSR_ROWS_ROOM(v, sizeof *v, &w->room), TSR_ROWS_ROOM(id, sizeof *id, &w->room)));
    w->rows[0] = (unsigned char *)x;
    w->rows[1] = (unsigned char *)v;
    w->rows[2] = (unsigned char *)id;
    w->now = 1 - w->now;
}

/* ---- by hand --------------------------------------------------------------------------------- */

enum { SENT, SENT_FROM, GOT, GOT_FROM };

/* Count the rows for each rank, tell them, and order the rows by rank. */
static void plan(way *w)
{
    const int *owner = w->p->turn[w->now].owner;
    const int size = w->p->size;
    memset(w->count[SENT], 0, (size_t)size * sizeof(int));
    for (int64_t i = 0; i < w->n; ++i)
        ++w->count[SENT][owner[i]];
    MPI_Alltoall(w->count[SENT], 1, MPI_INT, w->count[GOT], 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0, sent = 0, got = 0; r < size; ++r) {
        w->count[SENT_FROM][r] = sent;
        w->count[GOT_FROM][r] = got;
        sent += w->count[SENT][r];
        got += w->count[GOT][r];
    }
    int next[64];
    memcpy(next, w->count[SENT_FROM], (size_t)size * sizeof *next);
    for (int64_t i = 0; i < w->n; ++i)
        w->order[next[owner[i]]++] = (int)i;
}

static int64_t all_got(const way *w)
{
    return (int64_t)w->count[GOT_FROM][w->p->size - 1] + w->count[GOT][w->p->size - 1];
}

/* memcpy of a constant size is a few moves. */
static void take(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes == 24)
        memcpy(to, from, 24);
    else
        memcpy(to, from, 8);
}

/* Each array on its own: sorted by rank, then through MPI_Alltoallv, own rows too. */
static void arrays_by_hand(void *ctx)
{
    way *w = ctx;
    plan(w);
    for (int a = 0; a < ARRAYS; ++a) {
        MPI_Datatype type;
        MPI_Type_contiguous((int)row_bytes[a], MPI_BYTE, &type);
        MPI_Type_commit(&type);
        for (int64_t k = 0; k < w->n; ++k)
            take(w->out + (size_t)k * row_bytes[a], w->rows[a] + (size_t)w->order[k] * row_bytes[a],
                 row_bytes[a]);
        MPI_Alltoallv(w->out, w->count[SENT], w->count[SENT_FROM], type, w->rows[a], w->count[GOT],
                      w->count[GOT_FROM], type, MPI_COMM_WORLD);
        MPI_Type_free(&type);
    }
    w->n = all_got(w);
    w->now = 1 - w->now;
}

/* All arrays in one MPI_Alltoallv of packed rows, without those that stay; these are copied.  The
 * new arrays are written in spare ones, which then change places with the old. */
static void packed_by_hand(void *ctx)
{
    way *w = ctx;
    const size_t all = row_bytes[0] + row_bytes[1] + row_bytes[2];
    const int rank = w->p->rank, size = w->p->size;
    MPI_Datatype type;
    plan(w);
    const int first = w->count[SENT_FROM][rank], stay = w->count[SENT][rank];
    for (int64_t k = 0, to = 0; k < w->n; ++k) {
        if (k == first) k += stay;
        if (k >= w->n) break;
        unsigned char *row = w->out + (size_t)to++ * all;
        memcpy(row, w->rows[0] + (size_t)w->order[k] * 24, 24);
        memcpy(row + 24, w->rows[1] + (size_t)w->order[k] * 24, 24);
        memcpy(row + 48, w->rows[2] + (size_t)w->order[k] * 8, 8);
    }
    const int before = w->count[GOT_FROM][rank];
    for (int a = 0; a < ARRAYS; ++a)
        for (int64_t k = 0; k < stay; ++k)
            take(w->spare[a] + (size_t)(before + k) * row_bytes[a],
                 w->rows[a] + (size_t)w->order[first + k] * row_bytes[a], row_bytes[a]);
    w->count[SENT][rank] = w->count[GOT][rank] = 0;
    for (int r = rank + 1; r < size; ++r) {
        w->count[SENT_FROM][r] -= stay;
        w->count[GOT_FROM][r] -= stay;
    }
    MPI_Type_contiguous((int)all, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Alltoallv(w->out, w->count[SENT], w->count[SENT_FROM], type, w->in, w->count[GOT],
                  w->count[GOT_FROM], type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    const int64_t got = all_got(w);
    for (int64_t k = 0; k < got; ++k) {
        const size_t to = (size_t)(k < before ? k : k + stay);
        memcpy(w->spare[0] + to * 24, w->in + (size_t)k * all, 24);
        memcpy(w->spare[1] + to * 24, w->in + (size_t)k * all + 24, 24);
        memcpy(w->spare[2] + to * 8, w->in + (size_t)k * all + 48, 8);
    }
    for (int a = 0; a < ARRAYS; ++a) {
        unsigned char *was = w->rows[a];
        w->rows[a] = w->spare[a];
        w->spare[a] = was;
    }
    w->n = got + stay;
    w->now = 1 - w->now;
}

/* ---- the floor ------------------------------------------------------------------------------- */

/* Every row copied once, from one array to another. */
static void copy_all(void *ctx)
{
    way *w = ctx;
    for (int a = 0; a < ARRAYS; ++a)
        memcpy(w->spare[a], w->rows[a], (size_t)w->n * row_bytes[a]);
}

/* ---- the check ------------------------------------------------------------------------------- */

static void fill(way *w)
{
    w->now = 0;
    w->n = w->p->turn[0].n;
    for (int64_t i = 0; i < w->n; ++i) {
        const int64_t id = w->p->rank * w->p->most + i;
        for (int c = 0; c < 3; ++c) {
            ((double *)w->rows[0])[3 * i + c] = (double)(3 * id + c);
            ((double *)w->rows[1])[3 * i + c] = -(double)(3 * id + c);
        }
        ((int64_t *)w->rows[2])[i] = id;
    }
}

/* Rows are whole, and a rank's are in the order of where they came from: their ids rise. */
static bool is_right(const way *w)
{
    const int64_t *id = (const int64_t *)w->rows[2];
    for (int64_t i = 0; i < w->n; ++i) {
        for (int c = 0; c < 3; ++c)
            if (((double *)w->rows[0])[3 * i + c] != (double)(3 * id[i] + c) ||
                ((double *)w->rows[1])[3 * i + c] != -(double)(3 * id[i] + c))
                return false;
        if (i > 0 && id[i] <= id[i - 1]) return false;
    }
    return w->n == w->p->turn[0].after;
}

static bool verify(void *ctx)
{
    way *w = ctx;
    if (w->out == NULL) return true;
    fill(w);
    return true;
}

#define VERIFIED(name)                                                                             \
    static bool verify_##name(void *ctx)                                                           \
    {                                                                                              \
        way *w = ctx;                                                                              \
        if (w->now == 1) name(w);                                                                  \
        verify(w);                                                                                 \
        name(w);                                                                                   \
        const bool right = is_right(w);                                                            \
        name(w);                                                                                   \
        return right;                                                                              \
    }
VERIFIED(ours)
VERIFIED(arrays_by_hand)
VERIFIED(packed_by_hand)

/* ---- the cases ------------------------------------------------------------------------------- */

static void *rows_room(const problem *p, int a)
{
    void *memory = calloc((size_t)p->most, row_bytes[a]);
    if (memory == NULL) BENCH_STOP("out of memory");
    return memory;
}

static way make_way(const problem *p)
{
    way w = {.p = p, .room = p->most};
    for (int a = 0; a < ARRAYS; ++a) {
        w.rows[a] = rows_room(p, a);
        w.spare[a] = rows_room(p, a);
    }
    w.out = bench_alloc((size_t)p->most * 56);
    w.in = bench_alloc((size_t)p->most * 56);
    w.order = bench_alloc((size_t)p->most * sizeof *w.order);
    for (int k = 0; k < 4; ++k)
        w.count[k] = bench_alloc((size_t)p->size * sizeof(int));
    fill(&w);
    return w;
}

static void free_way(way *w)
{
    for (int a = 0; a < ARRAYS; ++a) {
        free(w->rows[a]);
        free(w->spare[a]);
    }
    free(w->out);
    free(w->in);
    free(w->order);
    for (int k = 0; k < 4; ++k)
        free(w->count[k]);
}

static void measure(const bench_options *options, int64_t rows, int percent)
{
    const problem p = make_problem(rows, percent);
    way ways[4];
    for (int k = 0; k < 4; ++k)
        ways[k] = make_way(&p);
    bench_entry entries[] = {
        {.name = "floor", .role = BENCH_FLOOR, .run = copy_all, .verify = verify},
        {.name = "tessera", .role = BENCH_OURS, .run = ours, .verify = verify_ours},
        {.name = "alltoallv, packed",
         .role = BENCH_HAND,
         .run = packed_by_hand,
         .verify = verify_packed_by_hand},
        {.name = "alltoallv, by array",
         .role = BENCH_HAND,
         .run = arrays_by_hand,
         .verify = verify_arrays_by_hand}};
    for (int k = 0; k < 4; ++k)
        entries[k].ctx = &ways[k];
    char parameters[64];
    snprintf(parameters, sizeof parameters, "%d ranks rows=%lld leaving=%d%%", p.size,
             (long long)rows, percent);
    bench_case(options, "migrate", parameters, 4, entries);
    for (int k = 0; k < 4; ++k)
        free_way(&ways[k]);
    free(p.turn[0].owner);
    free(p.turn[1].owner);
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list rows = bench_numbers(argc, argv, "--rows", "1000000", 100, 10000000);
    const bench_list percent = bench_numbers(argc, argv, "--percent", "1,50", 1, 90);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2 || size > 64) BENCH_STOP("migration is measured on 2 to 64 ranks");
    bench_check_options(argc, argv);
    for (int r = 0; r < rows.count; ++r)
        for (int k = 0; k < percent.count; ++k)
            measure(&options, rows.number[r], (int)percent.number[k]);
    return tsr_finalize();
}
