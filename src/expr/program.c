#include "expr/program.h"

#include "base/checked.h"
#include "base/memory.h"
#include "kern/kern.h"

#include <string.h>

/* ---- reach ----------------------------------------------------------------------------------- */

static tsr_status find_shifted(tsri_program *p, int ndim)
{
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, p->shifted, p->form.leaves);
    for (int k = 0; k < p->form.leaves; ++k) {
        const tsri_leaf *leaf = &p->form.leaf[k];
        int s = 0;
        if (!leaf->shifted) continue;
        while (s < p->shifts && p->shifted[s].arg != leaf->arg)
            ++s;
        if (s == p->shifts)
            p->shifted[p->shifts++] = (tsri_shifted){leaf->arg, tsri_reach_none(ndim)};
        tsri_reach_add(&p->shifted[s].reach, leaf->shift);
    }
    TSRI_ALLOC(done, p->exchanged, p->shifts);
    TSRI_ALLOC(done, p->reach, p->shifts);
done:
    return st;
}

/* ---- working memory -------------------------------------------------------------------------- */

/* One block for each slot, each on cache lines of its own. */
static tsr_status make_scratch(tsri_program *p)
{
    const int cursors = p->form.leaves + 1;
    const size_t block = (size_t)p->block;
    tsr_status st = TSR_OK;
    size_t total = 0;

    TSRI_ALLOC(done, p->room, p->slots);
    TSRI_ALLOC(done, p->slot, p->slots);
    TSRI_ALLOC(done, p->home, cursors);
    TSRI_ALLOC(done, p->cursor, cursors);
    TSRI_ALLOC(done, p->stride, cursors);
    TSRI_ALLOC(done, p->row_bytes, cursors);
    for (int k = 0; k < p->slots; ++k)
        total += (p->slot_size[k] * block + 63) / 64 * 64;
    p->scratch = tsri_alloc_aligned(total);
    TSRI_CHECK(done, p->scratch != NULL, TSR_ERR_NOMEM, "no memory for %zu bytes of blocks", total);
    total = 0;
    for (int k = 0; k < p->slots; ++k) {
        p->room[k] = p->scratch + total;
        p->slot[k] = p->room[k];
        total += (p->slot_size[k] * block + 63) / 64 * 64;
    }
done:
    return st;
}

/* How far the output is read along axis 0, at most. */
static int64_t rolling_reach(const tsri_program *p)
{
    int64_t most = 1;
    for (int s = 0; s < p->shifts; ++s)
        if (p->shifted[s].reach.lo[0] > most) most = p->shifted[s].reach.lo[0];
    return most;
}

/* Two slabs of rows along axis 0, each as thick as the output is read backwards and not so small
 * that a sweep over one is mostly overhead. */
