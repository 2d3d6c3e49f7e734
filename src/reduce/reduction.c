#include "reduce/reduction.h"

#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/arithmetic_mode.h"

#include <math.h>
#include <string.h>

static void multiply(double *left, const double *right)
{
    const double real = left[0] * right[0] - left[1] * right[1];
    left[1] = left[0] * right[1] + left[1] * right[0];
    left[0] = real;
}

/* A NaN on the left stays; one on the right fails the comparison. */
double tsri_larger(double left, double right)
{
    return left >= right || isnan(left) ? left : right;
}

static void combine_positions(tsri_position *left, const tsri_position *right)
{
    if (right->key < left->key || (right->key == left->key && right->cell < left->cell))
        *left = *right;
}

static void combine(tsri_record *l, const tsri_record *r)
{
    if (l->kind != r->kind) return; /* the agreement that follows says so */
    switch (l->kind) {
    case TSRI_RECORD_NONE:
        break;
    case TSRI_RECORD_SUM:
        l->as.wrapped += r->as.wrapped;
        break;
    case TSRI_RECORD_PRODUCT:
        l->as.wrapped *= r->as.wrapped;
        break;
    case TSRI_RECORD_EXACT:
        for (int part = 0; part < 2; ++part)
            tsri_exact_merge(&l->as.exact[part], &r->as.exact[part]);
        break;
    case TSRI_RECORD_PLAIN:
        for (int part = 0; part < 2; ++part)
            l->as.number[part] += r->as.number[part];
        break;
    case TSRI_RECORD_FACTOR:
        l->as.number[0] *= r->as.number[0];
        break;
    case TSRI_RECORD_FACTORS:
        multiply(l->as.number, r->as.number);
        break;
    case TSRI_RECORD_KEYS:
        tsri_extremes_combine_keys(&l->as.extremes, &r->as.extremes);
        break;
    case TSRI_RECORD_COMPLEX:
        tsri_extremes_combine_complex(&l->as.extremes, &r->as.extremes);
        break;
    case TSRI_RECORD_POSITION:
        combine_positions(&l->as.position, &r->as.position);
        break;
    case TSRI_RECORD_LARGEST:
        l->as.number[0] = tsri_larger(l->as.number[0], r->as.number[0]);
        break;
    case TSRI_RECORD_ALL:
        l->as.truth = l->as.truth && r->as.truth;
        break;
    case TSRI_RECORD_ANY:
        l->as.truth = l->as.truth || r->as.truth;
        break;
    }
}

static void combine_in_mode(void *left, const void *right)
{
    const unsigned mode = tsri_mode_begin();
    combine(left, right);
    tsri_mode_end(mode);
}

tsr_status tsri_call_enter(const tsri_call *call)
{
    return tsri_enter(call->layout->context, tsri_layout_is_local(call->layout), "%s", call->name);
}

tsr_status tsri_reduce(const tsri_call *call, tsr_status status, tsri_record *record)
{
    const tsr_layout *layout = call->layout;
    const uint64_t layout_hash = tsr_layout_hash(layout);
    uint64_t fingerprint = call->arguments;

    if (!tsr_layout_is_distributed(layout)) return status;
    fingerprint = tsri_hash(fingerprint, call->name, strlen(call->name));
    fingerprint = tsri_hash(fingerprint, &layout_hash, sizeof layout_hash);

    /* A rank that failed before still takes part, with what it has. */
    const tsr_status sent =
        tsri_net_combine(layout->context, record, sizeof *record, combine_in_mode);
    return tsri_agree(layout->context, status != TSR_OK ? status : sent, fingerprint);
}
