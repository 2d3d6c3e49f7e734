#include "expr/build.h"

#include "base/memory.h"
#include "expr/types.h"
#include "kern/kern.h"

#include <string.h>

const tsri_value *tsri_built(const tsri_builder *b, int value)
{
    return &b->form->value[value];
}

tsr_dtype tsri_value_working(const tsri_value *values, const tsri_value *apply)
{
    const tsr_dtype dtype = values[apply->in[apply->op == TSRI_VECTOR_WHERE ? 1 : 0]].dtype;
    return apply->parts ? tsri_part_type(dtype) : dtype;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static bool same_number(tsr_scalar a, tsr_scalar b)
{
    unsigned char x[16], y[16];
    if (a.dtype != b.dtype) return false;
    tsri_scalar_store(a, a.dtype, x);
    tsri_scalar_store(b, b.dtype, y);
    return memcmp(x, y, tsr_dtype_size(a.dtype)) == 0;
}

static bool same_value(const tsri_value *a, const tsri_value *b)
{
    if (a->kind != b->kind || a->dtype != b->dtype || a->weak != b->weak || a->op != b->op ||
        a->item != b->item || a->parts != b->parts || memcmp(a->in, b->in, sizeof a->in) != 0)
        return false;
    return a->kind != TSRI_VALUE_NUMBER || same_number(a->number, b->number);
}

static tsr_status add(tsri_builder *b, tsri_value value, int *out)
{
    tsri_form *f = b->form;
    tsr_status st = TSR_OK;

    value.column = b->column;
    for (int k = f->count - 1; k >= 0; --k)
        if (same_value(&f->value[k], &value)) {
            *out = k;
            return TSR_OK;
        }
    if (f->count == TSRI_MAX_VALUES)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "the expression takes more than %d steps",
                               TSRI_MAX_VALUES);
    TSRI_GROW(done, f->value, f->count, f->room, 32);
    *out = f->count++;
    f->value[*out] = value;
done:
    return st;
}

static tsri_value blank(tsri_value_kind kind, tsr_dtype dtype)
{
    tsri_value v = {.kind = kind, .dtype = dtype};
    for (int k = 0; k < TSRI_VECTOR_OPERANDS; ++k)
        v.in[k] = TSRI_NO_VALUE;
    return v;
}

/* A value made of others: when those are all numbers of the text, so is it. */
static tsr_status add_made(tsri_builder *b, tsri_value value, int *out)
{
    const tsri_value *values = b->form->value;
    bool known = true;
    tsr_status st = TSR_OK;

    for (int k = 0; value.in[k] != TSRI_NO_VALUE; ++k) {
        value.varies = value.varies || values[value.in[k]].varies;
        known = known && values[value.in[k]].kind == TSRI_VALUE_NUMBER;
    }
    TSRI_TRY(done, add(b, value, out));
    if (!known) return TSR_OK;
    TSRI_TRY(done, tsri_scalar_value(b->setting, b->text, b->form->value, *out));
    return tsri_build_number(b, b->form->value[*out].number, value.weak, out);
done:
    return st;
}

tsr_status tsri_build_number(tsri_builder *b, tsr_scalar number, bool weak, int *value)
{
    tsri_value v = blank(TSRI_VALUE_NUMBER, number.dtype);
    v.weak = weak;
    v.number = number;
    return add(b, v, value);
}

tsr_status tsri_build_arg(tsri_builder *b, int arg, tsr_dtype dtype, bool weak, int *value)
{
    tsri_value v = blank(TSRI_VALUE_ARG, dtype);
    v.weak = weak;
    v.item = arg;
    return add(b, v, value);
}

static bool same_leaf(const tsri_leaf *a, const tsri_leaf *b)
{
    return a->kind == b->kind && a->arg == b->arg && a->axis == b->axis &&
           memcmp(a->shift, b->shift, sizeof a->shift) == 0;
}

tsr_status tsri_build_leaf(tsri_builder *b, const tsri_leaf *leaf, int *value)
{
    tsri_form *f = b->form;
    tsri_value v = blank(TSRI_VALUE_LEAF, leaf->dtype);
    tsr_status st = TSR_OK;
    int k = 0;

    while (k < f->leaves && !same_leaf(&f->leaf[k], leaf))
        ++k;
    if (k == f->leaves) {
        TSRI_GROW(done, f->leaf, k, f->leaf_room, 32);
        f->leaf[f->leaves++] = *leaf;
    }
    v.item = k;
    v.varies = true;
    TSRI_TRY(done, add(b, v, value));
done:
    return st;
}

tsr_status tsri_build_convert(tsri_builder *b, int value, tsr_dtype dtype, int *out)
{
    const tsri_value *from = tsri_built(b, value);
    tsri_value v = blank(TSRI_VALUE_CONVERT, dtype);

    *out = value;
    if (from->dtype == dtype && !from->weak) return TSR_OK;
    v.in[0] = value;
    return add_made(b, v, out);
}