static tsr_status make_slabs(tsri_program *p, const tsr_array *like)
{
    enum { LEAST_CELLS = 4096 };
    const int ndim = like->layout->geometry.ndim;
    tsr_status st = TSR_OK;
    int64_t plane = 1;

    for (int a = 1; a < ndim; ++a)
        plane *= like->extent[a];
    if (plane == 0 || like->extent[0] == 0) return TSR_OK;
    p->slab_rows = rolling_reach(p);
    if (p->slab_rows * plane < LEAST_CELLS) p->slab_rows = (LEAST_CELLS + plane - 1) / plane;
    if (p->slab_rows > like->extent[0]) p->slab_rows = like->extent[0];
    p->slabs = tsri_alloc_aligned(2 * (size_t)(p->slab_rows * plane) * p->main.size);
    TSRI_CHECK(done, p->slabs != NULL, TSR_ERR_NOMEM, "no memory for two slabs of %lld cells",
               (long long)(p->slab_rows * plane));
done:
    return st;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Exponents that vary come first: those are checked cell by cell. */
static tsr_status sort_exponents(tsri_program *p)
{
    const tsri_form *f = &p->form;
    tsr_status st = TSR_OK;

    for (int k = 0; k < f->exponents; ++k) {
        if (!f->value[f->exponent[k]].varies) continue;
        const int value = f->exponent[k];
        f->exponent[k] = f->exponent[p->checks];
        f->exponent[p->checks++] = value;
    }
    TSRI_ALLOC(done, p->check, p->checks);
done:
    return st;
}

/* Whether finding a scalar may fail: one that is an exponent, or says by how much to shift. */
static bool may_be_refused(const tsri_form *f, int value)
{
    const tsri_value *v = &f->value[value];

    for (int k = 0; k < f->exponents; ++k)
        if (f->exponent[k] == value) return (tsri_dtype_class(v->dtype) & TSRI_I) != 0;
    return v->kind == TSRI_VALUE_APPLY && v->weak &&
           (v->op == TSRI_VECTOR_POWER || v->op == TSRI_VECTOR_LEFT_SHIFT ||
            v->op == TSRI_VECTOR_RIGHT_SHIFT);
}

static tsr_status list_scalars(tsri_program *p)
{
    const tsri_form *f = &p->form;
    tsr_status st = TSR_OK;

    p->filled = TSRI_UNKNOWN;
    TSRI_ALLOC(done, p->scalar, f->count);
    for (int k = 0; k < f->count; ++k) {
        if (f->value[k].varies || f->value[k].kind == TSRI_VALUE_NUMBER) continue;
        p->scalar[p->scalars++] = k;
        p->agrees = p->agrees || may_be_refused(f, k);
    }
done:
    return st;
}

tsr_status tsri_program_make(const tsri_setting *setting, const tsri_tree *tree,
                             const tsri_tree *mask, const tsr_array *like, const tsr_array *into,
                             tsri_program **program)
{
    tsr_status st = TSR_OK;
    tsri_program *p = NULL;

    *program = NULL;
    TSRI_ALLOC(fail, p, 1);
    TSRI_ALLOC(fail, p->text, strlen(tree->text) + 1);
    memcpy(p->text, tree->text, strlen(tree->text) + 1);
    TSRI_TRY(fail, tsri_form_make(setting, tree, mask, &p->form));
    TSRI_TRY(fail, tsri_form_fuse(&p->form, setting->level));
    TSRI_TRY(fail, sort_exponents(p));
    TSRI_TRY(fail, list_scalars(p));
    TSRI_TRY(fail, find_shifted(p, setting->geometry->ndim));
    TSRI_TRY(fail, tsri_program_lower(setting, p));
    TSRI_TRY(fail, make_scratch(p));
    for (int s = 0; s < p->shifts && into != NULL; ++s)
        if (tsri_setting_arg(setting, p->shifted[s].arg)->array->storage == into->storage)
            p->rolling = true;
    if (p->rolling) TSRI_TRY(fail, make_slabs(p, like));
    *program = p;
    return TSR_OK;

fail:
    tsri_program_free(p);
    return st;
}

static void code_clear(tsri_code *code)
{
    tsri_free(code->step);
    tsri_free(code->leaf);
}

void tsri_program_free(tsri_program *p)
{
    if (p == NULL) return;
    for (int k = 0; p->check != NULL && k < p->checks; ++k)
        code_clear(&p->check[k]);
    code_clear(&p->main);
    tsri_form_clear(&p->form);
    tsri_free(p->text);
    tsri_free(p->check);
    tsri_free(p->constant);
    tsri_free(p->scalar);
    tsri_free(p->shifted);
    tsri_free(p->slot_size);
    tsri_free_aligned(p->scratch);
    tsri_free(p->room);
    tsri_free(p->slot);
    tsri_free(p->home);
    tsri_free(p->cursor);
    tsri_free(p->stride);
    tsri_free(p->row_bytes);
    tsri_free_aligned(p->slabs);
    tsri_free(p->exchanged);
    tsri_free(p->reach);
    tsri_free(p);
}
