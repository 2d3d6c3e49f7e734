/* ranks: 2 3 */
/* variants: none */
/* timeout: 60 */
/* An argument of a call that makes or moves arrays is wrong on one rank only: every rank gets the
 * same error, no handle, and nobody is left waiting. */
#include "support/data_in.h"
#include "support/one_rank_wrong.h"

/* ---- layouts and creation -------------------------------------------------------------------- */

static const double weights[60];
static double cells[1000];

static void layouts(void **state)
{
    (void)state;
    const tsr_layout_options sound = {.halo = {1}}, bad = {.halo = {-1}}, other = {.halo = {2}};
    const double negative[60] = {-1};

    FAILS(tsr_layout_create(TSR_COMM_WORLD, W(-1, 2), TSR_SHAPE(6, 5), NULL, &o.layout));
    FAILS(tsr_layout_create(TSR_COMM_WORLD, W(17, 2), TSR_SHAPE(6, 5), NULL, &o.layout));
    FAILS(tsr_layout_create(TSR_COMM_WORLD, 2, W(NULL, TSR_SHAPE(6, 5)), NULL, &o.layout));
    FAILS(tsr_layout_create(TSR_COMM_WORLD, 2, W(TSR_SHAPE(6, -5), TSR_SHAPE(6, 5)), NULL,
                            &o.layout));
    FAILS(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 5), W(&bad, &sound), &o.layout));
    FAILS(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 5), W(&other, &sound), &o.layout));
    FAILS(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 5), NULL, W(NULL, &o.layout)));
    FAILS(tsr_layout_create_aligned(s.layout, W(1, 2), TSR_SHAPE(7, 5), NULL, &o.layout));
    FAILS(tsr_layout_create_aligned(s.layout, 2, W(NULL, TSR_SHAPE(7, 5)), NULL, &o.layout));
    FAILS(tsr_layout_create_aligned(s.layout, 2, TSR_SHAPE(7, 5), NULL, W(NULL, &o.layout)));
    FAILS(tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5), W(NULL, weights), NULL,
                                     &o.layout));
    FAILS(tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5), W(negative, weights),
                                     NULL, &o.layout));
    FAILS(tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5), weights, NULL,
                                     W(NULL, &o.layout)));
    FAILS(tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5),
                                     W(NULL, ((const tsr_profile[]){{12, weights}, {0, NULL}})),
                                     NULL, &o.layout));
    FAILS(tsr_layout_create_balanced(s.array, W(&bad, NULL), &o.layout));
    FAILS(tsr_layout_create_balanced(s.array, NULL, W(NULL, &o.layout)));
}

static tsr_status refuses(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)index, (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = 0;
    return wrong ? TSR_ERR_VALUE : TSR_OK;
}