tsr_status tsri_build_raw(tsri_builder *b, int op, const int *in, tsr_dtype dtype, bool parts,
                          int *out)
{
    tsri_value v = blank(TSRI_VALUE_APPLY, dtype);

    v.op = op;
    v.parts = parts;
    for (int k = 0; k < tsri_operation_of(op)->operands; ++k)
        v.in[k] = in[k];
    return add_made(b, v, out);
}

/* ---- typed operations ------------------------------------------------------------------------ */

/* The type of the highest class among typed values; TSR_AUTO when all are weak. */
static tsr_dtype highest(const tsri_builder *b, int count, const int *in)
{
    tsr_dtype found = TSR_AUTO;

    for (int k = 0; k < count; ++k) {
        if (in[k] == TSRI_NO_VALUE || tsri_built(b, in[k])->weak) continue;
        const tsr_dtype own = tsri_built(b, in[k])->dtype;
        if (tsri_dtype_class(own) > tsri_dtype_class(found)) found = own;
    }
    return found;
}

/* Each value promotes with the highest before all do: i16, u16 and f32 are f32 together, though i16
 * and u16 alone are i32. */
tsr_dtype tsri_build_promoted(const tsri_builder *b, int count, const int *in)
{
    const tsr_dtype most = highest(b, count, in);
    tsr_dtype typed = most, weak = TSR_AUTO;

    for (int k = 0; k < count; ++k) {
        if (in[k] == TSRI_NO_VALUE) continue;
        const tsri_value *v = tsri_built(b, in[k]);
        if (v->weak) {
            const tsr_dtype own = v->dtype == TSR_U64 ? TSR_I64 : v->dtype;
            weak = weak == TSR_AUTO ? own : tsri_dtype_promote(weak, own);
        } else {
            const bool floats = (tsri_dtype_class(most) & TSRI_FC) != 0;
            typed =
                tsri_dtype_promote(typed, floats ? tsri_dtype_promote(most, v->dtype) : v->dtype);
        }
    }
    if (weak == TSR_AUTO) return typed;
    return typed == TSR_AUTO ? weak : tsri_promote_weak(typed, weak);
}

/* The type in which an operation works.  Functions of reals take the smallest that holds each
 * operand, which for two integers may be smaller than what holds their common type. */
static tsr_dtype working_type(const tsri_builder *b, int op, const int *in)
{
    const tsri_operation *o = tsri_operation_of(op);
    const int first = op == TSRI_VECTOR_WHERE ? 1 : 0;
    const tsr_dtype promoted = tsri_build_promoted(b, o->operands - first, in + first);
    tsr_dtype type = TSR_BOOL;

    if (o->works == TSRI_WORKS_FLOATING && o->operands == 2 && !tsri_built(b, in[0])->weak &&
        !tsri_built(b, in[1])->weak) {
        for (int k = 0; k < 2; ++k)
            type =
                tsri_dtype_promote(type, tsri_working_type(o->works, tsri_built(b, in[k])->dtype));
        return type;
    }
    return tsri_working_type(o->works, promoted);
}

static tsr_status undefined(const tsri_builder *b, int op, tsr_dtype dtype)
{
    const char *hint = "";
    if (dtype == TSR_BOOL && op == TSRI_VECTOR_SUBTRACT) hint = ": use ^";
    if (dtype == TSR_BOOL && op == TSRI_VECTOR_NEGATIVE) hint = ": use ~";
    return TSRI_BUILD_FAIL(TSR_ERR_TYPE, "%s is not defined for %s%s", tsri_operation_of(op)->name,
                           tsr_dtype_name(dtype), hint);
}

/* As in Python 10**-3 is real.  Of arguments only the type is known. */
static tsr_status make_real_power(tsri_builder *b, int op, int *exponent)
{
    const tsri_value *v = tsri_built(b, *exponent);

    if (op != TSRI_VECTOR_POWER || v->kind != TSRI_VALUE_NUMBER || v->dtype != TSR_I64 ||
        v->number.as.i >= 0)
        return TSR_OK;
    return tsri_build_number(b, tsr_f64((double)v->number.as.i), true, exponent);
}

