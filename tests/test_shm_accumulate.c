/* ranks: 1 2 3 4 8 */
/* Accumulation by trees over every number of ranks, groups and nodes, against a serial reference;
 * the nodes' copies combined; boxes set in all of them. */
#define _POSIX_C_SOURCE 200809L

#include "base/memory.h"
#include "kern/kern.h"
#include "support/nodes.h"

#include <stdio.h>

/* ---- the worked example ---------------------------------------------------------------------- */

typedef struct hits {
    int rank, calls;
} hits;

static tsr_status add_hits(tsr_view scratch, void *ctx)
{
    hits *h = ctx;
    ++h->calls;
    for (int64_t pixel = h->rank; pixel < h->rank + 3 && pixel < scratch.extent[0]; ++pixel)
        ++TSR_AT(int64_t, scratch, pixel);
    return TSR_OK;
}

static void count_hits(tsr_comm comm, int nproc_reduce, int node_root)
{
    const int size = size_of(comm);
    const int64_t npix = size + 2;
    tsr_shm *shm = make_manager(comm, nproc_reduce, node_root);
    hits mine = {.rank = rank_in(comm)};
    tsr_shm_array *map = NULL;

    CHECK_OK(tsr_shm_full_node(shm, TSR_I64, tsr_i64(-77), 1, &npix, &map));
    for (int call = 1; call <= 2; ++call) { /* what was there before counts for nothing */
        CHECK_OK(tsr_shm_accumulate(map, TSR_SUM, add_hits, &mine));
        CHECK_INT(mine.calls, call);
        const int64_t *counts = tsr_shm_data(map);
        for (int64_t p = 0; p < npix; ++p) {
            const int64_t first = p < 2 ? 0 : p - 2, last = p < size ? p : size - 1;
            CHECK_INT(counts[p], last - first + 1);
        }
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

/* Four ranks, nproc_reduce = 2, six pixels: 1 2 3 3 2 1. */
static void S_5_four_ranks(void **state)
{
    (void)state;
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    tsr_comm comm = first_ranks(4);
    if (comm != TSR_COMM_NULL) {
        static const int64_t expected[] = {1, 2, 3, 3, 2, 1};
        tsr_shm *shm = make_manager(comm, 2, 0);
        tsr_shm_array *map = NULL;
        CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(6), &map));
        CHECK_OK(tsr_shm_accumulate(map, TSR_SUM, add_hits, &(hits){.rank = rank_in(comm)}));
        CHECK(memcmp(tsr_shm_data(map), expected, sizeof expected) == 0);
        CHECK_OK(tsr_shm_destroy(&shm));
    }
    free_ranks(&comm);
}

static void S_5_every_size(void **state)
{
    (void)state;
    for (int n = next_size(0); n <= tsrt_size(); n = next_size(n)) {
        tsr_comm comm = first_ranks(n);
        for (int asked = 0; asked <= 9 && comm != TSR_COMM_NULL; ++asked)
            if (asked <= n + 1) count_hits(comm, asked, asked % smallest_node(n));
        free_ranks(&comm);
    }
    for (int root = 1; root < smallest_node(tsrt_size()); ++root)
        count_hits(TSR_COMM_WORLD, 2, root);
}

/* ---- every type and operation -----------------------------------------------------------------
 */

typedef struct shares {
    tsr_op op;
    int rank;
} shares;

/* The elements that a rank adds. */
static void share_of(int rank, tsr_dtype dtype, int64_t cells, unsigned char *out)
{
    for (int64_t i = 0; i < cells; ++i)
        model_element(dtype, model_hash((uint64_t)rank * 100000 + (uint64_t)i),
                      out + (size_t)i * model_elem(dtype));
}

static tsr_status add_share(tsr_view scratch, void *ctx)
{
    const shares *s = ctx;
    int64_t cells = 1;
    for (int a = 0; a < scratch.ndim; ++a)
        cells *= scratch.extent[a];
    unsigned char *mine = malloc((size_t)cells * model_elem(scratch.dtype) + 1);
    CHECK(mine != NULL);
    share_of(s->rank, scratch.dtype, cells, mine);
    tsri_kern_get()->combine(s->op, scratch.dtype, cells, scratch.data, mine);
    free(mine);
    return TSR_OK;
}