static void creation(void **state)
{
    (void)state;
    const tsr_dtype none = (tsr_dtype)99;
    const int64_t *const extent = tsr_local(s.array).extent;
    const int64_t longer[] = {extent[0] + 1, extent[1]};

    FAILS(tsr_empty(s.layout, W(none, TSR_F64), &o.array));
    FAILS(tsr_zeros(s.layout, W(TSR_F32, TSR_F64), &o.array));
    FAILS(tsr_ones(s.layout, TSR_F64, W(NULL, &o.array)));
    FAILS(tsr_full(s.layout, TSR_AUTO, W(((tsr_scalar){.dtype = none}), tsr_f64(1)), &o.array));
    FAILS(tsr_full(s.layout, TSR_F64, tsr_f64(wrong), &o.array));
    FAILS(tsr_empty_like(s.array, W(NULL, &o.array)));
    FAILS(tsr_full_like(s.array, W(((tsr_scalar){.dtype = none}), tsr_f64(1)), &o.array));
    FAILS(tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(!wrong), TSR_AUTO, NULL,
                     &o.array));
    FAILS(tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO, NULL,
                     W(NULL, &o.array)));
    FAILS(tsr_linspace(TSR_COMM_WORLD, tsr_f64(0), tsr_f64(1), W(-1, 9), true, TSR_AUTO, NULL,
                       &o.array));
    FAILS(
        tsr_linspace(TSR_COMM_WORLD, tsr_f64(0), tsr_f64(1), 9, !wrong, TSR_AUTO, NULL, &o.array));
    FAILS(tsr_fromfunction(s.layout, TSR_F64, W(NULL, refuses), NULL, &o.array));
    FAILS(tsr_fromfunction(s.layout, TSR_F64, refuses, NULL, W(NULL, &o.array)));
    FAILS(tsr_from_global(s.layout, TSR_F64, W(NULL, cells), NULL, &o.array));
    FAILS(tsr_from_global(s.layout, TSR_F64, cells, NULL, W(NULL, &o.array)));
    FAILS(tsr_adopt(s.layout, TSR_F64, W(NULL, cells), sizeof cells, &o.array));
    FAILS(tsr_adopt(s.layout, TSR_F64, cells, W(8, sizeof cells), &o.array));
    FAILS(tsr_adopt(s.layout, TSR_F64, cells, sizeof cells, W(NULL, &o.array)));
    FAILS(tsr_copy(s.array, W(NULL, &o.array)));
    FAILS(tsr_astype(s.array, W(none, TSR_F32), &o.array));
    FAILS(tsr_scatter(s.layout, TSR_F64, W(-1, 0), cells, NULL, &o.array));
    FAILS(tsr_scatter(s.layout, W(none, TSR_F64), 0, cells, NULL, &o.array));
    FAILS(tsr_scatter(s.layout, TSR_F64, 0, cells, NULL, W(NULL, &o.array)));
    FAILS(tsr_from_local(s.layout, TSR_F64, W(NULL, cells), extent, NULL, &o.array));
    FAILS(tsr_from_local(s.layout, TSR_F64, cells, W(NULL, extent), NULL, &o.array));
    FAILS(tsr_from_local(s.layout, TSR_F64, cells, W(longer, extent), NULL, &o.array));
    FAILS(tsr_from_local(s.layout, TSR_F64, cells, extent, NULL, W(NULL, &o.array)));
    FAILS(tsr_from_pieces(TSR_COMM_WORLD, 2, W(NULL, TSR_SHAPE(1, 5)), 0, TSR_F64, cells, NULL,
                          NULL, &o.array));
    FAILS(tsr_from_pieces(TSR_COMM_WORLD, W(1, 2), TSR_SHAPE(1, 5), 0, TSR_F64, cells, NULL, NULL,
                          &o.array));
    FAILS(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(1, W(4, 5)), 0, TSR_F64, cells, NULL, NULL,
                          &o.array));
    FAILS(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(1, 5), W(2, 0), TSR_F64, cells, NULL, NULL,
                          &o.array));
    FAILS(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(1, 5), 0, TSR_F64, W(NULL, cells), NULL,
                          NULL, &o.array));
    FAILS(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(1, 5), 0, TSR_F64, cells, NULL, NULL,
                          W(NULL, &o.array)));
}

/* ---- movement -------------------------------------------------------------------------------- */

