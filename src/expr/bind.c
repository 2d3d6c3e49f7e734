#include "expr/bind.h"

#include "array/arg.h"
#include "kern/kern.h"

#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static tsr_status check_array(const char *call, const tsr_layout *layout, const tsr_arg *arg)
{
    tsr_status st = TSR_OK;

    const tsr_layout *own = arg->array->layout;
    if (own == layout || tsr_layout_equal(own, layout)) return TSR_OK;
    const tsri_geometry *a = &own->geometry, *b = &layout->geometry;
    TSRI_CHECK_IN(call, done, a->ndim == b->ndim, TSR_ERR_VALUE,
                  "shapes differ: \"%s\" has %d ax%cs, the others %d", arg->name, a->ndim,
                  TSRI_ES(a->ndim), b->ndim);
    for (int axis = 0; axis < a->ndim; ++axis)
        TSRI_CHECK_IN(call, done, a->shape[axis] == b->shape[axis], TSR_ERR_VALUE,
                      "shapes differ: axis %d of \"%s\" has length %lld, of the others %lld", axis,
                      arg->name, (long long)a->shape[axis], (long long)b->shape[axis]);
    for (int axis = 0; axis < a->ndim; ++axis)
        TSRI_CHECK_IN(call, done,
                      a->halo_lo[axis] == b->halo_lo[axis] && a->halo_hi[axis] == b->halo_hi[axis],
                      TSR_ERR_VALUE,
                      "layouts differ: axis %d of \"%s\" has %lld and %lld halo cells, of the "
                      "others %lld and %lld",
                      axis, arg->name, (long long)a->halo_lo[axis], (long long)a->halo_hi[axis],
                      (long long)b->halo_lo[axis], (long long)b->halo_hi[axis]);
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                        "layouts differ: \"%s\" has another %s than the others", arg->name,
                        own->context != layout->context ? "communicator"
                        : a->periodic != b->periodic    ? "set of periodic axes"
                                                        : "process grid, or other cuts,");
done:
    return st;
}

tsr_status tsri_args_check(const char *call, const tsr_layout *layout, int count,
                           const tsr_arg *args)
{
    tsr_status st = TSR_OK;

    for (int k = 0; k < count; ++k) {
        TSRI_CHECK_IN(call, done, args[k].name != NULL, TSR_ERR_VALUE, "argument %d has no name",
                      k);
        TSRI_TRY(done, tsri_arg_check(call, &args[k]));
        if (args[k].kind == TSR_ARG_ARRAY) TSRI_TRY(done, check_array(call, layout, &args[k]));
    }
done:
    return st;
}

