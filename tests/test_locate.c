/* ranks: 1 3 4 */
/* Positions to cells and owners: the ends of the domain to the last bit, in both types, wherever
 * the domain begins; and what is outside. */
#include "support/harness.h"

#include <math.h>

static tsr_layout *box(int ndim, const int64_t *shape, tsr_axes periodic)
{
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, ndim, shape,
        &(tsr_layout_options){.split = TSR_AXIS(0), .periodic = periodic, .allow_empty = true},
        &layout));
    return layout;
}

/* One position on one axis: its cell; the position is written back as the type has it. */
typedef struct line {
    tsr_layout *layout;
    tsr_dtype dtype;
    double origin, spacing;
} line;

static int64_t locate(const line *l, tsr_outside outside, double *x, int64_t *left)
{
    float x32 = (float)*x;
    double x64 = *x;
    const tsr_positions p = {.dtype = l->dtype,
                             .data = l->dtype == TSR_F32 ? (void *)&x32 : (void *)&x64,
                             .origin = &l->origin,
                             .spacing = &l->spacing};
    int64_t cell = 0;
    int owner = -7, expected = TSR_NO_RANK;
    CHECK_OK(tsr_layout_locate(l->layout, 1, &p, outside, &cell, &owner, left));
    *x = l->dtype == TSR_F32 ? (double)x32 : x64;
    CHECK_INT(*left, cell == TSR_NO_CELL);
    if (*left == 0) CHECK_OK(tsr_layout_owner(l->layout, &cell, &expected));
    CHECK_INT(owner, expected);
    return cell;
}

static double step(tsr_dtype dtype, double x, double towards)
{
    return dtype == TSR_F32 ? (double)nextafterf((float)x, (float)towards) : nextafter(x, towards);
}

/* Ends, their neighbours, and numbers that differ from an end by less than a bit of it. */
static void check_ends(const line *l, int64_t n)
{
    const double lo = l->origin, length = (double)n * l->spacing, hi = lo + length;
    const double tries[] = {lo,
                            step(l->dtype, lo, -INFINITY),
                            step(l->dtype, lo, INFINITY),
                            hi,
                            step(l->dtype, hi, -INFINITY),
                            step(l->dtype, hi, INFINITY),
                            lo - 1e-20,
                            hi - 1e-20,
                            lo - length,
                            hi + length,
                            lo - 7.25 * length,
                            hi + 1e6 * length,
                            -1e300,
                            1e30};
    for (size_t k = 0; k < sizeof tries / sizeof *tries; ++k) {
        const double given = l->dtype == TSR_F32 ? (double)(float)tries[k] : tries[k];
        const bool inside = given >= lo && given < hi;
        int64_t left = 0;
        double x = given;
        const int64_t cell = locate(l, TSR_WRAP, &x, &left);
        if (isinf(given)) {
            CHECK_INT(left, 1);
            continue;
        }
        CHECK(left == 0 && x >= lo && x < hi && cell >= 0 && cell < n);
        if (inside) CHECK_DOUBLE(x, given, 0);

        double again = x;
        CHECK_INT(locate(l, TSR_STRICT, &again, &left), cell);
        CHECK_DOUBLE(again, x, 0);
        x = given;
        CHECK_INT(locate(l, TSR_CLIP, &x, &left), inside ? cell : given < lo ? 0 : n - 1);
        CHECK_DOUBLE(x, given, 0);
        CHECK_INT(locate(l, TSR_STRICT, &x, &left), inside ? cell : TSR_NO_CELL);
        CHECK_DOUBLE(x, given, 0);
    }
}