static void halos(void **state)
{
    (void)state;
    tsr_array *const both[] = {s.array, s.second}, *const twice[] = {s.array, s.array};
    tsr_array *const without[] = {s.array, NULL};
    const tsr_halo_options wide = {.width_lo = {3}}, narrow = {.width_lo = {1}};
    const tsr_boundary null_callback[4] = {
        {.kind = TSR_LEAVE}, {.kind = TSR_LEAVE}, {.kind = TSR_CALLBACK}};
    const tsr_halo_options calls = {.boundary = null_callback};

    FAILS(tsr_halo_update(s.array, W(&wide, NULL)));
    FAILS(tsr_halo_update(s.array, W(&narrow, NULL)));
    FAILS(tsr_halo_update(s.array, W(&calls, NULL)));
    FAILS(tsr_halo_update(s.array, &(tsr_halo_options){.axes = W(TSR_AXES(2), TSR_AXES(0))}));
    FAILS(tsr_halo_accumulate(s.array, W(&wide, NULL)));
    FAILS(tsr_halo_update_many(2, W(without, both), NULL));
    FAILS(tsr_halo_update_many(2, W(twice, both), NULL));
    FAILS(tsr_halo_update_many(W(1, 2), both, NULL));
    FAILS(tsr_halo_accumulate_many(2, W(without, both), NULL));
    FAILS(tsr_halo_start(1, both, NULL, W(NULL, &o.pending)));
    FAILS(tsr_halo_start(2, W(without, both), NULL, &o.pending));
    FAILS(tsr_halo_accumulate_start(1, both, W(&wide, NULL), &o.pending));
}

static void rearranging(void **state)
{
    (void)state;
    tsr_layout *line = tsr_array_layout(s.thirty);
    tsr_array *const both[] = {s.array, s.second}, *const without[] = {s.array, NULL};
    const int back[] = {1, 0}, same[] = {0, 0};
    const tsr_layout_options bad = {.halo = {-5}}, columns = {.split = 2};

    FAILS(tsr_redistribute(s.array, W(NULL, s.columns), &o.array));
    FAILS(tsr_redistribute(s.array, W(line, s.columns), &o.array));
    FAILS(tsr_redistribute(s.array, W(s.layout, s.columns), &o.array));
    FAILS(tsr_redistribute(s.array, s.columns, W(NULL, &o.array)));
    FAILS(tsr_redistribute_into(s.array, W(NULL, s.array)));
    FAILS(tsr_redistribute_into(s.array, W(s.second, s.array)));
    FAILS(tsr_redistribute_into(s.array, W(s.thirty, s.array)));
    FAILS(tsr_array_with(s.array, W(&bad, &columns), &o.array));
    FAILS(tsr_array_with(s.array, W(NULL, &columns), &o.array));
    FAILS(tsr_array_with(s.array, &columns, W(NULL, &o.array)));
    FAILS(tsr_transpose(s.array, W(same, back), NULL, &o.array));
    FAILS(tsr_transpose(s.array, NULL, W(line, NULL), &o.array));
    FAILS(tsr_transpose(s.array, NULL, NULL, W(NULL, &o.array)));
    FAILS(tsr_roll(s.array, W(NULL, TSR_SHAPE(1, 2)), &o.array));
    FAILS(tsr_roll(s.array, TSR_SHAPE(W(2, 1), 2), &o.array));
    FAILS(tsr_roll(s.array, TSR_SHAPE(1, 2), W(NULL, &o.array)));
    FAILS(tsr_pad(s.array, W(TSR_SHAPE(-1, 2), TSR_SHAPE(1, 2)), NULL, TSR_PAD_WRAP, tsr_i64(0),
                  &o.array));
    FAILS(tsr_pad(s.array, TSR_SHAPE(1, 2), NULL, W((tsr_pad_mode)9, TSR_PAD_WRAP), tsr_i64(0),
                  &o.array));
    FAILS(tsr_pad(s.array, TSR_SHAPE(1, 2), NULL, TSR_PAD_WRAP, tsr_i64(0), W(NULL, &o.array)));
    FAILS(tsr_concatenate(2, W(without, both), 0, &o.array));
    FAILS(tsr_concatenate(W(1, 2), both, 0, &o.array));
    FAILS(tsr_concatenate(2, both, W(2, 0), &o.array));
    FAILS(tsr_concatenate(2, both, 0, W(NULL, &o.array)));
    FAILS(tsr_stack(2, W(without, both), 0, &o.array));
    FAILS(tsr_stack(2, both, W(-4, 0), &o.array));
    FAILS(tsr_rebalance(s.array, W(NULL, s.array), &o.array));
    FAILS(tsr_rebalance(s.array, W(s.thirty, s.array), &o.array));
    FAILS(tsr_rebalance(s.array, s.array, W(NULL, &o.array)));
}

