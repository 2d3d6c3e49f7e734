/* ranks: 1 */
/* Random geometries against a picture that is painted cell by cell, and the largest ones. */
#include "support/layout_cases.h"

enum { MOST_CELLS = 13 * 13 * 13 * 13 };

/* The rank of every cell, as each rank's block says. */
typedef struct picture {
    const tsr_layout *layout;
    int ndim;
    int64_t cells;
    int rank[MOST_CELLS];
} picture;

static int64_t offset_of(const picture *p, const int64_t *cell)
{
    int64_t offset = 0;
    for (int a = 0; a < p->ndim; ++a)
        offset = offset * tsr_layout_shape(p->layout)[a] + cell[a];
    return offset;
}

static void cell_at(const picture *p, int64_t offset, int64_t *cell)
{
    for (int a = p->ndim - 1; a >= 0; --a) {
        cell[a] = offset % tsr_layout_shape(p->layout)[a];
        offset /= tsr_layout_shape(p->layout)[a];
    }
}

/* Every cell belongs to exactly one block. */
static void paint(picture *p)
{
    for (int64_t n = 0; n < p->cells; ++n)
        p->rank[n] = -1;
    for (int rank = 0; rank < tsr_layout_size(p->layout); ++rank) {
        int64_t start[4], extent[4], cell[4], cells = 1;
        CHECK_OK(tsr_layout_block(p->layout, rank, start, extent));
        for (int a = 0; a < p->ndim; ++a)
            cells *= extent[a];
        for (int64_t n = 0; n < cells; ++n) {
            int64_t rest = n;
            for (int a = p->ndim - 1; a >= 0; --a) {
                cell[a] = start[a] + rest % extent[a];
                rest /= extent[a];
            }
            CHECK_INT(p->rank[offset_of(p, cell)], -1);
            p->rank[offset_of(p, cell)] = rank;
        }
    }
    for (int64_t n = 0; n < p->cells; ++n)
        CHECK(p->rank[n] >= 0);
}

static void check_owners(const picture *p)
{
    for (int64_t n = 0; n < p->cells; ++n) {
        int64_t cell[4], shifted[4];
        int owner = -1, wrapped = -1;
        cell_at(p, n, cell);
        CHECK_OK(tsr_layout_owner(p->layout, cell, &owner));
        CHECK_INT(owner, p->rank[n]);
        for (int a = 0; a < p->ndim; ++a) {
            const int64_t length = tsr_layout_shape(p->layout)[a];
            const bool periodic = (tsr_layout_periodic(p->layout) & TSR_AXIS(a)) != 0;
            shifted[a] = cell[a] + (periodic ? 5 * length : -length);
        }
        CHECK_OK(tsr_layout_owners(p->layout, 1, shifted, TSR_WRAP, &wrapped));
        CHECK_INT(wrapped, p->rank[n]);
    }
}

/* The first rank met when stepping from a cell of the block along an axis, cell by cell. */
static int step(const picture *p, const int64_t *from, int axis, int direction)
{
    const int64_t length = tsr_layout_shape(p->layout)[axis];
    const bool periodic = (tsr_layout_periodic(p->layout) & TSR_AXIS(axis)) != 0;
    const int rank = p->rank[offset_of(p, from)];
    int64_t cell[4];
    memcpy(cell, from, sizeof cell);
    for (int64_t n = 0; n < length; ++n) {
        cell[axis] += direction;
        if (!periodic && (cell[axis] < 0 || cell[axis] >= length)) return TSR_NO_RANK;
        cell[axis] = (cell[axis] + length) % length;
        if (p->rank[offset_of(p, cell)] != rank) return p->rank[offset_of(p, cell)];
    }
    return rank;
}

static void check_ranks(const picture *p)
{
    for (int rank = 0; rank < tsr_layout_size(p->layout); ++rank) {
        int64_t start[4] = {0}, extent[4], storage[4];
        int coords[4], back = -1, before, after;
        bool has_cells = true;
        CHECK_OK(tsr_layout_block(p->layout, rank, start, extent));
        CHECK_OK(tsr_layout_storage(p->layout, rank, storage));
        CHECK_OK(tsr_layout_coords(p->layout, rank, coords));
        CHECK_OK(tsr_layout_rank_at(p->layout, coords, &back));
        CHECK_INT(back, rank);
        for (int a = 0; a < p->ndim; ++a)
            has_cells = has_cells && extent[a] > 0;
        for (int a = 0; a < p->ndim; ++a) {
            const int64_t halos =
                tsr_layout_halo_lo(p->layout)[a] + tsr_layout_halo_hi(p->layout)[a];
            CHECK_INT(storage[a], has_cells ? extent[a] + halos : 0);
            CHECK_OK(tsr_layout_neighbours(p->layout, rank, a, &before, &after));
            CHECK_INT(before, has_cells ? step(p, start, a, -1) : TSR_NO_RANK);
            CHECK_INT(after, has_cells ? step(p, start, a, 1) : TSR_NO_RANK);
        }
    }
}

