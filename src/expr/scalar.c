/* Operations on numbers alone, computed once, as the elements of arrays would be. */
#include "expr/form.h"

#include "expr/types.h"
#include "kern/kern.h"

/* What is needed to say what failed. */
typedef struct spot {
    const char *call, *text;
    int column;
} spot;

/* ---- typed numbers --------------------------------------------------------------------------- */

/* An operation on numbers of its working type, or on their parts. */
static tsr_scalar apply(tsri_level level, int op, tsr_dtype working, int parts, tsr_dtype given,
                        const tsr_scalar *in)
{
    _Alignas(16) unsigned char element[4][16];
    const void *operand[3] = {element[0], element[1], element[2]};
    tsri_vector *function = tsri_vector_find(level, (tsri_vector_op)op, working);

    for (int k = 0; k < tsri_operation_of(op)->operands; ++k)
        tsri_scalar_store(in[k], in[k].dtype, element[k]);
    function(parts, element[3], operand);
    return tsri_scalar_load(given, element[3]);
}

/* The number in another type; a weak integer has to fit. */
static tsr_status convert(const spot *place, tsr_scalar in, bool weak, tsr_dtype dtype,
                          tsr_scalar *out)
{
    _Alignas(16) unsigned char element[16];
    const bool integer = in.dtype == TSR_I64 || in.dtype == TSR_U64;

    if (weak && integer && !tsri_integer_fits(in, dtype))
        return in.dtype == TSR_U64
                   ? TSRI_FAIL_AT(place->call, TSR_ERR_VALUE, place->text, place->column,
                                  "%llu does not fit %s", (unsigned long long)in.as.u,
                                  tsr_dtype_name(dtype))
                   : TSRI_FAIL_AT(place->call, TSR_ERR_VALUE, place->text, place->column,
                                  "%lld does not fit %s", (long long)in.as.i,
                                  tsr_dtype_name(dtype));
    tsri_scalar_store(in, dtype, element);
    *out = tsri_scalar_load(dtype, element);
    return TSR_OK;
}

/* ---- weak numbers ---------------------------------------------------------------------------- */

/* Room for any sum or product of two integers of 64 bits. */
__extension__ typedef __int128 wide;

static wide widen(tsr_scalar s)
{
    if (s.dtype == TSR_BOOL) return s.as.b;
    return s.dtype == TSR_U64 ? (wide)s.as.u : (wide)s.as.i;
}

/* The type that weak operands have in common: bool, i64, f64 or c128. */
static tsr_dtype common(int count, const tsr_dtype *in)
{
    tsr_dtype type = TSR_BOOL;
    for (int k = 0; k < count; ++k) {
        const tsr_dtype t = in[k] == TSR_U64 ? TSR_I64 : in[k];
        if (t > type) type = t;
    }
    return type;
}

tsr_dtype tsri_weak_type(int op, int count, const tsr_dtype *in)
{
    const tsr_dtype type = common(count, in);
    const tsr_dtype number = type == TSR_BOOL ? TSR_I64 : type;

    switch (op) {
    case TSRI_VECTOR_LESS:
    case TSRI_VECTOR_LESS_EQUAL:
    case TSRI_VECTOR_EQUAL:
    case TSRI_VECTOR_NOT_EQUAL:
    case TSRI_VECTOR_GREATER:
    case TSRI_VECTOR_GREATER_EQUAL:
        return TSR_BOOL;
    case TSRI_VECTOR_BITWISE_AND:
    case TSRI_VECTOR_BITWISE_OR:
    case TSRI_VECTOR_BITWISE_XOR:
        return type <= TSR_I64 ? type : TSR_AUTO;
    case TSRI_VECTOR_INVERT:
    case TSRI_VECTOR_LEFT_SHIFT:
    case TSRI_VECTOR_RIGHT_SHIFT:
        return type <= TSR_I64 ? TSR_I64 : TSR_AUTO;
    case TSRI_VECTOR_DIVIDE:
        return type == TSR_C128 ? TSR_C128 : TSR_F64;
    case TSRI_VECTOR_FLOOR_DIVIDE:
    case TSRI_VECTOR_REMAINDER:
        return type == TSR_C128 ? TSR_AUTO : number;
    default:
        return number;
    }
}