/* The same but for where it is: on a communicator of the same processes in another order. */
static void another_communicator(void **state)
{
    (void)state;
    tsr_comm comm = reversed_ranks();
    const tsr_layout *like = tsr_array_layout(s.array);
    tsr_layout *here = NULL, *there = NULL;
    tsr_array *a = NULL, *b = NULL, *masks[2] = {NULL, NULL};
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(tsr_layout_create(k == 0 ? TSR_COMM_WORLD : comm, tsr_layout_ndim(like),
                                   tsr_layout_shape(like), NULL, k == 0 ? &here : &there));
        CHECK_OK(tsr_ones(k == 0 ? here : there, tsr_array_dtype(s.array), k == 0 ? &a : &b));
        CHECK_OK(tsr_ones(k == 0 ? here : there, TSR_BOOL, &masks[k]));
    }
    FAILS(tsr_redistribute(s.array, W(there, here), &o.array));
    FAILS(tsr_redistribute_into(s.array, W(b, a)));
    FAILS(tsr_transpose(s.array, (const int[]){0, 1}, W(there, here), &o.array));
    FAILS(tsr_assign(s.array, "...", W(b, a)));
    FAILS(tsr_assign_mask(s.array, W(masks[1], masks[0]), 1));
    FAILS(tsr_select_mask(s.array, W(masks[1], masks[0]), &o.array));
    FAILS(tsr_array_equal(s.array, W(b, a), false, &o.truth));
    FAILS(tsr_rebalance(s.array, W(b, a), &o.array));
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(tsr_array_destroy(&masks[k]));
        CHECK_OK(tsr_array_destroy(k == 0 ? &a : &b));
        CHECK_OK(tsr_layout_destroy(k == 0 ? &here : &there));
    }
    free_ranks(&comm);
}

