#include "expr/run.h"

#include "base/checked.h"
#include "base/gate.h"
#include "expr/bind.h"
#include "expr/exponents.h"
#include "expr/ranks.h"
#include "expr/stencil.h"
#include "kern/kern.h"

#include <string.h>

/* ---- what a run is over ---------------------------------------------------------------------- */

static tsri_cells block_of(const tsr_array *array)
{
    tsri_cells cells = {.ndim = array->layout->geometry.ndim};
    memcpy(cells.hi, array->extent, sizeof cells.hi);
    return cells;
}

/* What this rank writes of it. */
static tsri_cells share_of(const tsr_array *array)
{
    const tsr_array share = tsri_array_share(array);
    tsri_cells cells = {.ndim = array->layout->geometry.ndim};

    for (int a = 0; a < cells.ndim; ++a) {
        cells.lo[a] = share.start[a] - array->start[a];
        cells.hi[a] = cells.lo[a] + share.extent[a];
    }
    return cells;
}

/* Before anything is written, on any rank. */
static tsr_status check_exponents(tsri_run *run)
{
    tsri_program *p = tsri_entry_program(run->entry);
    const tsri_cells cells = block_of(run->like);

    if (p->checks == 0) return TSR_OK;
    const tsr_status st =
        run->like->cells > 0 ? tsri_exponents_check(run->request.call, p, &cells) : TSR_OK;
    return tsri_run_is_local(run) ? st : tsri_agree(run->layout->context, st, 0);
}

/* A scalar that is refused as an exponent is agreed on.  A rank that refuses another one, because
 * it was given other arguments, still sends the halo cells that the others wait for. */
static tsr_status bind(tsri_run *run, const tsri_setting *setting)
{
    tsri_program *p = tsri_entry_program(run->entry);
    const tsr_status st = tsri_bind(p, setting, run->like);

    if ((p->agrees || tsri_run_is_watched(run)) && !tsri_run_is_local(run))
        return tsri_agree(run->layout->context, st, 0);
    if (st != TSR_OK && p->shifts > 0 && tsri_stencil_start(p, setting) == TSR_OK)
        (void)tsri_stencil_finish(p);
    return st;
}

/* ---- the block ------------------------------------------------------------------------------- */

/* Into an array that is read beyond the block: one slab of rows after the other, each kept back
 * until the next one is computed, too.  A slab is as thick as the array is read backwards, so
 * nothing is overwritten before its last use. */