/* What all must end with, in the order that is promised: members of a group, groups of a node,
 * nodes as a tree.  The share of the first member of a group stands for what it adds to nothing. */
static unsigned char *expected_of(int size, int nproc, tsr_op op, tsr_dtype dtype, int64_t cells)
{
    const int k = ranks_per_node(size), nodes = nodes_among(size);
    const size_t bytes = (size_t)cells * model_elem(dtype);
    unsigned char *node = malloc(bytes * (size_t)nodes + 1), *mine = malloc(bytes + 1);
    unsigned char *group = malloc(bytes + 1);
    CHECK(node != NULL && mine != NULL && group != NULL);

    for (int rank = 0; rank < size; ++rank) {
        const int place = rank % k;
        const bool ends = rank == size - 1 || (rank + 1) % k == 0 || (place + 1) % nproc == 0;
        unsigned char *const map = node + (size_t)(rank / k) * bytes;
        share_of(rank, dtype, cells, mine);
        if (place % nproc == 0)
            memcpy(group, mine, bytes);
        else
            tsri_kern_get()->combine(op, dtype, cells, group, mine);
        if (ends && place < nproc)
            memcpy(map, group, bytes);
        else if (ends)
            tsri_kern_get()->combine(op, dtype, cells, map, group);
    }
    for (int bit = 1; bit < nodes; bit *= 2)
        for (int n = 0; n + bit < nodes; n += 2 * bit)
            tsri_kern_get()->combine(op, dtype, cells, node + (size_t)n * bytes,
                                     node + (size_t)(n + bit) * bytes);
    free(mine);
    free(group);
    return node;
}

/* An "and" of one value is 1 or 0. */
static void normalise(tsr_op op, tsr_dtype dtype, int64_t cells, unsigned char *values)
{
    static const unsigned char zeros[16];
    for (int64_t i = 0; i < cells && op >= TSR_AND && op <= TSR_XOR; ++i)
        tsri_kern_get()->combine(TSR_OR, dtype, 1, values + (size_t)i * model_elem(dtype), zeros);
}

static void accumulate_once(tsr_shm *shm, tsr_shm_array *map, tsr_op op)
{
    const tsr_dtype dtype = tsr_shm_dtype(map);
    const int64_t cells = tsr_shm_cells(map);
    unsigned char *expected = expected_of(tsrt_size(), tsr_shm_nproc_reduce(shm), op, dtype, cells);

    CHECK_OK(tsr_shm_accumulate(map, op, add_share, &(shares){op, tsrt_rank()}));
    normalise(op, dtype, cells, expected);
    if (memcmp(tsr_shm_data(map), expected, tsr_shm_bytes(map)) != 0)
        tsrt_fail(__FILE__, __LINE__, "operation %d of %lld %s in groups of %d", (int)op,
                  (long long)cells, tsr_dtype_name(dtype), tsr_shm_nproc_reduce(shm));
    free(expected);
}

/* A group of 100 ranks is another on each of unequal nodes, which the reference does not know. */
static void every_operation_and_type(void **state)
{
    (void)state;
    const int groups[] = {1, 2, 100};
    const bool equal = node_size_of(0, tsrt_size()) == smallest_node(tsrt_size());
    for (int g = 0; g < (equal ? 3 : 2); ++g) {
        tsr_shm *shm = make_manager(TSR_COMM_WORLD, groups[g], 0);
        for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype) {
            tsr_shm_array *map = NULL;
            const int64_t cells = dtype % 3 == 0 ? 3000 : 37;
            CHECK_OK(tsr_shm_alloc_node(shm, (tsr_dtype)dtype, 2, (int64_t[]){cells, 1}, &map));
            for (int op = 0; op < (dtype < TSR_F32 ? TSR_OP_END : TSR_BAND); ++op)
                accumulate_once(shm, map, (tsr_op)op);
            CHECK_OK(tsr_shm_free(&map));
        }
        CHECK_OK(tsr_shm_destroy(&shm));
    }
}

