/* ranks: 1 2 3 */
#include "support/cells.h"

static tsr_status fill_nothing(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                               const int64_t *hi, void *ctx)
{
    (void)view, (void)axis, (void)side, (void)lo, (void)hi, (void)ctx;
    return TSR_OK;
}

static const tsr_scalar none = {.dtype = TSR_AUTO};

static int kind_of(const tsr_array *array, int axis, tsr_side side)
{
    tsr_boundary boundary = {.kind = TSR_CALLBACK};

    CHECK_OK(tsr_array_boundary(array, axis, side, &boundary));
    return (int)boundary.kind;
}

static void boundaries_are_set_by_axis_and_side(void **state)
{
    tsr_layout *layout = make_layout(3, TSR_SHAPE(8, 4, 3), &(tsr_layout_options){.periodic = 1});
    tsr_array *a = NULL;
    tsr_boundary boundary;
    int ctx;

    (void)state;
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    for (int axis = 0; axis < 3; ++axis)
        CHECK_INT(kind_of(a, axis, TSR_LOW_SIDE), TSR_LEAVE);
    CHECK_OK(tsr_array_set_boundary(a, TSR_AXES(1, 2), TSR_LOW_SIDE, TSR_REFLECT, none));
    CHECK_INT(kind_of(a, 0, TSR_LOW_SIDE), TSR_LEAVE);
    CHECK_INT(kind_of(a, 1, TSR_LOW_SIDE), TSR_REFLECT);
    CHECK_INT(kind_of(a, -1, TSR_LOW_SIDE), TSR_REFLECT);
    CHECK_INT(kind_of(a, 1, TSR_HIGH_SIDE), TSR_LEAVE);
    CHECK_OK(tsr_array_set_boundary(a, TSR_ALL_AXES, TSR_HIGH_SIDE, TSR_CONSTANT, tsr_i8(-2)));
    CHECK_OK(tsr_array_boundary(a, 0, TSR_HIGH_SIDE, &boundary));
    CHECK_INT(boundary.kind, TSR_CONSTANT);
    CHECK_INT(boundary.value.dtype, TSR_I8);
    CHECK_INT(boundary.value.as.i, -2);
    CHECK_OK(tsr_array_set_boundary_function(a, TSR_AXIS(2), TSR_BOTH_SIDES, fill_nothing, &ctx));
    CHECK_OK(tsr_array_boundary(a, 2, TSR_LOW_SIDE, &boundary));
    CHECK_INT(boundary.kind, TSR_CALLBACK);
    CHECK(boundary.callback == fill_nothing && boundary.ctx == &ctx);
    /* No axes: nothing to do. */
    CHECK_OK(tsr_array_set_boundary(a, 0, TSR_BOTH_SIDES, TSR_EDGE, none));
    CHECK_INT(kind_of(a, 1, TSR_LOW_SIDE), TSR_REFLECT);
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

static void refuse(tsr_array *a, tsr_axes axes, int sides, int kind, tsr_scalar value,
                   tsr_status status, const char *text)
{
    CHECK_STATUS(tsr_array_set_boundary(a, axes, (tsr_side)sides, (tsr_boundary_kind)kind, value),
                 status);
    CHECK_TEXT("tsr_array_set_boundary: ");
    CHECK_TEXT(text);
    for (int axis = 0; axis < tsr_array_ndim(a); ++axis) {
        CHECK_INT(kind_of(a, axis, TSR_LOW_SIDE), TSR_SYMMETRIC);
        CHECK_INT(kind_of(a, axis, TSR_HIGH_SIDE), TSR_SYMMETRIC);
    }
}

/* A refused call changes nothing. */
static void boundaries_refused(void **state)
{
    tsr_layout *layout = make_layout(2, TSR_SHAPE(8, 4), NULL);
    tsr_array *a = NULL;
    tsr_boundary boundary;

    (void)state;
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_array_set_boundary(a, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_SYMMETRIC, none));
    refuse(a, TSR_AXES(0, 2), 3, TSR_EDGE, none, TSR_ERR_AXIS,
           "axes has axis 2, but the array has 2 axes");
    refuse(a, TSR_AXIS(-1), 3, TSR_EDGE, none, TSR_ERR_AXIS, "outside 0 to 15");
    refuse(a, 1, 0, TSR_EDGE, none, TSR_ERR_VALUE, "sides is 0");
    refuse(a, 1, 4, TSR_EDGE, none, TSR_ERR_VALUE, "sides is 4");
    refuse(a, 1, 3, 77, none, TSR_ERR_VALUE, "is 77");
    refuse(a, 1, 3, -1, none, TSR_ERR_VALUE, "is -1");
    refuse(a, 1, 3, TSR_CALLBACK, none, TSR_ERR_VALUE, "tsr_array_set_boundary_function()");
    refuse(a, 1, 3, TSR_CONSTANT, none, TSR_ERR_VALUE, "without a value");
    refuse(a, TSR_ALL_AXES, 3, TSR_CONSTANT, tsr_bool(true), TSR_ERR_VALUE, "is a bool");
    refuse(NULL, 1, 3, TSR_EDGE, none, TSR_ERR_VALUE, "array is NULL");
    CHECK_STATUS(tsr_array_set_boundary_function(a, 1, TSR_LOW_SIDE, NULL, NULL), TSR_ERR_VALUE);
    CHECK_TEXT("without a function");
    CHECK_STATUS(tsr_array_boundary(a, 2, TSR_LOW_SIDE, &boundary), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_array_boundary(a, -3, TSR_LOW_SIDE, &boundary), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_array_boundary(a, 0, TSR_BOTH_SIDES, &boundary), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_boundary(NULL, 0, TSR_LOW_SIDE, &boundary), TSR_ERR_VALUE);
    CHECK_INT(boundary.kind, TSR_LEAVE);
    CHECK_STATUS(tsr_array_boundary(a, 0, TSR_LOW_SIDE, NULL), TSR_ERR_VALUE);
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

/* A bool array takes any constant, a bool one too. */
static void boundary_values_of_bool_arrays(void **state)
{
    tsr_layout *layout = make_layout(1, TSR_SHAPE(8), NULL);
    tsr_array *a = NULL;

    (void)state;
    CHECK_OK(tsr_zeros(layout, TSR_BOOL, &a));
    CHECK_OK(tsr_array_set_boundary(a, 1, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_bool(true)));
    CHECK_OK(tsr_array_set_boundary(a, 1, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_f64(0.5)));
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

/* An axis without cells has nothing to mirror; one cell is enough; a periodic axis has no wall. */
static void boundaries_of_short_axes(void **state)
{
    tsr_layout *layout = make_layout(
        3, TSR_SHAPE(0, 1, 0), &(tsr_layout_options){.split = TSR_WHOLE, .periodic = TSR_AXIS(2)});
    tsr_array *a = NULL;

    (void)state;
    CHECK_OK(tsr_zeros(layout, TSR_I8, &a));
    for (int kind = TSR_EDGE; kind <= TSR_REFLECT; ++kind) {
        CHECK_STATUS(
            tsr_array_set_boundary(a, TSR_AXIS(0), TSR_LOW_SIDE, (tsr_boundary_kind)kind, none),
            TSR_ERR_VALUE);
        CHECK_TEXT("axis 0");
        CHECK_OK(
            tsr_array_set_boundary(a, TSR_AXES(1, 2), TSR_LOW_SIDE, (tsr_boundary_kind)kind, none));
    }
    CHECK_STATUS(tsr_array_set_boundary_function(a, 1, TSR_LOW_SIDE, fill_nothing, NULL),
                 TSR_ERR_VALUE);
    CHECK_OK(tsr_array_set_boundary(a, 1, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_i64(1)));
    CHECK_OK(tsr_array_set_boundary(a, 1, TSR_BOTH_SIDES, TSR_LEAVE, none));
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundaries_are_set_by_axis_and_side),
        cmocka_unit_test(boundaries_refused),
        cmocka_unit_test(boundary_values_of_bool_arrays),
        cmocka_unit_test(boundaries_of_short_axes),
    };
    return TSRT_RUN(argc, argv, tests);
}
