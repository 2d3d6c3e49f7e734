/* Functions that are made of several operations. */
#include "expr/build.h"

#include "expr/types.h"

#include <math.h>

static bool is(tsr_dtype dtype, unsigned classes)
{
    return (tsri_dtype_class(dtype) & classes) != 0;
}

/* ---- clip ------------------------------------------------------------------------------------ */

/* Whether a bound is a number that integers of the type never reach. */
static bool out_of_reach(const tsri_builder *b, int bound, bool low, tsr_dtype dtype)
{
    const tsri_value *v = tsri_built(b, bound);

    if (!v->weak || v->kind != TSRI_VALUE_NUMBER || !is(v->dtype, TSRI_IU) ||
        tsri_integer_fits(v->number, dtype))
        return false;
    return low == (v->dtype == TSR_I64 && v->number.as.i < 0);
}

static tsr_status build_clip(tsri_builder *b, const int *in, int *out)
{
    static const int op[] = {0, TSRI_VECTOR_MAXIMUM, TSRI_VECTOR_MINIMUM};
    const tsr_dtype dtype = tsri_build_promoted(b, 3, in);
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_build_convert(b, in[0], dtype, out));
    for (int k = 1; k < 3; ++k) {
        int bound;
        if (in[k] == TSRI_NO_VALUE || out_of_reach(b, in[k], k == 1, dtype)) continue;
        TSRI_TRY(done, tsri_build_convert(b, in[k], dtype, &bound));
        TSRI_TRY(done, tsri_build_raw(b, op[k], (const int[]){*out, bound}, dtype, false, out));
    }
done:
    return st;
}

/* ---- round ----------------------------------------------------------------------------------- */

static double power_of_ten(int64_t exponent)
{
    double power = 1;
    if (exponent > 22) return pow(10, (double)exponent);
    for (int64_t k = 0; k < exponent; ++k)
        power *= 10;
    return power;
}

/* Round reals, or both parts of complex numbers, to a multiple of a power of ten.  Parts are scaled
 * as twice as many reals, so the scale has it twice, too. */
static tsr_status round_reals(tsri_builder *b, int64_t decimals, int x, int *out)
{
    const tsr_dtype dtype = tsri_built(b, x)->dtype, part = tsri_part_type(dtype);
    const double unit = power_of_ten(decimals < 0 ? -decimals : decimals);
    const int before = decimals > 0 ? TSRI_VECTOR_MULTIPLY : TSRI_VECTOR_DIVIDE;
    const int after = decimals > 0 ? TSRI_VECTOR_DIVIDE : TSRI_VECTOR_MULTIPLY;
    tsr_status st = TSR_OK;
    int scale[2];

    TSRI_TRY(done, tsri_build_number(b, tsr_c128(unit, unit), false, &scale[1]));
    TSRI_TRY(done, tsri_build_convert(b, scale[1], dtype, &scale[1]));
    scale[0] = x;
    if (decimals != 0)
        TSRI_TRY(done, tsri_build_raw(b, before, scale, dtype, part != dtype, scale));
    TSRI_TRY(done, tsri_build_raw(b, TSRI_VECTOR_RINT, scale, dtype, false, scale));
    if (decimals != 0) TSRI_TRY(done, tsri_build_raw(b, after, scale, dtype, part != dtype, scale));
    *out = scale[0];
done:
    return st;
}

static tsr_status build_round(tsri_builder *b, const int *in, int *out)
{
    const tsri_value *decimals = in[1] == TSRI_NO_VALUE ? NULL : tsri_built(b, in[1]);
    const tsr_dtype dtype = tsri_build_promoted(b, 1, in);
    tsr_status st = TSR_OK;
    int64_t places = 0;

    if (decimals != NULL) {
        if (decimals->kind != TSRI_VALUE_NUMBER || !is(decimals->dtype, TSRI_BIU))
            return TSRI_BUILD_FAIL(TSR_ERR_VALUE,
                                   "the decimals of round must be a whole number in the text");
        places = tsr_to_int64(decimals->number);
        if (places < -400 || places > 400)
            return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "the decimals of round must be -400 to 400");
    }
    TSRI_TRY(done, tsri_build_convert(b, in[0], dtype, out));
    if (is(dtype, TSRI_IU) && places >= 0) return TSR_OK;
    if (is(dtype, TSRI_IU)) TSRI_TRY(done, tsri_build_convert(b, *out, TSR_F64, out));
    if (dtype == TSR_BOOL) TSRI_TRY(done, tsri_build_convert(b, *out, TSR_F32, out));
    TSRI_TRY(done, round_reals(b, places, *out, out));
    if (is(dtype, TSRI_IU)) TSRI_TRY(done, tsri_build_convert(b, *out, dtype, out));