static void ends_are_strict(void **state)
{
    static const double origins[] = {0, 1, -0.3, 0.1, 1000, -12345.678};
    static const double spacings[] = {1, 0.1, 1.0 / 3, 1e-3, 17.3};
    static const int64_t lengths[] = {1, 3, 7, 64};
    (void)state;
    for (int n = 0; n < 4; ++n) {
        tsr_layout *layout = box(1, &lengths[n], TSR_AXIS(0));
        for (int o = 0; o < 6; ++o)
            for (int s = 0; s < 5; ++s)
                for (int type = 0; type < 2; ++type) {
                    const line l = {layout, type ? TSR_F32 : TSR_F64, origins[o], spacings[s]};
                    check_ends(&l, lengths[n]);
                }
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* Cell 1e-20 below the low end of a box that begins at 0 would be 1 when rounded. */
static void a_hair_below_zero(void **state)
{
    (void)state;
    tsr_layout *layout = box(1, TSR_SHAPE(10), TSR_AXIS(0));
    for (int type = 0; type < 2; ++type) {
        const line l = {layout, type ? TSR_F32 : TSR_F64, 0, 0.1};
        double x = -1e-20;
        int64_t left = 0;
        CHECK_INT(locate(&l, TSR_WRAP, &x, &left), 0);
        CHECK_DOUBLE(x, 0, 0);
        x = -0.05;
        CHECK_INT(locate(&l, TSR_WRAP, &x, &left), 9);
        CHECK_DOUBLE(x, 0.95, 1e-6);
    }
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Walls, NaN and infinities: counted, marked, and left as they were. */
static void what_left_is_counted(void **state)
{
    (void)state;
    tsr_layout *layout = box(2, TSR_SHAPE(8, 6), TSR_AXIS(0));
    double x[][3] = {{1, 2, -1},   {-1, 2, -1},       {-1, 6, -1}, {3, -0.5, -1},
                     {NAN, 2, -1}, {2, INFINITY, -1}, {9, 5, -1},  {INFINITY, 1, -1}};
    double was[8][3];
    memcpy(was, x, sizeof x);
    const tsr_positions p = {.dtype = TSR_F64, .data = x, .stride = 3};
    int64_t cells[8][2], left = 0;
    int owner[8];

    CHECK_OK(tsr_layout_locate(layout, 8, &p, TSR_WRAP, &cells[0][0], owner, &left));
    CHECK_INT(left, 5);
    static const int64_t expected[8][2] = {{1, 2},
                                           {7, 2},
                                           {TSR_NO_CELL, TSR_NO_CELL},
                                           {TSR_NO_CELL, TSR_NO_CELL},
                                           {TSR_NO_CELL, TSR_NO_CELL},
                                           {TSR_NO_CELL, TSR_NO_CELL},
                                           {1, 5},
                                           {TSR_NO_CELL, TSR_NO_CELL}};
    was[1][0] = 7;
    was[6][0] = 1;
    CHECK(memcmp(was, x, sizeof x) == 0);
    CHECK(memcmp(cells, expected, sizeof cells) == 0);
    for (int i = 0; i < 8; ++i)
        CHECK((owner[i] == TSR_NO_RANK) == (cells[i][0] == TSR_NO_CELL));
    CHECK_OK(tsr_layout_locate(layout, 8, &p, TSR_CLIP, NULL, NULL, &left));
    CHECK_INT(left, 1); /* NaN has no nearest cell */
    CHECK_OK(tsr_layout_locate(layout, 8, &p, TSR_STRICT, NULL, owner, NULL));
    int64_t n = 8;
    int64_t *id = calloc(8, sizeof *id);
    CHECK_STATUS(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(id, sizeof *id)), TSR_ERR_VALUE);
    CHECK_TEXT("owner[2] is -1");
    free(id);
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void axes_of_no_length(void **state)
{
    (void)state;
    float x = 0;
    int owner = 5;
    int64_t left = 0;
    const tsr_positions p = {.dtype = TSR_F32, .data = &x};
    tsr_layout *none = box(1, TSR_SHAPE(0), TSR_AXIS(0));
    for (int mode = TSR_STRICT; mode <= TSR_WRAP; ++mode) {
        CHECK_OK(tsr_layout_locate(none, 1, &p, (tsr_outside)mode, NULL, &owner, &left));
        CHECK(left == 1 && owner == TSR_NO_RANK);
    }
    CHECK_OK(tsr_layout_destroy(&none));

    tsr_layout *point = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 0, NULL, NULL, &point));
    CHECK_OK(tsr_layout_locate(point, 1, &(tsr_positions){.dtype = TSR_F64}, TSR_WRAP, NULL, &owner,
                               &left));
    CHECK(left == 0 && owner == 0);
    CHECK_OK(tsr_layout_destroy(&point));
}

static void arguments_are_checked(void **state)
{
    (void)state;
    tsr_layout *layout = box(2, TSR_SHAPE(8, 6), 0);
    double x[4] = {1, 2, 3, 4}, zero[2] = {0, 0}, bad[2] = {0, NAN}, far[2] = {1e20, 0};
    const tsr_positions good = {.dtype = TSR_F64, .data = x};
    tsr_positions p = good;
#define REFUSED(status, text, layout, count, positions, mode)                                      \
    CHECK_STATUS(                                                                                  \
        tsr_layout_locate(layout, count, positions, (tsr_outside)(mode), NULL, NULL, NULL),        \
        status);                                                                                   \
    CHECK_TEXT(text)
    REFUSED(TSR_ERR_VALUE, "layout is NULL", NULL, 2, &good, TSR_WRAP);
    REFUSED(TSR_ERR_VALUE, "count is -1", layout, -1, &good, TSR_WRAP);
    REFUSED(TSR_ERR_VALUE, "positions is NULL", layout, 2, NULL, TSR_WRAP);
    REFUSED(TSR_ERR_VALUE, "outside is 9", layout, 2, &good, 9);
    p.dtype = TSR_I32;
    REFUSED(TSR_ERR_TYPE, "positions are of type int32", layout, 2, &p, TSR_WRAP);
    p = good;
    p.data = NULL;
    REFUSED(TSR_ERR_VALUE, "positions.data is NULL", layout, 2, &p, TSR_WRAP);
    p = good;
    p.stride = 1;
    REFUSED(TSR_ERR_VALUE, "positions.stride is 1", layout, 2, &p, TSR_WRAP);
    p = good;
    p.spacing = zero;
    REFUSED(TSR_ERR_VALUE, "spacing[0] is 0, must be finite and > 0", layout, 2, &p, TSR_WRAP);
    p = good;
    p.origin = bad;
    REFUSED(TSR_ERR_VALUE, "origin[1] is nan", layout, 2, &p, TSR_WRAP);
    p.origin = far;
    REFUSED(TSR_ERR_VALUE, "has no position of the type float64", layout, 2, &p, TSR_WRAP);
#undef REFUSED
    CHECK(x[0] == 1 && x[3] == 4);
    CHECK_OK(tsr_layout_locate(layout, 0, &(tsr_positions){.dtype = TSR_F64}, TSR_WRAP, NULL, NULL,
                               NULL));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_strict),       cmocka_unit_test(a_hair_below_zero),
        cmocka_unit_test(what_left_is_counted),  cmocka_unit_test(axes_of_no_length),
        cmocka_unit_test(arguments_are_checked),
    };
    return TSRT_RUN(argc, argv, tests);
}