tsr_status tsri_names_check(const char *call, int count, const tsr_arg *args)
{
    tsr_status st = TSR_OK;

    for (int k = 0; k < count; ++k) {
        const char *why = tsri_unbindable(args[k].name);
        TSRI_CHECK_IN(call, done, why == NULL, TSR_ERR_VALUE, "\"%s\" cannot be bound: %s",
                      args[k].name, why);
        for (int i = 0; i < k; ++i)
            TSRI_CHECK_IN(call, done, strcmp(args[i].name, args[k].name) != 0, TSR_ERR_VALUE,
                          "\"%s\" is bound twice", args[k].name);
    }
done:
    return st;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static unsigned char *offset(const void *data, int64_t elements, size_t size)
{
    return (unsigned char *)data + (ptrdiff_t)elements * (ptrdiff_t)size;
}

/* A global array at the block's first cell: where it has length 1 it stands still. */
static void bind_global(tsri_cursor *c, const tsr_arg *arg, const tsr_array *like)
{
    const int ndim = like->layout->geometry.ndim;
    int64_t first = 0;

    tsri_arg_strides(arg, ndim, c->stride);
    for (int a = 0; a < ndim; ++a)
        first += like->start[a] * c->stride[a];
    c->at = offset(arg->data, first, c->size);
}

static void bind_leaf(tsri_program *p, int k, const tsri_setting *setting, const tsr_array *like)
{
    const int ndim = like->layout->geometry.ndim;
    const tsri_leaf *leaf = &p->form.leaf[k];
    const tsr_arg *arg = tsri_setting_arg(setting, leaf->arg);
    tsri_cursor *c = &p->home[k];
    int64_t by = 0;

    c->size = tsr_dtype_size(leaf->dtype);
    memcpy(c->stride, like->stride, (size_t)ndim * sizeof *c->stride);
    switch (leaf->kind) {
    case TSRI_LEAF_ARRAY:
        for (int a = 0; a < ndim; ++a)
            by += leaf->shift[a] * c->stride[a];
        c->at = offset(tsri_array_origin(arg->array), by, c->size);
        break;
    case TSRI_LEAF_GLOBAL:
        bind_global(c, arg, like);
        break;
    case TSRI_LEAF_STORAGE:
        c->at = offset(arg->data, like->origin, c->size);
        break;
    case TSRI_LEAF_INDEX:
        c->at = NULL;
        c->index = like->start[leaf->axis];
        memset(c->stride, 0, sizeof c->stride);
        c->stride[leaf->axis] = 1;
        break;
    case TSRI_LEAF_OUTPUT: /* by tsri_bind_output() */
        break;
    }
}

void tsri_bind_output(tsri_program *p, void *output, const int64_t *stride, int ndim)
{
    tsri_cursor *c = &p->home[p->form.leaves];

    c->at = output;
    c->size = p->main.size;
    memcpy(c->stride, stride, (size_t)ndim * sizeof *stride);
}

/* ---- constants ------------------------------------------------------------------------------- */

static bool is_same(tsr_scalar a, tsr_scalar b)
{
    return a.dtype == b.dtype && memcmp(&a.as, &b.as, sizeof a.as) == 0;
}

/* Read the scalar arguments; whether one is not what it was in the run before. */
static bool read_scalars(tsri_program *p, const tsri_setting *setting)
{
    bool changed = p->filled == TSRI_UNKNOWN;

    for (int k = 0; k < p->scalars; ++k) {
        tsri_value *v = &p->form.value[p->scalar[k]];
        if (v->kind != TSRI_VALUE_ARG) continue;
        const tsr_scalar number = tsri_scalar_arg(setting, v);
        changed = changed || !is_same(v->number, number);
        v->number = number;
    }
    return changed;
}

static tsr_status find_scalars(tsri_program *p, const tsri_setting *setting)
{
    tsri_form *f = &p->form;
    tsr_status st = TSR_OK;

    if (!read_scalars(p, setting)) return TSR_OK;
    p->filled = TSRI_UNKNOWN;
    for (int k = 0; k < p->scalars; ++k)
        TSRI_TRY(done, tsri_scalar_value(setting, p->text, f->value, p->scalar[k]));
    for (int k = p->checks; k < f->exponents; ++k) {
        const tsri_value *v = &f->value[f->exponent[k]];
        if (v->number.dtype != TSR_U64 && tsr_to_int64(v->number) < 0)
            return TSRI_FAIL_AT(setting->call, TSR_ERR_VALUE, p->text, v->column,
                                "integers to a negative integer power: make one of them real");
    }
    p->filled = 0;
done:
    return st;
}

/* The factors of a linear combination, side by side. */
static void fill_factors(const tsri_form *f, const tsri_value *v, unsigned char *room)
{
    const size_t size = tsr_dtype_size(v->dtype);

    for (int k = 0; v->in[k] != TSRI_NO_VALUE; ++k) {
        const double factor =
            v->factor[k] == TSRI_NO_VALUE ? 1 : tsr_to_double(f->value[v->factor[k]].number);
        tsri_scalar_store(tsr_f64((v->minus >> k & 1u) != 0 ? -factor : factor), v->dtype,
                          room + (size_t)k * size);
    }
}

/* Blocks of constants, so long as a run needs them. */
static void fill_constants(tsri_program *p, int64_t cells)
{
    const int64_t n = cells < p->block ? cells : p->block, one = 1;
    unsigned char element[16];

    if (n <= p->filled) return;
    for (int k = 0; k < p->constants; ++k) {
        const tsri_value *v = &p->form.value[p->constant[k]];
        if (v->varies) {
            fill_factors(&p->form, v, p->room[p->form.leaves + k]);
            continue;
        }
        tsri_scalar_store(v->number, v->dtype, element);
        tsri_kern_get()->fill(tsr_dtype_size(v->dtype), 1, &n, p->room[p->form.leaves + k], &one,
                              element);
    }
    p->filled = n;
}

tsr_status tsri_bind(tsri_program *p, const tsri_setting *setting, const tsr_array *like)
{
    const tsri_geometry *g = &like->layout->geometry;
    int64_t cells = 1;

    const tsr_status st = find_scalars(p, setting);
    if (st != TSR_OK || like->cells == 0) return st;
    for (int a = 0; a < g->ndim; ++a) /* a run may go on through the halo cells between rows */
        if (cells < p->block) cells *= g->halo_lo[a] + like->extent[a] + g->halo_hi[a];
    fill_constants(p, cells);
    for (int k = 0; k < p->form.leaves; ++k)
        bind_leaf(p, k, setting, like);
    return TSR_OK;
}
