#include "support/node_steps.h"

#include "support/cells.h"
#include "support/file_cases.h"
#include "support/layout_cases.h"

/* ---- what programs did ----------------------------------------------------------------------- */

int node_draw(node_program *p, int limit)
{
    return tsrt_random(&p->seed, limit);
}

static void note(node_program *p, const void *data, size_t bytes)
{
    while (p->bytes + bytes > p->room) {
        p->room = 2 * p->room + 4096;
        p->log = realloc(p->log, p->room);
        CHECK(p->log != NULL);
    }
    if (bytes > 0) memcpy(p->log + p->bytes, data, bytes);
    p->bytes += bytes;
}

/* Every cell of the storage; what is only read needs no synchronisation. */
void node_note(node_program *p, const tsr_array *array)
{
    const tsr_view view = tsr_local(array);
    int64_t local[TSR_MAX_NDIM];

    note(p, view.extent, sizeof view.extent);
    for (int64_t k = 0, n = stored_cells(&view); k < n; ++k) {
        (void)stored_cell(&view, k, local);
        note(p, cell_at(&view, local), tsr_dtype_size(view.dtype));
    }
}

/* What a step made, which is then given up. */
static void note_new(node_program *p, tsr_array **array)
{
    node_note(p, *array);
    CHECK_OK(tsr_array_destroy(array));
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void eval_indices(node_program *p)
{
    CHECK_OK(p->ndim > 1 ? tsr_eval(p->a, "i0*3 - i1 + 1") : tsr_eval(p->a, "i0*3 + 1"));
}

static void eval_in_place(node_program *p)
{
    CHECK_OK(tsr_eval(p->a, "2*a - b", TSR_ARG_AS("a", p->a), TSR_ARG_AS("b", p->b)));
    CHECK_OK(tsr_eval_where(p->b, "a > 3", "a - 7", TSR_ARG_AS("a", p->a)));
}

static const char *shifted(const node_program *p)
{
    static const char *const text[] = {"a[-1] + 2*a[1]", "a[-1,0] + 2*a[0,1] - a[1,-1]",
                                       "a[-1,0,1] + 2*a[0,1,0] - a[1,0,0]"};
    return text[p->ndim - 1];
}

static bool reaches(const node_program *p)
{
    bool all = true;
    for (int a = 0; a < p->ndim; ++a)
        all = all && tsr_layout_halo_lo(p->layout)[a] > 0 && tsr_layout_halo_hi(p->layout)[a] > 0;
    return all;
}

static void stencil(node_program *p)
{
    tsr_scalar sum;
    if (!reaches(p)) return;
    CHECK_OK(tsr_eval(p->b, shifted(p), TSR_ARG_AS("a", p->a)));
    CHECK_OK(tsr_sum_expr(&sum, shifted(p), TSR_ARG_AS("a", p->b)));
    note(p, &sum.as, sizeof sum.as.i);
}

static void stencil_in_place(node_program *p)
{
    if (reaches(p)) CHECK_OK(tsr_eval(p->a, shifted(p), TSR_ARG_AS("a", p->a)));
}

static void eval_new(node_program *p)
{
    tsr_array *made = NULL;
    CHECK_OK(tsr_eval_new(&made, "a*b + 1", TSR_ARG_AS("a", p->a), TSR_ARG_AS("b", p->b)));
    note_new(p, &made);
}

static void copies(node_program *p)
{
    tsr_array *made = NULL;
    CHECK_OK(tsr_copy(p->a, &made));
    note_new(p, &made);
    CHECK_OK(tsr_astype(p->b, TSR_I16, &made));
    note_new(p, &made);
    CHECK_OK(tsr_full_like(p->a, tsr_i64(5), &made));
    note_new(p, &made);
}

/* Writes the first cell that it is asked for. */
static tsr_status walls(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                        const int64_t *hi, void *ctx)
{
    (void)side;
    (void)ctx;
    for (int a = 0; a < view.ndim; ++a)
        if (lo[a] >= hi[a]) return TSR_OK;
    memset(cell_at(&view, lo), 1 + axis, 1);
    return TSR_OK;
}

static void halo(node_program *p)
{
    static const tsr_boundary_kind kinds[] = {TSR_LEAVE, TSR_CONSTANT, TSR_EDGE, TSR_SYMMETRIC};
    const int kind = node_draw(p, 5);
    tsr_pending *first = NULL, *second = NULL;

    for (int a = 0; a < p->ndim; ++a)
        if (p->shape[a] == 0) return;
    if (kind < 4)
        CHECK_OK(
            tsr_array_set_boundary(p->a, TSR_ALL_AXES, TSR_BOTH_SIDES, kinds[kind], tsr_i64(9)));
    else
        CHECK_OK(tsr_array_set_boundary_function(p->a, TSR_ALL_AXES, TSR_BOTH_SIDES, walls, NULL));
    CHECK_OK(tsr_halo_update(p->a, NULL));
    node_note(p, p->a);
    CHECK_OK(tsr_array_set_boundary(p->a, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_i64(0)));
    CHECK_OK(tsr_halo_start(1, &p->a, NULL, &first));
    CHECK_OK(tsr_halo_start(1, &p->b, NULL, &second));
    if (tsrt_rank() % 2 == 0) CHECK_OK(tsr_halo_finish(&second)); /* in any order */
    CHECK_OK(tsr_halo_finish(&first));
    CHECK_OK(tsr_halo_finish(&second));
    node_note(p, p->b);
    CHECK_OK(tsr_halo_accumulate_many(2, (tsr_array *const[]){p->a, p->b}, NULL));
}

static void halo_clear(node_program *p)
{
    CHECK_OK(tsr_halo_update(p->a, NULL));
    CHECK_OK(tsr_halo_clear(p->a, TSR_AXES(0)));
}

/* A distributed array of the shape. */
static tsr_array *distributed(const node_program *p)
{
    tsr_array *array = NULL;
    CHECK_OK(tsr_zeros(p->cut, p->dtype, &array));
    CHECK_OK(tsr_eval(array, p->ndim > 1 ? "2*i0 + i1" : "2*i0 + 1"));
    return array;
}

static void assign(node_program *p)
{
    tsr_array *values = distributed(p);
    CHECK_OK(tsr_assign(p->a, "::2", 4));
    CHECK_OK(tsr_assign(p->a, "::-1", p->a)); /* from itself */
    CHECK_OK(tsr_assign(p->b, "...", p->a));
    node_note(p, p->b);
    CHECK_OK(tsr_assign(p->b, "::-1", values));
    CHECK_OK(tsr_array_destroy(&values));
}

static void assign_listed(node_program *p)
{
    const int64_t last = p->shape[0] - 1;
    tsr_array *mask = NULL, *values = NULL;
    tsr_scalar count;

    if (p->shape[0] == 0) return;
    CHECK_OK(tsr_assign_list(p->a, 0, 3, TSR_SHAPE(last, 0, last), 6));
    node_note(p, p->a);
    CHECK_OK(tsr_eval_new(&mask, "a > 1", TSR_ARG_AS("a", p->a)));
    CHECK_OK(tsr_assign_mask(p->b, mask, 8));
    node_note(p, p->b);
    CHECK_OK(tsr_sum(mask, &count));
    CHECK_OK(tsr_arange(TSR_COMM_WORLD, tsr_i64(0), count, tsr_i64(1), p->dtype,
                        &(tsr_layout_options){.allow_empty = true}, &values));
    CHECK_OK(tsr_assign_mask(p->b, mask, values));
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&values));
}