static void random_layouts(void **state)
{
    (void)state;
    static picture p;
    int with_empty = 0;
    for (uint64_t round = 0; round < 400; ++round) {
        uint64_t seed = round;
        tsrt_random_layout l;
        tsrt_random_layout_make(&seed, &l);
        tsr_layout *layout = tsrt_layout(0, l.size, l.ndim, l.shape, &l.options);
        p.layout = layout;
        p.ndim = l.ndim;
        p.cells = tsr_layout_cells(layout);
        paint(&p);
        check_owners(&p);
        check_ranks(&p);
        with_empty += p.cells > 0 && p.cells < l.size;
        tsrt_layout_free(layout);
    }
    CHECK(with_empty > 10);
}

/* Searches jump over runs of equal cuts. */
static void empty_blocks_are_jumped_over(void **state)
{
    (void)state;
    const tsr_layout_options options = {
        .cuts = {TSR_SHAPE(0, 0, 3, 3, 3, 5, 5)}, .ncuts = {7}, .allow_empty = true};
    tsr_layout *layout = tsrt_layout(0, 6, 1, TSR_SHAPE(5), &options);
    static const int owners[] = {1, 1, 1, 4, 4}, before[] = {-1, -1, -1, -1, 1, -1},
                     after[] = {-1, 4, -1, -1, -1, -1};
    for (int64_t i = 0; i < 5; ++i) {
        int owner = -7;
        CHECK_OK(tsr_layout_owner(layout, &i, &owner));
        CHECK_INT(owner, owners[i]);
    }
    for (int rank = 0; rank < 6; ++rank) {
        int found[2];
        int64_t start, extent, storage;
        CHECK_OK(tsr_layout_neighbours(layout, rank, 0, &found[0], &found[1]));
        CHECK_INT(found[0], before[rank]);
        CHECK_INT(found[1], after[rank]);
        CHECK_OK(tsr_layout_block(layout, rank, &start, &extent));
        CHECK_INT(start, options.cuts[0][rank]);
        CHECK_OK(tsr_layout_storage(layout, rank, &storage));
        CHECK_INT(storage, extent);
    }
    tsrt_layout_free(layout);
}

/* ---- large ----------------------------------------------------------------------------------- */

static void cell_counts_beyond_32_bits(void **state)
{
    (void)state;
    const int64_t counts[] = {(INT64_C(1) << 31) - 1, INT64_C(1) << 31, INT64_C(1) << 33,
                              INT64_C(1) << 62, INT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const int64_t n = counts[i];
        tsr_layout *layout = tsrt_layout(0, 7, 1, &n, NULL);
        int64_t end = 0;
        CHECK_INT(tsr_layout_cells(layout), n);
        for (int rank = 0; rank < 7; ++rank) {
            int64_t start, extent;
            int first = -1, last = -1;
            CHECK_OK(tsr_layout_block(layout, rank, &start, &extent));
            CHECK_INT(start, end);
            end = start + extent;
            CHECK_INT(extent, n / 7 + (rank < n % 7));
            CHECK_OK(tsr_layout_owner(layout, &start, &first));
            CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(end - 1), &last));
            CHECK(first == rank && last == rank);
        }
        CHECK_INT(end, n);
        tsrt_layout_free(layout);
    }
    tsr_layout *layout = tsrt_layout(0, 6, 2, TSR_SHAPE(INT64_C(1) << 31, INT64_C(1) << 31), NULL);
    CHECK_INT(tsr_layout_cells(layout), INT64_C(1) << 62);
    tsrt_layout_free(layout);
}

static void what_does_not_fit_64_bits(void **state)
{
    (void)state;
    const int64_t half = INT64_C(1) << 32, most = INT64_MAX;
    tsrt_refused(1, 2, TSR_SHAPE(half, half), NULL, TSR_ERR_OVERFLOW,
                 "the shape has more than 9223372036854775807 cells");
    tsrt_accepted(1, 3, TSR_SHAPE(half, half, 0), NULL);
    const tsr_layout_options one = {.halo = {1}};
    tsrt_refused(1, 1, TSR_SHAPE(most - 1), &one, TSR_ERR_OVERFLOW,
                 "axis 0 with its halos (1, 1) is longer than");
    tsrt_accepted(1, 1, TSR_SHAPE(most - 2), &one);
    tsrt_refused(1, 1, TSR_SHAPE(0), &(tsr_layout_options){.halo = {most}}, TSR_ERR_OVERFLOW,
                 "axis 0 with its halos");
    /* Without cells there are no blocks to store, however wide the halos. */
    tsrt_accepted(1, 3, TSR_SHAPE(0, half, half), &(tsr_layout_options){.halo = {half, half}});
    const int64_t quarter = INT64_C(1) << 31;
    tsrt_refused(1, 2, TSR_SHAPE(quarter, quarter),
                 &(tsr_layout_options){.halo = {quarter, quarter}}, TSR_ERR_OVERFLOW,
                 "the largest block with its halos has more than");
    /* The same halos around smaller blocks fit. */
    tsrt_accepted(
        64, 2, TSR_SHAPE(quarter, quarter),
        &(tsr_layout_options){.halo = {quarter / 4, quarter / 4}, .split = TSR_AXES(0, 1)});
    tsrt_refused(4, 2, TSR_SHAPE(quarter, quarter),
                 &(tsr_layout_options){.halo = {quarter, quarter}, .split = TSR_AXES(0, 1)},
                 TSR_ERR_OVERFLOW, "the largest block with its halos has more than");
}

