/* ranks: 1 2 3 */
#define _POSIX_C_SOURCE 200809L
#include "support/cells.h"

#include <math.h>

static tsr_layout *haloed_layout(void)
{
    return make_layout(2, TSR_SHAPE(7, 5),
                       &(tsr_layout_options){.halo_lo = {2, 0}, .halo_hi = {1, 3}});
}

/* New cells are NaN in both parts, or bytes 0xA5. */
static void empty_is_poisoned(void **state)
{
    tsr_layout *layout = haloed_layout();

    (void)state;
    for (int t = TSR_AUTO + 1; t < TSR_DTYPE_END; ++t) {
        tsr_array *array = NULL;
        int64_t local[TSR_MAX_NDIM];
        CHECK_OK(tsr_empty(layout, (tsr_dtype)t, &array));
        const tsr_view view = tsr_local(array);
        CHECK(stored_cells(&view) > 0);
        for (int64_t k = 0; k < stored_cells(&view); ++k) {
            double parts[2];
            stored_cell(&view, k, local);
            const unsigned char *byte = cell_at(&view, local);
            if (t < TSR_F32) {
                for (size_t i = 0; i < tsr_dtype_size((tsr_dtype)t); ++i)
                    CHECK_INT(byte[i], 0xa5);
                continue;
            }
            cell_parts(&view, local, parts);
            CHECK(isnan(parts[0]) && (t < TSR_C64 || isnan(parts[1])));
        }
        tsr_array_destroy(&array);
    }
    tsr_layout_destroy(&layout);
}

static tsr_status write_ones(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)index, (void)ctx;
    for (int64_t k = 0; k < count; ++k)
        ((double *)values)[k] = 1;
    return TSR_OK;
}

/* Whatever has values leaves no poison, in halo cells neither. */
static void the_others_leave_none(void **state)
{
    tsr_layout *layout = haloed_layout();
    tsr_array *a = NULL, *b = NULL;
    const double one = 1;

    (void)state;
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    check_all_cells(a, 0, 0);
    tsr_array_destroy(&a);
    CHECK_OK(tsr_fromfunction(layout, TSR_F64, write_ones, NULL, &a));
    check_all_cells(a, 1, 0);
    CHECK_OK(tsr_copy(a, &b));
    check_all_cells(b, 1, 0);
    tsr_array_destroy(&b);
    CHECK_OK(tsr_astype(a, TSR_C128, &b));
    check_all_cells(b, 1, 0);
    tsr_array_destroy(&a);
    tsr_array_destroy(&b);
    CHECK_OK(tsr_from_global(layout, TSR_F64, &one, TSR_SHAPE(0, 0), &a));
    check_all_cells(a, 1, 0);
    tsr_array_destroy(&a);
    CHECK_OK(tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_BOOL,
                        &(tsr_layout_options){.halo = {3}}, &a));
    tsr_array_destroy(&a);
    CHECK_OK(tsr_linspace(TSR_COMM_WORLD, tsr_f64(1), tsr_f64(1), 9, true, TSR_AUTO,
                          &(tsr_layout_options){.halo = {3}}, &a));
    check_all_cells(a, 1, 0);
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_is_poisoned),
        cmocka_unit_test(the_others_leave_none),
    };

    setenv("TESSERA_POISON", "1", 1);
    return TSRT_RUN(argc, argv, tests);
}