static void redistribute(node_program *p)
{
    tsr_array *values = distributed(p), *moved = NULL;
    CHECK_OK(tsr_redistribute_into(values, p->a));
    CHECK_OK(tsr_redistribute_into(p->a, p->b));
    CHECK_OK(tsr_redistribute(values, p->layout, &moved));
    note_new(p, &moved);
    CHECK_OK(tsr_redistribute(p->b, p->cut, &moved));
    note_new(p, &moved);
    CHECK_OK(tsr_array_with(p->a, &(tsr_layout_options){.halo = {3}}, &moved));
    CHECK(tsr_layout_is_node_shared(tsr_array_layout(moved)) == p->shared);
    note_new(p, &moved);
    CHECK_OK(tsr_array_destroy(&values));
}

static void rearrange(node_program *p)
{
    tsr_array *const both[] = {p->a, p->b};
    const int64_t two[] = {2, 1, 3};
    tsr_array *made = NULL;

    CHECK_OK(tsr_roll(p->a, two, &made));
    note_new(p, &made);
    CHECK_OK(tsr_transpose(p->a, NULL, NULL, &made));
    note_new(p, &made);
    CHECK_OK(tsr_pad(p->b, two, NULL, TSR_PAD_CONSTANT, tsr_i64(7), &made));
    note_new(p, &made);
    CHECK_OK(tsr_concatenate(2, both, 0, &made));
    note_new(p, &made);
    CHECK_OK(tsr_stack(2, both, 1, &made));
    note_new(p, &made);
}