static void run_rolling(tsri_program *p, tsr_array *output)
{
    const int ndim = output->layout->geometry.ndim;
    const size_t size = p->main.size;
    unsigned char *origin = tsri_array_origin(output);
    tsri_cells cells = block_of(output);
    int64_t stride[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    const int64_t rows = output->extent[0];

    memcpy(extent, output->extent, sizeof extent);
    extent[0] = p->slab_rows;
    const int64_t slab = tsri_c_strides(ndim, extent, stride);
    for (int64_t at = 0; at < rows + p->slab_rows; at += p->slab_rows) {
        const int64_t before = at - p->slab_rows;
        unsigned char *const room[] = {p->slabs, p->slabs + (size_t)slab * size};
        const int64_t turn = at / p->slab_rows % 2;
        cells.lo[0] = at;
        cells.hi[0] = at + p->slab_rows < rows ? at + p->slab_rows : rows;
        if (at < rows) {
            tsri_bind_output(p, room[turn] - (ptrdiff_t)(at * stride[0]) * (ptrdiff_t)size, stride,
                             ndim);
            tsri_sweep(p, &p->main, &cells);
        }
        if (before < 0) continue;
        extent[0] = at < rows ? p->slab_rows : rows - before;
        tsri_kern_get()->copy(size, ndim, extent,
                              origin + (ptrdiff_t)(before * output->stride[0]) * (ptrdiff_t)size,
                              output->stride, room[1 - turn], stride);
    }
}

/* All cells, when everything that they read is there. */
static void run_block(tsri_program *p, tsr_array *output)
{
    const tsri_cells cells = share_of(output);

    if (p->rolling && output->cells > 0 && tsri_array_is_writer(output))
        run_rolling(p, output);
    else if (!p->rolling && tsri_array_share(output).cells > 0)
        tsri_sweep(p, &p->main, &cells);
}

/* The inner cells while the halo travels, then the others; all at once when it is there already,
 * since thin rims are slow. */
static tsr_status run_overlapped(tsri_run *run, tsr_array *output)
{
    tsri_program *p = tsri_entry_program(run->entry);
    const bool here = output->cells > 0;
    tsri_cells inner, rims[TSRI_MAX_RIMS];
    bool arrived = false;

    const tsr_status tested = tsr_halo_test(p->pending, &arrived);
    const bool overlaps = here && !arrived && tested == TSR_OK;
    tsri_stencil_inner(p, output, &inner);
    if (overlaps) tsri_sweep(p, &p->main, &inner);
    const tsr_status st = tsri_stencil_finish(p);
    if (tested != TSR_OK || st != TSR_OK) return tested != TSR_OK ? tested : st;
    if (!overlaps) {
        run_block(p, output);
        return TSR_OK;
    }
    const int count = tsri_stencil_rims(output, &inner, rims);
    for (int k = 0; k < count; ++k)
        tsri_sweep(p, &p->main, &rims[k]);
    return TSR_OK;
}

/* Whether the inner cells may be written before the halo is there: not when a boundary function of
 * the user may fail meanwhile, since a failed call leaves its output alone. */
static bool may_overlap(const tsri_run *run, const tsri_setting *setting)
{
    const tsri_program *p = tsri_entry_program(run->entry);

    if (p->checks > 0 || p->rolling || run->layout->geometry.whole) return false;
    for (int s = 0; s < p->shifts; ++s) {
        const tsr_array *array = tsri_setting_arg(setting, p->shifted[s].arg)->array;
        for (int a = 0; a < setting->geometry->ndim; ++a)
            if (array->boundary[a][0].kind == TSR_CALLBACK ||
                array->boundary[a][1].kind == TSR_CALLBACK)
                return false;
    }
    return true;
}

static void bind_output(tsri_program *p, tsr_array *output)
{
    const int ndim = output->layout->geometry.ndim;

    tsri_bind_output(p, tsri_array_origin(output), output->stride, ndim);
    for (int k = 0; k < p->form.leaves; ++k)
        if (p->form.leaf[k].kind == TSRI_LEAF_OUTPUT) {
            p->home[k].at = tsri_array_origin(output);
            memcpy(p->home[k].stride, output->stride, sizeof output->stride);
        }
}

static tsr_status run_into(tsri_run *run, tsr_array *output)
{
    tsri_program *p = tsri_entry_program(run->entry);
    const tsri_setting setting = tsri_setting_of(&run->request, run->like);
    tsr_status st = TSR_OK;

    TSRI_TRY(done, bind(run, &setting));
    bind_output(p, output);
    if (p->shifts == 0) {
        TSRI_TRY(done, check_exponents(run));
        run_block(p, output);
        return TSR_OK;
    }
    TSRI_TRY(done, tsri_stencil_start(p, &setting));
    if (may_overlap(run, &setting)) return run_overlapped(run, output);
    TSRI_TRY(done, tsri_stencil_finish(p));
    TSRI_TRY(done, check_exponents(run));
    run_block(p, output);
done:
    return st;
}

tsr_status tsri_run_each(tsri_run *run, const int64_t *other, tsri_band_visitor *visit, void *state)
{
    tsri_program *p = tsri_entry_program(run->entry);
    const tsri_setting setting = tsri_setting_of(&run->request, run->like);
    const tsri_cells cells = block_of(run->like);
    tsr_status st = TSR_OK;

    TSRI_TRY(done, bind(run, &setting));
    if (p->shifts > 0) {
        TSRI_TRY(done, tsri_stencil_start(p, &setting));
        TSRI_TRY(done, tsri_stencil_finish(p));
    }
    TSRI_TRY(done, check_exponents(run));
    if (run->like->cells > 0) tsri_sweep_bands(p, &p->main, &cells, other, visit, state);
done:
    return st;
}

/* ---- preparing ------------------------------------------------------------------------------- */

static const tsr_array *first_array(int count, const tsr_arg *args)
{
    for (int k = 0; args != NULL && k < count; ++k)
        if (args[k].kind == TSR_ARG_ARRAY && args[k].array != NULL) return args[k].array;
    return NULL;
}

static tsr_status check_request(const tsri_eval_request *r)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(r->call, done, r->text != NULL, TSR_ERR_VALUE, "the expression is NULL");
    TSRI_CHECK_IN(r->call, done,
                  r->mask == NULL || r->mask->kind == TSR_ARG_ARRAY ||
                      (r->mask->kind == TSR_ARG_TEXT && r->mask->text != NULL),
                  TSR_ERR_VALUE, "the mask must be an array or an expression");
    TSRI_CHECK_IN(r->call, done, r->count >= 0 && (r->count == 0 || r->args != NULL), TSR_ERR_VALUE,
                  "%d arguments given, must be >= 0, and the list not NULL", r->count);
done:
    return st;
}

static tsr_status find_program(tsri_run *run)
{
    const tsri_eval_request *r = &run->request;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_args_check(r->call, run->layout, r->count, r->args));
    if (r->mask != NULL) TSRI_TRY(done, tsri_args_check(r->call, run->layout, 1, r->mask));
    TSRI_TRY(done, tsri_program_of(r, run->like, &run->entry));
    const tsri_form *f = &tsri_entry_program(run->entry)->form;
    run->dtype = f->dtype;
    if (r->into == NULL && f->first_array >= 0) run->layout = r->args[f->first_array].array->layout;
done:
    return st;
}