/* Toward minus infinity; by 0 gives 0. */
static wide floor_quotient(wide a, wide b)
{
    if (b == 0) return 0;
    return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

/* What stands for every integer beyond 64 bits. */
static wide beyond(bool negative)
{
    const wide large = (wide)1 << 70;
    return negative ? -large : large;
}

static wide product(wide a, wide b)
{
    wide result;
    return __builtin_mul_overflow(a, b, &result) ? beyond((a < 0) != (b < 0)) : result;
}

/* To a power >= 0. */
static wide power(wide base, wide exponent)
{
    wide result = 1;
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    if (exponent > 64) return beyond(base < 0 && exponent % 2 != 0);
    for (wide k = 0; k < exponent; ++k)
        result = product(result, base);
    return result;
}

static wide shift_left(wide a, wide by)
{
    if (a == 0) return 0;
    return by > 64 ? beyond(a < 0) : product(a, (wide)1 << (int)by);
}

static wide integer_result(int op, wide a, wide b)
{
    switch (op) {
    case TSRI_VECTOR_ADD:
        return a + b;
    case TSRI_VECTOR_SUBTRACT:
        return a - b;
    case TSRI_VECTOR_MULTIPLY:
        return product(a, b);
    case TSRI_VECTOR_FLOOR_DIVIDE:
        return floor_quotient(a, b);
    case TSRI_VECTOR_REMAINDER:
        return b == 0 ? 0 : a - floor_quotient(a, b) * b;
    case TSRI_VECTOR_POWER:
        return power(a, b);
    case TSRI_VECTOR_NEGATIVE:
        return -a;
    case TSRI_VECTOR_POSITIVE:
        return a;
    case TSRI_VECTOR_INVERT:
        return -a - 1;
    case TSRI_VECTOR_BITWISE_AND:
        return a & b;
    case TSRI_VECTOR_BITWISE_OR:
        return a | b;
    case TSRI_VECTOR_BITWISE_XOR:
        return a ^ b;
    case TSRI_VECTOR_LEFT_SHIFT:
        return shift_left(a, b);
    case TSRI_VECTOR_RIGHT_SHIFT:
        return b > 100 ? (a < 0 ? -1 : 0) : a >> (int)b;
    case TSRI_VECTOR_LESS:
        return a < b;
    case TSRI_VECTOR_LESS_EQUAL:
        return a <= b;
    case TSRI_VECTOR_EQUAL:
        return a == b;
    case TSRI_VECTOR_NOT_EQUAL:
        return a != b;
    case TSRI_VECTOR_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

static tsr_status integer_apply(const spot *place, int op, const tsr_scalar *in, tsr_dtype given,
                                tsr_scalar *out)
{
    const wide a = widen(in[0]), b = in[1].dtype == TSR_AUTO ? 0 : widen(in[1]);
    const bool shifts = op == TSRI_VECTOR_LEFT_SHIFT || op == TSRI_VECTOR_RIGHT_SHIFT;

    if ((shifts || op == TSRI_VECTOR_POWER) && b < 0)
        return TSRI_FAIL_AT(place->call, TSR_ERR_VALUE, place->text, place->column,
                            shifts ? "an integer cannot be shifted by a negative number"
                                   : "an integer to a negative integer power: make one of them "
                                     "real");
    const wide result = integer_result(op, a, b);
    if (result < INT64_MIN || result > (wide)UINT64_MAX)
        return TSRI_FAIL_AT(place->call, TSR_ERR_VALUE, place->text, place->column,
                            "the integer result does not fit 64 bits");
    if (given == TSR_BOOL)
        *out = tsr_bool(result != 0);
    else
        *out = result > INT64_MAX ? tsr_u64((uint64_t)result) : tsr_i64((int64_t)result);
    return TSR_OK;
}

/* An operation on weak numbers, as Python does it, but integers have 64 bits. */
static tsr_status apply_weakly(const spot *place, tsri_level level, int op, const tsr_scalar *in,
                               tsr_scalar *out)
{
    const int count = tsri_operation_of(op)->operands;
    const tsr_dtype types[2] = {in[0].dtype, count > 1 ? in[1].dtype : TSR_BOOL};
    const tsr_dtype given = tsri_weak_type(op, count, types);
    tsr_dtype working = common(count, types);
    tsr_scalar operand[2] = {{.dtype = TSR_AUTO}, {.dtype = TSR_AUTO}};

    for (int k = 0; k < count; ++k)
        operand[k] = in[k];
    if (working <= TSR_I64 && op != TSRI_VECTOR_DIVIDE && given != TSR_F64)
        return integer_apply(place, op, operand, given, out);
    if (working <= TSR_I64) working = TSR_F64;
    for (int k = 0; k < count; ++k) {
        const tsr_status st = convert(place, in[k], true, working, &operand[k]);
        if (st != TSR_OK) return st;
    }
    *out = operand[0];
    if (op != TSRI_VECTOR_POSITIVE) *out = apply(level, op, working, 1, given, operand);
    return TSR_OK;
}

/* ---- values of expressions ------------------------------------------------------------------- */

tsr_scalar tsri_scalar_arg(const tsri_setting *setting, const tsri_value *value)
{
    const tsr_arg *arg = &setting->args[value->item];
    return arg->kind == TSR_ARG_GLOBAL_DATA ? tsri_scalar_load(arg->dtype, arg->data) : arg->scalar;
}

tsr_status tsri_scalar_value(const tsri_setting *setting, const char *text, tsri_value *values,
                             int which)
{
    tsri_value *v = &values[which];
    const spot place = {setting->call, text, v->column};
    tsr_scalar in[3];

    for (int k = 0; k < 3; ++k)
        in[k] =
            v->in[k] == TSRI_NO_VALUE ? (tsr_scalar){.dtype = TSR_AUTO} : values[v->in[k]].number;
    switch (v->kind) {
    case TSRI_VALUE_ARG:
        v->number = tsri_scalar_arg(setting, v);
        return TSR_OK;
    case TSRI_VALUE_CONVERT:
        return convert(&place, in[0], values[v->in[0]].weak, v->dtype, &v->number);
    case TSRI_VALUE_APPLY:
        if (v->weak) return apply_weakly(&place, setting->level, v->op, in, &v->number);
        v->number = apply(setting->level, v->op, tsri_value_working(values, v), v->parts ? 2 : 1,
                          v->dtype, in);
        return TSR_OK;
    default:
        return TSR_OK;
    }
}