static void S_4_nothing_in_it(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 1, 0);
    tsr_shm_array *none = NULL, *one = NULL;
    CHECK_OK(tsr_shm_alloc_node(shm, TSR_F64, 2, TSR_SHAPE(3, 0), &none));
    CHECK_OK(tsr_shm_alloc_node(shm, TSR_I64, 0, NULL, &one));
    CHECK_OK(tsr_shm_accumulate(none, TSR_MIN, add_share, &(shares){TSR_MIN, tsrt_rank()}));
    CHECK_OK(tsr_shm_accumulate(one, TSR_BXOR, add_share, &(shares){TSR_BXOR, tsrt_rank()}));
    CHECK_OK(tsr_shm_allreduce(none, TSR_MAX));
    CHECK_OK(tsr_shm_set(none, 0, TSR_SHAPE(1, 0), TSR_SHAPE(2, 0), NULL));
    CHECK_OK(tsr_shm_set(one, tsrt_size() - 1, NULL, NULL, &(int64_t){7}));
    CHECK_INT(*(int64_t *)tsr_shm_data(one), 7);
    CHECK_OK(tsr_shm_destroy(&shm));
}

/* Adds to the first cell how many pieces of shared memory this rank has made since *ctx of them. */
static tsr_status add_pieces(tsr_view scratch, void *ctx)
{
    TSR_AT(int64_t, scratch, 0) += tsri_counters_read().live_pieces - *(const int64_t *)ctx;
    return TSR_OK;
}

/* Memory: a map for each group but the first, and what the lanes between nodes hold.  On one node
 * the maps are all there is. */
static void S_4_memory_is_said_before(void **state)
{
    (void)state;
    const int size = tsrt_size(), on_node = node_size_of(tsrt_rank(), size);
    for (int asked = 1; asked <= size; ++asked) {
        tsr_shm *shm = make_manager(TSR_COMM_WORLD, asked, 0);
        tsr_shm_array *map = NULL;
        CHECK_OK(tsr_shm_alloc_node(shm, TSR_I64, 1, TSR_SHAPE(1000), &map));
        const int group = asked < on_node ? asked : on_node;
        const int64_t lanes = nodes_among(size) > 1 ? smallest_node(size) : 0;
        const int maps = (on_node + group - 1) / group - 1;
        CHECK_INT(tsr_shm_accumulate_bytes(map), 8000 * maps + lanes * 4 * 1024 * 1024);
        int64_t pieces = tsri_counters_read().live_pieces;
        CHECK_OK(tsr_shm_accumulate(map, TSR_SUM, add_pieces, &pieces));
        if (lanes == 0) CHECK_INT(*(const int64_t *)tsr_shm_data(map), maps);
        CHECK_INT(tsri_counters_read().live_pieces, pieces);
        CHECK_OK(tsr_shm_destroy(&shm));
    }
    CHECK_INT(tsr_shm_accumulate_bytes(NULL), 0);
}

/* ---- between nodes ----------------------------------------------------------------------------
 */