static void reduce(node_program *p)
{
    tsr_array *made = NULL;
    tsr_scalar value;
    double norm;

    CHECK_OK(tsr_sum(p->a, &value));
    note(p, &value.as, sizeof value.as.i);
    CHECK_OK(tsr_norm(p->b, 2, &norm));
    note(p, &norm, sizeof norm);
    CHECK_OK(tsr_cumsum(p->a, node_draw(p, p->ndim), NULL, &made));
    note_new(p, &made);
    CHECK_OK(tsr_sum_axes(p->b, TSR_AXES(0), NULL, &made));
    note_new(p, &made);
    CHECK_OK(tsr_allreduce_replicated(p->a, TSR_MAX));
}

static void files(node_program *p)
{
    tsr_array *read = NULL;
    CHECK_OK(tsr_save(file_path("node.npy"), p->a));
    CHECK_OK(tsr_load_as(file_path("node.npy"), p->layout, TSR_AUTO, &read));
    note_new(p, &read);
    tsrt_barrier();
}

static tsr_status of_index(const int64_t *index, int64_t count, void *values, void *ctx)
{
    const node_program *p = ctx;
    const size_t size = tsr_dtype_size(p->dtype);
    for (int64_t k = 0; k < count; ++k)
        memset((char *)values + k * (int64_t)size, (int)(index[p->ndim - 1] + k) & 1, size);
    return TSR_OK;
}

static void data_in(node_program *p)
{
    const int64_t cells = tsr_layout_cells(p->layout);
    unsigned char *data = calloc((size_t)cells + 1, tsr_dtype_size(p->dtype));
    tsr_array *made = NULL;

    for (int64_t k = 0; k < cells; ++k)
        data[(size_t)k * tsr_dtype_size(p->dtype)] = (unsigned char)(k % 2);
    CHECK_OK(tsr_from_global(p->layout, p->dtype, data, NULL, &made));
    note_new(p, &made);
    CHECK_OK(tsr_from_local(p->layout, p->dtype, data, p->shape, NULL, &made));
    note_new(p, &made);
    CHECK_OK(tsr_scatter(p->layout, p->dtype, tsrt_size() - 1, data, NULL, &made));
    note_new(p, &made);
    CHECK_OK(tsr_fromfunction(p->layout, p->dtype, of_index, p, &made));
    note_new(p, &made);
    CHECK_OK(tsr_gather(p->a, TSR_ALL_RANKS, data));
    note(p, data, (size_t)cells * tsr_dtype_size(p->dtype));
    CHECK_OK(tsr_arange(TSR_COMM_WORLD, tsr_i64(3), tsr_i64(700), tsr_i64(2), TSR_AUTO,
                        &(tsr_layout_options){.split = TSR_WHOLE, .node_shared = p->shared},
                        &made));
    note_new(p, &made);
    free(data);
}

/* Cells that the program writes itself, each rank its share. */
static void raw(node_program *p)
{
    const tsr_view mine = tsr_local_share(p->a);
    int64_t local[TSR_MAX_NDIM];

    CHECK_OK(tsr_array_sync(p->a));
    for (int64_t k = 0, n = stored_cells(&mine); k < n; ++k) {
        if (!stored_cell(&mine, k, local)) continue;
        memset(cell_at(&mine, local), (int)(mine.start[0] + local[0]) % 3, 1);
    }
    CHECK_OK(tsr_array_sync(p->a));
}

static void swap(node_program *p)
{
    CHECK_OK(tsr_array_swap(p->a, p->b));
}

#define STEP(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }
static const struct {
    const char *name;
    void (*run)(node_program *p);
} steps[] = {STEP(eval_indices), STEP(eval_in_place), STEP(stencil),      STEP(stencil_in_place),
             STEP(eval_new),     STEP(copies),        STEP(halo),         STEP(halo_clear),
             STEP(assign),       STEP(assign_listed), STEP(redistribute), STEP(rearrange),
             STEP(reduce),       STEP(files),         STEP(data_in),      STEP(raw),
             STEP(swap)};

int node_step_kinds(void)
{
    return sizeof steps / sizeof steps[0];
}

const char *node_step_name(int kind)
{
    return steps[kind].name;
}

void node_step_run(int kind, node_program *p)
{
    steps[kind].run(p);
}