done:
    return st;
}

/* ---- isclose --------------------------------------------------------------------------------- */

/* The reference as a real or complex value, so that its absolute value always fits. */
static tsr_status inexact(tsri_builder *b, int value, int *out)
{
    const tsri_value *v = tsri_built(b, value);

    *out = value;
    if (is(v->dtype, TSRI_FC)) return TSR_OK;
    if (v->weak && v->kind == TSRI_VALUE_NUMBER)
        return tsri_build_number(b, tsr_f64(tsr_to_double(v->number)), true, out);
    return tsri_build_convert(b, value, TSR_F64, out);
}

/* |x - y| <= atol + rtol * |y| and y finite, or x == y. */
static tsr_status is_near(tsri_builder *b, int x, int y, int rtol, int atol, int *out)
{
    tsr_status st = TSR_OK;
    int difference, allowed, finite, equal;

    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_SUBTRACT, x, y, &difference));
    TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_ABSOLUTE, false, &difference, &difference));
    TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_ABSOLUTE, false, &y, &allowed));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_MULTIPLY, rtol, allowed, &allowed));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_ADD, atol, allowed, &allowed));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_LESS_EQUAL, difference, allowed, out));
    TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_ISFINITE, false, &y, &finite));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_BITWISE_AND, *out, finite, out));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_EQUAL, x, y, &equal));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_BITWISE_OR, *out, equal, out));
done:
    return st;
}

/* A switch of a function: a number of the text. */
static tsr_status read_switch(const tsri_builder *b, const char *name, int value, bool *on)
{
    *on = false;
    if (value == TSRI_NO_VALUE) return TSR_OK;
    const tsri_value *v = tsri_built(b, value);
    if (v->kind != TSRI_VALUE_NUMBER)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "%s must be True or False", name);
    *on = tsr_to_double(v->number) != 0;
    return TSR_OK;
}

static tsr_status build_isclose(tsri_builder *b, const int *in, int *out)
{
    tsr_status st = TSR_OK;
    int y, rtol = in[2], atol = in[3], x_nan, y_nan;
    bool equal_nan;

    TSRI_TRY(done, read_switch(b, "equal_nan", in[4], &equal_nan));
    if (rtol == TSRI_NO_VALUE) TSRI_TRY(done, tsri_build_number(b, tsr_f64(1e-5), true, &rtol));
    if (atol == TSRI_NO_VALUE) TSRI_TRY(done, tsri_build_number(b, tsr_f64(1e-8), true, &atol));
    TSRI_TRY(done, inexact(b, in[1], &y));
    TSRI_TRY(done, is_near(b, in[0], y, rtol, atol, out));
    if (!equal_nan) return TSR_OK;
    TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_ISNAN, false, &in[0], &x_nan));
    TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_ISNAN, false, &y, &y_nan));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_BITWISE_AND, x_nan, y_nan, &x_nan));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_BITWISE_OR, *out, x_nan, out));
done:
    return st;
}

/* ---- angle ----------------------------------------------------------------------------------- */

static tsr_status build_angle(tsri_builder *b, const int *in, int *out)
{
    const bool complex = is(tsri_built(b, in[0])->dtype, TSRI_C);
    tsr_status st = TSR_OK;
    bool degrees;
    int part[2] = {TSRI_NO_VALUE, in[0]}, factor;

    TSRI_TRY(done, read_switch(b, "deg", in[1], &degrees));
    if (complex) {
        TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_IMAG, false, in, &part[0]));
        TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_REAL, false, in, &part[1]));
    } else {
        TSRI_TRY(done, tsri_build_number(b, tsr_i64(0), true, &part[0]));
    }
    TSRI_TRY(done, tsri_build_apply(b, TSRI_VECTOR_ARCTAN2, false, part, out));
    if (!degrees) return TSR_OK;
    TSRI_TRY(done, tsri_build_number(b, tsr_f64(180 / 3.14159265358979323846), true, &factor));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_MULTIPLY, *out, factor, out));
done:
    return st;
}

tsr_status tsri_build_function(tsri_builder *b, int function, const int *in, int *out)
{
    switch (function) {
    case TSRI_FUNCTION_CLIP:
        return build_clip(b, in, out);
    case TSRI_FUNCTION_ROUND:
        return build_round(b, in, out);
    case TSRI_FUNCTION_ISCLOSE:
        return build_isclose(b, in, out);
    case TSRI_FUNCTION_ANGLE:
        return build_angle(b, in, out);
    default:
        return tsri_build_convert(b, in[0], (tsr_dtype)(function - TSRI_FUNCTION_CAST), out);
    }
}
