/* Comparisons that no common type can hold: int64 with uint64, and with numbers out of range. */
#include "expr/build.h"

#include "expr/types.h"

static bool is_comparison(int op)
{
    return op >= TSRI_VECTOR_LESS && op <= TSRI_VECTOR_GREATER_EQUAL;
}

/* The comparison with its operands exchanged. */
static int mirrored(int op)
{
    switch (op) {
    case TSRI_VECTOR_LESS:
        return TSRI_VECTOR_GREATER;
    case TSRI_VECTOR_LESS_EQUAL:
        return TSRI_VECTOR_GREATER_EQUAL;
    case TSRI_VECTOR_GREATER:
        return TSRI_VECTOR_LESS;
    case TSRI_VECTOR_GREATER_EQUAL:
        return TSRI_VECTOR_LESS_EQUAL;
    default:
        return op;
    }
}

/* What the comparison x op y gives when x is smaller than every y. */
static bool when_below(int op)
{
    return op == TSRI_VECTOR_LESS || op == TSRI_VECTOR_LESS_EQUAL || op == TSRI_VECTOR_NOT_EQUAL;
}

/* A signed integer compared with one of u64: they have no integer type in common, and would lose
 * digits as f64. */
static tsr_status compare_mixed(tsri_builder *b, int op, int x, int y, int *out)
{
    tsr_status st = TSR_OK;
    int zero, negative, compared;

    if (tsri_built(b, x)->dtype == TSR_U64) {
        const int other = x;
        x = y;
        y = other;
        op = mirrored(op);
    }
    TSRI_TRY(done, tsri_build_number(b, tsr_i64(0), true, &zero));
    TSRI_TRY(done, tsri_build_2(b, TSRI_VECTOR_LESS, x, zero, &negative));
    TSRI_TRY(done, tsri_build_convert(b, x, TSR_U64, &x));
    TSRI_TRY(done, tsri_build_2(b, op, x, y, &compared));
    if (when_below(op)) return tsri_build_2(b, TSRI_VECTOR_BITWISE_OR, negative, compared, out);
    TSRI_TRY(done, tsri_build_1(b, TSRI_VECTOR_INVERT, negative, &negative));
    return tsri_build_2(b, TSRI_VECTOR_BITWISE_AND, negative, compared, out);
done:
    return st;
}

/* A weak integer of known value compared with integers that cannot hold it: 1 when that was so. */
static tsr_status compare_beyond(tsri_builder *b, int op, const int *in, int *out, bool *settled)
{
    const int weak = tsri_built(b, in[0])->weak ? 0 : 1;
    const tsri_value *w = tsri_built(b, in[weak]), *v = tsri_built(b, in[1 - weak]);
    tsr_scalar number = w->number;

    *settled = false;
    if (!w->weak || v->weak || (tsri_dtype_class(v->dtype) & TSRI_IU) == 0) return TSR_OK;
    if (w->kind == TSRI_VALUE_ARG) number = b->setting->args[w->item].scalar;
    if (w->kind != TSRI_VALUE_NUMBER && w->kind != TSRI_VALUE_ARG) return TSR_OK;
    if (number.dtype != TSR_I64 && number.dtype != TSR_U64) return TSR_OK;
    if (tsri_integer_fits(number, v->dtype)) return TSR_OK;
    *settled = true;
    const bool below = number.dtype == TSR_I64 && number.as.i < 0;
    const bool first_below = below == (weak == 0);
    return tsri_build_number(b, tsr_bool(when_below(first_below ? op : mirrored(op))), false, out);
}

static bool is_mixed(tsr_dtype a, tsr_dtype b)
{
    return (a == TSR_U64 && tsri_dtype_class(b) == TSRI_I) ||
           (b == TSR_U64 && tsri_dtype_class(a) == TSRI_I);
}

tsr_status tsri_build_comparison(tsri_builder *b, int op, const int *in, int *out, bool *settled)
{
    *settled = false;
    if (!is_comparison(op)) return TSR_OK;
    const tsri_value *x = tsri_built(b, in[0]), *y = tsri_built(b, in[1]);
    *settled = !x->weak && !y->weak && is_mixed(x->dtype, y->dtype);
    if (*settled) return compare_mixed(b, op, in[0], in[1], out);
    return compare_beyond(b, op, in, out, settled);
}
