/* The boundaries of an array: what is allowed, kept and asked for. */
#include "array/array.h"
#include "kern/kern.h"

/* ---- what is allowed ------------------------------------------------------------------------- */

static const char *const kind_name[] = {"TSR_LEAVE",     "TSR_CONSTANT", "TSR_EDGE",
                                        "TSR_SYMMETRIC", "TSR_REFLECT",  "TSR_CALLBACK"};

tsr_status tsri_boundary_check(const char *call, const tsr_boundary *boundary, int axis,
                               int64_t length, tsr_dtype dtype)
{
    const tsr_boundary_kind kind = boundary->kind;
    const tsr_dtype given = boundary->value.dtype;

    if ((unsigned)kind > TSR_CALLBACK)
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "boundary kind of axis %d is %d, must be TSR_LEAVE to TSR_CALLBACK",
                            axis, (int)kind);
    if (kind == TSR_CALLBACK && boundary->callback == NULL)
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "boundary of axis %d is TSR_CALLBACK without a function, must have one",
                            axis);
    if (kind == TSR_CONSTANT && !tsri_dtype_valid(given))
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "boundary of axis %d is TSR_CONSTANT without a value, must have one",
                            axis);
    if (kind == TSR_CONSTANT && given == TSR_BOOL && dtype != TSR_BOOL)
        return TSRI_FAIL_IN(
            call, TSR_ERR_VALUE,
            "boundary value of axis %d is a bool, must be a number: the array holds %s", axis,
            tsr_dtype_name(dtype));
    if (length == 0 && kind != TSR_LEAVE && kind != TSR_CONSTANT)
        return TSRI_FAIL_IN(
            call, TSR_ERR_VALUE,
            "boundary of axis %d is %s, but the axis has no cells: must be TSR_LEAVE "
            "or TSR_CONSTANT",
            axis, kind_name[kind]);
    return TSR_OK;
}

/* ---- setting --------------------------------------------------------------------------------- */

static tsr_status set_boundary(tsr_array *array, tsr_axes axes, tsr_side sides,
                               const tsr_boundary *boundary, const char *call)
{
    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    const tsri_geometry *g = &array->layout->geometry;
    if (array->storage->pending != 0)
        return TSRI_FAIL_IN(call, TSR_ERR_STATE,
                            "an exchange of the array is pending; finish it first");
    const tsr_status known = tsri_axes_check(call, TSR_ERR_AXIS, "axes", "array", g->ndim, &axes);
    if (known != TSR_OK) return known;
    if (sides < TSR_LOW_SIDE || sides > TSR_BOTH_SIDES)
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "sides is %d, must be TSR_LOW_SIDE, TSR_HIGH_SIDE or TSR_BOTH_SIDES",
                            (int)sides);
    for (int a = 0; a < g->ndim; ++a) {
        /* A periodic axis has no wall, so any length will do. */
        const int64_t length = g->periodic >> a & 1u ? 1 : g->shape[a];
        if ((axes >> a & 1u) == 0) continue;
        const tsr_status st = tsri_boundary_check(call, boundary, a, length, array->dtype);
        if (st != TSR_OK) return st;
    }
    for (int a = 0; a < g->ndim; ++a) {
        if ((axes >> a & 1u) == 0) continue;
        if (sides & TSR_LOW_SIDE) array->boundary[a][0] = *boundary;
        if (sides & TSR_HIGH_SIDE) array->boundary[a][1] = *boundary;
    }
    return TSR_OK;
}

tsr_status tsr_array_set_boundary(tsr_array *array, tsr_axes axes, tsr_side sides,
                                  tsr_boundary_kind kind, tsr_scalar value)
{
    tsr_boundary boundary = {.kind = kind};

    if (kind == TSR_CALLBACK)
        return TSRI_FAIL(TSR_ERR_VALUE, "kind is TSR_CALLBACK, which "
                                        "tsr_array_set_boundary_function() sets");
    if (kind == TSR_CONSTANT) boundary.value = value;
    return set_boundary(array, axes, sides, &boundary, __func__);
}

tsr_status tsr_array_set_boundary_function(tsr_array *array, tsr_axes axes, tsr_side sides,
                                           tsr_boundary_function function, void *ctx)
{
    const tsr_boundary boundary = {.kind = TSR_CALLBACK, .callback = function, .ctx = ctx};

    return set_boundary(array, axes, sides, &boundary, __func__);
}

tsr_status tsr_array_boundary(const tsr_array *array, int axis, tsr_side side,
                              tsr_boundary *boundary)
{
    tsr_status st = TSR_OK;

    if (boundary != NULL) *boundary = (tsr_boundary){.kind = TSR_LEAVE};
    TSRI_CHECK(fail, array != NULL && boundary != NULL, TSR_ERR_VALUE, "%s is NULL",
               array == NULL ? "array" : "boundary");
    TSRI_CHECK(fail, side == TSR_LOW_SIDE || side == TSR_HIGH_SIDE, TSR_ERR_VALUE,
               "side is %d, must be TSR_LOW_SIDE or TSR_HIGH_SIDE", (int)side);
    TSRI_TRY(fail,
             tsri_axis_check(__func__, TSR_ERR_AXIS, "array", array->layout->geometry.ndim, &axis));
    *boundary = array->boundary[axis][side == TSR_HIGH_SIDE];
fail:
    return st;
}