static void rows(void **state)
{
    (void)state;
    int owner[] = {0, 0}, nobody[] = {-3, 0};
    int64_t n = 2, *id = calloc(2, sizeof *id), *none = NULL;
    const tsr_rows sound = TSR_ROWS(id, sizeof *id), empty = TSR_ROWS(none, sizeof *none);
    const tsr_rows narrow = TSR_ROWS(id, 4), at_null = {.data = NULL, .bytes = 8};

    CHECK(id != NULL);
    FAILS(tsr_migratev(TSR_COMM_WORLD, W(NULL, &n), owner, 1, &sound));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, W(NULL, owner), 1, &sound));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, W(nobody, owner), 1, &sound));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, owner, W(0, 1), &sound));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, owner, 1, W(NULL, &sound)));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, owner, 1, W(&empty, &sound)));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, owner, 1, W(&narrow, &sound)));
    FAILS(tsr_migratev(TSR_COMM_WORLD, &n, owner, 1, W(&at_null, &sound)));
    CHECK_INT(n, 2);
    free(id);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void selection(void **state)
{
    (void)state;
    double buffer[30];
    const int64_t far[] = {5, 0, 99, 2}, near[] = {5, 0, -1, 2};
    const tsr_index one = TSR_INT(1);

    FAILS(tsr_gather(s.array, W(-7, 0), buffer));
    FAILS(tsr_gather(s.array, W(1, 0), buffer));
    FAILS(tsr_gather(s.array, TSR_ALL_RANKS, W(NULL, buffer)));
    FAILS(tsr_gather_part(s.array, W(NULL, ":, 2"), 0, buffer));
    FAILS(tsr_gather_part(s.array, W(":, 9", ":, 2"), 0, buffer));
    FAILS(tsr_gather_part(s.array, W(":, 3", ":, 2"), 0, buffer));
    FAILS(tsr_gather_part(s.array, ":, 2", W(-9, 0), buffer));
    FAILS(tsr_get(s.array, W(NULL, TSR_SHAPE(1, 2)), &o.value));
    FAILS(tsr_get(s.array, TSR_SHAPE(W(9, 1), 2), &o.value));
    FAILS(tsr_get(s.array, TSR_SHAPE(1, 2), W(NULL, &o.value)));
    FAILS(tsr_select(s.array, W(NULL, "1:"), &o.array));
    FAILS(tsr_select(s.array, W("::0", "1:"), &o.array));
    FAILS(tsr_select(s.array, W("2:", "1:"), &o.array));
    FAILS(tsr_select(s.array, "1:", W(NULL, &o.array)));
    FAILS(tsr_select_index(s.array, 1, W(NULL, &one), &o.array));
    FAILS(tsr_select_index(s.array, W(-1, 1), &one, &o.array));
    FAILS(tsr_select_list(s.array, W(2, 0), 4, near, &o.array));
    FAILS(tsr_select_list(s.array, 0, W(-4, 4), near, &o.array));
    FAILS(tsr_select_list(s.array, 0, W(3, 4), near, &o.array));
    FAILS(tsr_select_list(s.array, 0, 4, W(far, near), &o.array));
    FAILS(tsr_select_list(s.array, 0, 4, W(NULL, near), &o.array));
    FAILS(tsr_select_list(s.array, 0, 4, near, W(NULL, &o.array)));
    FAILS(tsr_select_points(s.array, 2, W(far, near), &o.array));
    FAILS(tsr_select_points(s.array, 2, W(NULL, near), &o.array));
    FAILS(tsr_select_points(s.array, 2, near, W(NULL, &o.array)));
    FAILS(tsr_select_mask(s.array, W(NULL, s.mask), &o.array));
    FAILS(tsr_select_mask(s.array, W(s.second, s.mask), &o.array));
    FAILS(tsr_select_mask(s.array, s.mask, W(NULL, &o.array)));
}

/* Of values that move: assigning a number communicates nothing (D-30). */
static void assignment(void **state)
{
    (void)state;
    const int64_t far[] = {4, 0, 9, 1}, near[] = {4, 0, 1, 1};
    const tsr_arg twos = TSR_ARG(s.twos), missing = tsr_arg_array("value", NULL);
    const tsr_arg thirty = TSR_ARG(s.thirty);

    FAILS(tsr_assignv(s.array, W(NULL, "::-1, 1:"), twos));
    FAILS(tsr_assignv(s.array, W("::-1, 9", "::-1, 1:"), twos));
    FAILS(tsr_assignv(s.array, "::-1, 1:", W(missing, twos)));
    FAILS(tsr_assignv(s.array, "::-1, 1:", W(thirty, twos)));
    FAILS(tsr_assign_listv(s.second, W(2, 1), 4, near, twos));
    FAILS(tsr_assign_listv(s.second, 1, W(-1, 4), near, twos));
    FAILS(tsr_assign_listv(s.second, 1, 4, W(far, near), twos));
    FAILS(tsr_assign_listv(s.second, 1, 4, W(NULL, near), twos));
    FAILS(tsr_assign_listv(s.second, 1, 4, near, W(missing, twos)));
    FAILS(tsr_assign_pointsv(s.second, 4, W(NULL, TSR_SHAPE(0, 0, 1, 1, 2, 2, 3, 3)), twos));
    FAILS(tsr_assign_maskv(s.second, W(NULL, s.mask), thirty));
    FAILS(tsr_assign_maskv(s.second, W(s.array, s.mask), thirty));
    FAILS(tsr_assign_maskv(s.second, s.mask, W(missing, thirty)));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        STAGED(layouts), STAGED(creation),  STAGED(halos),      STAGED(rearranging),
        STAGED(rows),    STAGED(selection), STAGED(assignment), STAGED(another_communicator)};
    return TSRT_RUN(argc, argv, tests);
}