static void nodes_combine(void **state)
{
    (void)state;
    const int k = ranks_per_node(tsrt_size()), nodes = nodes_among(tsrt_size());
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    for (int64_t cells = 1; cells < 4000; cells = cells * 7 + 2) {
        tsr_shm_array *map = NULL;
        CHECK_OK(tsr_shm_zeros_node(shm, TSR_I32, 1, &cells, &map));
        int32_t *data = tsr_shm_data(map);
        for (int64_t i = tsr_shm_node_rank(shm); i < cells; i += tsr_shm_node_size(shm))
            data[i] = (int32_t)i + 1000 * (tsrt_rank() / k); /* no sync: the call makes one */
        CHECK_OK(tsr_shm_allreduce(map, TSR_SUM));
        for (int64_t i = 0; i < cells; ++i)
            CHECK_INT(data[i], nodes * i + 1000 * (nodes * (nodes - 1) / 2));
        CHECK_OK(tsr_shm_free(&map));
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void a_box_for_all(void **state)
{
    (void)state;
    const int node_root = smallest_node(tsrt_size()) - 1;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, node_root);
    tsr_shm_array *map = NULL;
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I16, 3, TSR_SHAPE(4, 5, 6), &map));
    const tsr_view v = tsr_shm_view(map);

    for (int root = 0; root < tsrt_size(); ++root) {
        int16_t values[2 * 3 * 4];
        const bool mine = tsrt_rank() == root;
        for (int i = 0; i < 24; ++i)
            values[i] = (int16_t)(100 * (root + 1) + i);
        CHECK_OK(tsr_shm_set(map, root, mine ? TSR_SHAPE(1, 2, 0) : NULL,
                             mine ? TSR_SHAPE(3, 5, 4) : NULL, mine ? values : NULL));
        for (int64_t i = 0; i < 4; ++i)
            for (int64_t j = 0; j < 5; ++j)
                for (int64_t l = 0; l < 6; ++l) {
                    const bool inside = i >= 1 && i < 3 && j >= 2 && l < 4;
                    const int64_t place = ((i - 1) * 3 + j - 2) * 4 + l;
                    CHECK_INT(TSR_AT(int16_t, v, i, j, l), inside ? 100 * (root + 1) + place : 0);
                }
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

/* ---- refused, failed ---------------------------------------------------------------------------
 */

typedef struct failing {
    int victim;
    tsr_status status;
} failing;

static tsr_status add_or_fail(tsr_view scratch, void *ctx)
{
    const failing *f = ctx;
    TSR_AT(double, scratch, 0) += 1;
    return tsrt_rank() == f->victim ? f->status : TSR_OK;
}

static void S_4_one_rank_fails(void **state)
{
    (void)state;
    for (int asked = 1; asked <= 4; asked += 1 + asked / 2) {
        tsr_shm *shm = make_manager(TSR_COMM_WORLD, asked, 0);
        tsr_shm_array *map = NULL;
        CHECK_OK(tsr_shm_ones_node(shm, TSR_F64, 1, TSR_SHAPE(10), &map));
        const double *data = tsr_shm_data(map);
        for (int victim = 0; victim < tsrt_size(); ++victim) {
            failing f = {victim, TSR_ERR_IO};
            CHECK_STATUS(tsr_shm_accumulate(map, TSR_PROD, add_or_fail, &f), TSR_ERR_IO);
            CHECK_TEXT("the function that adds returned status");
            check_same_text();
            for (int i = 0; i < 10; ++i)
                CHECK_DOUBLE(data[i], 1, 0); /* as if nobody had added anything */
            f.status = -3;
            CHECK_STATUS(tsr_shm_accumulate(map, TSR_SUM, add_or_fail, &f), TSR_ERR_VALUE);
            CHECK_DOUBLE(data[0], 0, 0);
            f.status = TSR_OK;
            CHECK_OK(tsr_shm_accumulate(map, TSR_SUM, add_or_fail, &f));
            CHECK_DOUBLE(data[0], tsrt_size(), 0);
        }
        CHECK_OK(tsr_shm_destroy(&shm));
    }
}

/* Wrong on the last rank alone, where that can be. */
static void refused(void **state)
{
    (void)state;
    const int last = tsrt_size() - 1;
    const bool wrong = tsrt_rank() == last;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *map = NULL, *tree = NULL, *gone, *second = NULL;
    failing f = {-1, TSR_OK};

    CHECK_OK(tsr_shm_ones_node(shm, TSR_F64, 2, TSR_SHAPE(2, 3), &map));
    CHECK_OK(tsr_shm_ones_node(shm, TSR_F64, 2, TSR_SHAPE(2, 3), &second));
    CHECK_OK(tsr_shm_ones(shm, tsr_shm_node_comm(shm), 0, TSR_F64, 1, TSR_SHAPE(4), &tree));
#define REFUSED(call, code, words)                                                                 \
    do {                                                                                           \
        CHECK_STATUS(call, code);                                                                  \
        CHECK_TEXT(words);                                                                         \
        check_same_text();                                                                         \
    } while (0)
    REFUSED(tsr_shm_accumulate(map, TSR_SUM, wrong ? NULL : add_or_fail, &f), TSR_ERR_VALUE,
            "add is NULL");
    REFUSED(tsr_shm_accumulate(map, TSR_OP_END, add_or_fail, &f), TSR_ERR_VALUE,
            "tsr_shm_accumulate: op is 10");
    REFUSED(tsr_shm_accumulate(map, TSR_BAND, add_or_fail, &f), TSR_ERR_TYPE,
            "band is not defined for float64");
    REFUSED(tsr_shm_accumulate(tree, TSR_SUM, add_or_fail, &f), TSR_ERR_VALUE,
            "must be a node array");
    REFUSED(tsr_shm_accumulate(NULL, TSR_SUM, add_or_fail, &f), TSR_ERR_VALUE, "array is NULL");
    REFUSED(tsr_shm_allreduce(map, TSR_BXOR), TSR_ERR_TYPE, "tsr_shm_allreduce: bxor");
    REFUSED(tsr_shm_allreduce(tree, TSR_SUM), TSR_ERR_VALUE, "must be a node array");
    REFUSED(tsr_shm_set(tree, 0, TSR_SHAPE(0), TSR_SHAPE(1), &f), TSR_ERR_VALUE, "node array");
    REFUSED(tsr_shm_set(map, last + 1, TSR_SHAPE(0, 0), TSR_SHAPE(1, 1), &f), TSR_ERR_VALUE,
            "root is");
    REFUSED(tsr_shm_set(map, last, TSR_SHAPE(0, 0), TSR_SHAPE(1, 4), &f), TSR_ERR_INDEX,
            "the box is [0, 4) along axis 1, must be inside [0, 3)");
    REFUSED(tsr_shm_set(map, last, TSR_SHAPE(0, -1), TSR_SHAPE(1, 1), &f), TSR_ERR_INDEX,
            "[-1, 1)");
    REFUSED(tsr_shm_set(map, last, TSR_SHAPE(0, 2), TSR_SHAPE(1, 1), &f), TSR_ERR_VALUE,
            "must not be below");
    REFUSED(tsr_shm_set(map, last, NULL, TSR_SHAPE(1, 1), &f), TSR_ERR_VALUE, "lo is NULL");
    REFUSED(tsr_shm_set(map, last, TSR_SHAPE(0, 0), TSR_SHAPE(1, 1), NULL), TSR_ERR_VALUE,
            "values is NULL");
    if (last > 0) {
        REFUSED(tsr_shm_accumulate(map, wrong ? TSR_SUM : TSR_MAX, add_or_fail, &f),
                TSR_ERR_MISMATCH, "tsr_shm_accumulate: rank");
        REFUSED(tsr_shm_accumulate(wrong ? map : second, TSR_SUM, add_or_fail, &f),
                TSR_ERR_MISMATCH, "tsr_shm_accumulate: rank");
        REFUSED(tsr_shm_set(map, wrong ? 1 : 0, TSR_SHAPE(0, 0), TSR_SHAPE(1, 1), &f),
                TSR_ERR_MISMATCH, "tsr_shm_set: rank");
    }
#undef REFUSED
    for (int i = 0; i < 6; ++i)
        CHECK_DOUBLE(((double *)tsr_shm_data(map))[i], 1, 0);
    gone = map;
    CHECK_OK(tsr_shm_free(&map));
    CHECK_STATUS(tsr_shm_accumulate(gone, TSR_SUM, add_or_fail, &f), TSR_ERR_VALUE);
    CHECK_OK(tsr_shm_destroy(&shm));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(S_5_four_ranks),
        cmocka_unit_test(S_5_every_size),
        cmocka_unit_test(every_operation_and_type),
        cmocka_unit_test(S_4_nothing_in_it),
        cmocka_unit_test(S_4_memory_is_said_before),
        cmocka_unit_test(nodes_combine),
        cmocka_unit_test(a_box_for_all),
        cmocka_unit_test(S_4_one_rank_fails),
        cmocka_unit_test(refused),
    };
    return TSRT_RUN(argc, argv, tests);
}