/* Memory may be missing on one rank alone; with shifts the others would wait for its halo cells. */
static tsr_status check_storage(const tsri_run *run, bool agrees)
{
    const tsri_eval_request *r = &run->request;
    tsr_status st = TSR_OK;
    bool has_storage = false;

    for (int k = 0; k < r->count && st == TSR_OK; ++k) {
        if (r->args[k].kind != TSR_ARG_STORAGE_DATA) continue;
        has_storage = true;
        if (r->args[k].data == NULL && run->like->cells > 0)
            st =
                TSRI_FAIL_IN(r->call, TSR_ERR_VALUE, "the storage \"%s\" is NULL", r->args[k].name);
    }
    if (!has_storage || agrees || tsri_run_is_local(run) ||
        tsri_entry_program(run->entry)->shifts == 0)
        return st;
    return tsri_agree(run->layout->context, st, 0);
}

static tsr_status prepare(tsr_status earlier, const tsri_eval_request *request, tsri_run *run)
{
    tsr_status st = TSR_OK;

    *run = (tsri_run){.request = *request, .like = first_array(request->count, request->args)};
    if (run->like != NULL) run->layout = run->like->layout;
    TSRI_TRY(done, earlier);
    TSRI_TRY(done, check_request(request));
    TSRI_CHECK_IN(request->call, done, run->like != NULL, TSR_ERR_VALUE,
                  "there is no array among the arguments");
    TSRI_TRY(done, find_program(run));
    TSRI_TRY(done, check_storage(run, true));
    TSRI_CHECK_IN(request->call, done, tsri_entry_program(run->entry)->form.first_array >= 0,
                  TSR_ERR_VALUE, "there is no array in the expression \"%.100s\"", request->text);
done:
    return st;
}

tsr_status tsri_run_prepare(const char *call, const char *text, int count, const tsr_arg *args,
                            tsr_dtype dtype, tsri_run *run)
{
    return prepare(TSR_OK,
                   &(tsri_eval_request){
                       .call = call, .text = text, .count = count, .args = args, .output = dtype},
                   run);
}

uint64_t tsri_run_hash(const tsri_run *run)
{
    return run->entry == NULL ? TSRI_HASH_START : tsri_eval_request_hash(&run->request);
}

void tsri_run_settle(tsri_run *run, bool agreed)
{
    if (run->entry == NULL || !tsri_entry_is_fresh(run->entry)) return;
    if (agreed)
        tsri_entry_keep(run->entry, run->like->layout);
    else
        tsri_entry_drop(run->entry);
    if (!agreed) run->entry = NULL;
}

/* A fresh program is agreed on before it is used, whatever happened to this rank; so is a failure
 * where others are about to agree before they write. */
static tsr_status settle(tsri_run *run, tsr_status st)
{
    const bool kept = run->entry != NULL && !tsri_entry_is_fresh(run->entry);

    if (kept && st == TSR_OK) st = check_storage(run, false);
    if (kept && (st == TSR_OK || !tsri_run_is_watched(run))) return st;
    if (st == TSR_OK) st = check_storage(run, true);
    if (!tsri_run_is_local(run)) st = tsri_agree(run->layout->context, st, tsri_run_hash(run));
    tsri_run_settle(run, st == TSR_OK);
    return st;
}

tsr_status tsri_run_write(const tsri_eval_request *request, tsr_array *output)
{
    tsri_run run = {.request = *request, .like = output, .layout = output->layout};
    tsr_status st = TSR_OK;

    run.request.into = output;
    run.request.output = output->dtype;
    st = check_request(&run.request);
    if (st == TSR_OK) st = find_program(&run);
    const tsr_status entered = tsri_run_enter(&run);
    if (entered != TSR_OK) {
        tsri_run_settle(&run, false);
        return entered;
    }
    if (output->storage->pending != 0)
        st = TSRI_FAIL_IN(request->call, TSR_ERR_STATE,
                          "an exchange of the output is pending; finish it first");
    TSRI_TRY(done, settle(&run, st));
    TSRI_TRY(done, run_into(&run, output));
    tsri_array_meet(output);
done:
    return st;
}

tsr_status tsri_run_new(tsr_status earlier, const tsri_eval_request *request, tsr_array **output)
{
    tsri_run run;
    tsr_array *made = NULL;
    tsr_status st = earlier;

    if (output != NULL) *output = NULL;
    if (st == TSR_OK && output == NULL)
        st = TSRI_FAIL_IN(request->call, TSR_ERR_VALUE,
                          "out is NULL, must point to where the handle goes");
    st = prepare(st, request, &run);
    if (run.like == NULL) return st;
    st = tsri_array_create_after(st, run.layout, st == TSR_OK ? run.dtype : TSR_F64, request->call,
                                 tsri_run_hash(&run), &made);
    tsri_run_settle(&run, st == TSR_OK);
    TSRI_TRY(fail, st);
    TSRI_TRY(fail, run_into(&run, made));
    tsri_array_clear_halo(made);
    tsri_array_meet(made);
    *output = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}