static tsr_status apply_weak(tsri_builder *b, int op, const int *in, int *out)
{
    const int count = tsri_operation_of(op)->operands;
    tsr_dtype types[2] = {TSR_BOOL, TSR_BOOL};
    tsri_value v = blank(TSRI_VALUE_APPLY, TSR_AUTO);
    tsr_status st = TSR_OK;

    memcpy(v.in, in, (size_t)count * sizeof *in);
    if (count > 1) TSRI_TRY(done, make_real_power(b, op, &v.in[1]));
    for (int k = 0; k < count; ++k)
        types[k] = tsri_built(b, v.in[k])->dtype;
    v.op = op;
    v.weak = true;
    v.dtype = tsri_weak_type(op, count, types);
    if (v.dtype == TSR_AUTO) return undefined(b, op, types[0] > types[1] ? types[0] : types[1]);
    TSRI_TRY(done, add_made(b, v, out));
done:
    return st;
}

static bool all_weak(const tsri_builder *b, int count, const int *in)
{
    for (int k = 0; k < count; ++k)
        if (!tsri_built(b, in[k])->weak) return false;
    return true;
}

/* Remember what must not be negative. */
static tsr_status add_exponent(tsri_builder *b, int value)
{
    tsri_form *f = b->form;
    tsr_status st = TSR_OK;

    TSRI_GROW(done, f->exponent, f->exponents, f->exponent_room, 32);
    f->exponent[f->exponents++] = value;
done:
    return st;
}

/* Powers for which there is something better than the general function: -1: none. */
static int simpler_power(const tsri_builder *b, tsr_dtype working, int exponent)
{
    const tsri_value *v = tsri_built(b, exponent);
    const bool floating = (tsri_dtype_class(working) & TSRI_FC) != 0;

    if (v->kind != TSRI_VALUE_NUMBER || (tsri_dtype_class(v->dtype) & TSRI_C) != 0) return -1;
    const double power = tsr_to_double(v->number);
    if (power == 2) return TSRI_VECTOR_SQUARE;
    if (floating && power == 1) return TSRI_VECTOR_POSITIVE;
    if (floating && power == 0.5) return TSRI_VECTOR_SQRT;
    if (floating && power == -1) return TSRI_VECTOR_RECIPROCAL;
    return -1;
}

static tsr_status check_power(tsri_builder *b, tsr_dtype working, int exponent)
{
    const tsri_value *v = tsri_built(b, exponent);

    if ((tsri_dtype_class(working) & TSRI_I) == 0) return TSR_OK;
    if (v->kind == TSRI_VALUE_NUMBER) {
        if (v->number.dtype != TSR_U64 && tsr_to_int64(v->number) < 0)
            return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "integers to a negative integer power: make one "
                                                  "of them real");
        return TSR_OK;
    }
    return add_exponent(b, exponent);
}

/* The operands in the working type. */
static tsr_status convert_all(tsri_builder *b, int op, const int *in, tsr_dtype working, int *out)
{
    const int count = tsri_operation_of(op)->operands;
    tsr_status st = TSR_OK;

    for (int k = 0; k < count; ++k) {
        const bool condition = op == TSRI_VECTOR_WHERE && k == 0;
        TSRI_TRY(done, tsri_build_convert(b, in[k], condition ? TSR_BOOL : working, &out[k]));
    }
done:
    return st;
}

tsr_status tsri_build_apply(tsri_builder *b, int op, bool is_operator, const int *in, int *out)
{
    const tsri_operation *o = tsri_operation_of(op);
    const int first = op == TSRI_VECTOR_WHERE ? 1 : 0;
    tsr_status st = TSR_OK;
    int operand[3];
    bool settled = false;

    if (is_operator && all_weak(b, o->operands, in)) return apply_weak(b, op, in, out);
    TSRI_TRY(done, tsri_build_comparison(b, op, in, out, &settled));
    if (settled) return TSR_OK;
    const tsr_dtype working = working_type(b, op, in);
    const unsigned class = tsri_dtype_class(working);
    if (((o->kernels | o->copies) & class) == 0)
        return undefined(b, op, tsri_build_promoted(b, o->operands - first, in + first));
    if ((o->copies & class) != 0) return tsri_build_convert(b, in[0], working, out);
    if (op == TSRI_VECTOR_POWER) {
        const int simpler = simpler_power(b, working, in[1]);
        if (simpler >= 0) {
            TSRI_TRY(done, tsri_build_convert(b, in[0], working, &operand[0]));
            return tsri_build_apply(b, simpler, false, operand, out);
        }
    }
    TSRI_TRY(done, convert_all(b, op, in, working, operand));
    if (op == TSRI_VECTOR_POWER) TSRI_TRY(done, check_power(b, working, operand[1]));
    return tsri_build_raw(b, op, operand, tsri_given_type(o->gives, working), false, out);
done:
    return st;
}

tsr_status tsri_build_2(tsri_builder *b, int op, int x, int y, int *out)
{
    return tsri_build_apply(b, op, true, (const int[]){x, y}, out);
}

tsr_status tsri_build_1(tsri_builder *b, int op, int x, int *out)
{
    return tsri_build_apply(b, op, true, &x, out);
}