/* With cuts the largest block decides, wherever it is. */
static void the_largest_of_the_blocks_counts(void **state)
{
    (void)state;
    const int64_t half = INT64_C(1) << 62;
    const int64_t even[] = {0, half - 2, 2 * (half - 2)}, uneven[] = {0, 1, 2 * (half - 2)};
    const tsr_layout_options fits = {
        .halo_hi = {0, 1}, .cuts = {even, TSR_SHAPE(0, 1)}, .ncuts = {3, 2}};
    tsrt_accepted(2, 2, TSR_SHAPE(2 * (half - 2), 1), &fits);
    tsr_layout_options too_large = fits;
    too_large.cuts[0] = uneven;
    tsrt_refused(2, 2, TSR_SHAPE(2 * (half - 2), 1), &too_large, TSR_ERR_OVERFLOW,
                 "the largest block with its halos has more than");
    const tsri_axis axis = tsri_axis_make(10, 4, TSR_SHAPE(0, 1, 7, 7, 10));
    CHECK_INT(tsri_axis_largest(&axis), 6);
}

/* A million ranks: no allocation, and every rank's block, owner and neighbours in one process. */
static void a_million_ranks(void **state)
{
    (void)state;
    const int size = 1000000;
    const tsr_layout_options options = {
        .split = TSR_AXES(0, 1, 2), .halo = {1, 1, 1}, .periodic = TSR_AXES(2)};
    const int64_t shape[] = {1234, 1001, 4999};
    tsri_geometry geometry;
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsri_geometry_init("tsr_layout_create", &geometry, size, 3, shape, &options));
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
    tsri_geometry_clear(&geometry);

    tsr_layout *layout = tsrt_layout(0, size, 3, shape, &options);
    int64_t cells = 0;
    for (int rank = 0; rank < size; ++rank) {
        int64_t start[3], extent[3];
        int owner = -1, left, right, back_left, back_right;
        CHECK_OK(tsr_layout_block(layout, rank, start, extent));
        cells += extent[0] * extent[1] * extent[2];
        CHECK_OK(tsr_layout_owner(layout, start, &owner));
        CHECK_INT(owner, rank);
        CHECK_OK(tsr_layout_neighbours(layout, rank, 2, &left, &right));
        CHECK_OK(tsr_layout_neighbours(layout, right, 2, &back_left, &back_right));
        CHECK_INT(back_left, rank);
    }
    CHECK_INT(cells, tsr_layout_cells(layout));
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
    tsrt_layout_free(layout);
}

/* Only the cuts that were given take memory; the rest of the axes take none. */
static void explicit_cuts_take_one_allocation(void **state)
{
    (void)state;
    enum { BLOCKS = 1000000 };
    static int64_t cuts[BLOCKS + 1];
    for (int k = 0; k <= BLOCKS; ++k)
        cuts[k] = 3 * (int64_t)k + (k > 0 && k < BLOCKS);
    const tsr_layout_options options = {.cuts = {NULL, cuts}, .ncuts = {0, BLOCKS + 1}};
    const tsri_counters before = tsri_counters_read();
    tsr_layout *layout = tsrt_layout(0, BLOCKS, 2, TSR_SHAPE(5, 3 * BLOCKS), &options);
    CHECK_INT(tsri_counters_read().allocations, before.allocations + 1);
    for (int rank = 0; rank < BLOCKS; rank += 997) {
        int owner = -1;
        CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(4, cuts[rank]), &owner));
        CHECK_INT(owner, rank);
    }
    tsrt_layout_free(layout);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_layouts),
        cmocka_unit_test(empty_blocks_are_jumped_over),
        cmocka_unit_test(cell_counts_beyond_32_bits),
        cmocka_unit_test(what_does_not_fit_64_bits),
        cmocka_unit_test(the_largest_of_the_blocks_counts),
        cmocka_unit_test(a_million_ranks),
        cmocka_unit_test(explicit_cuts_take_one_allocation),
    };
    return TSRT_RUN(argc, argv, tests);
}
