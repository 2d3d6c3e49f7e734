#define _POSIX_C_SOURCE 200809L

#include "support/fault_cases.h"

#include <stdio.h>

/* ---- the calls ------------------------------------------------------------------------------- */

/* A call of the stage `s`. */
#define CALLS(name, ...)                                                                           \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        return (__VA_ARGS__);                                                                      \
    }

/* A call that makes an array `out`. */
#define MAKES(name, ...)                                                                           \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        tsr_array *out = s->array;                                                                 \
        const tsr_status st = (__VA_ARGS__);                                                       \
        CHECK((out == NULL) == (st != TSR_OK));                                                    \
        (void)tsr_array_destroy(&out);                                                             \
        return st;                                                                                 \
    }

static tsr_status indices(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = (double)(index[0] + index[1] + j);
    return TSR_OK;
}

static const double global[30];

MAKES(empty, tsr_empty(s->layout, TSR_F64, &out))
MAKES(zeros, tsr_zeros(s->layout, TSR_C128, &out))
MAKES(ones, tsr_ones(s->layout, TSR_BOOL, &out))
MAKES(full, tsr_full(s->layout, TSR_AUTO, tsr_i64(3), &out))
MAKES(empty_like, tsr_empty_like(s->array, &out))
MAKES(zeros_like, tsr_zeros_like(s->array, &out))
MAKES(ones_like, tsr_ones_like(s->array, &out))
MAKES(full_like, tsr_full_like(s->array, tsr_f64(3), &out))
MAKES(arange, tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO, NULL, &out))
MAKES(linspace, tsr_linspace(TSR_COMM_WORLD, tsr_f64(0), tsr_f64(1), 9, true, TSR_AUTO, NULL, &out))
MAKES(fromfunction, tsr_fromfunction(s->layout, TSR_F64, indices, NULL, &out))
MAKES(from_global, tsr_from_global(s->layout, TSR_F64, global, NULL, &out))
MAKES(copy, tsr_copy(s->array, &out))
MAKES(astype, tsr_astype(s->array, TSR_I16, &out))
MAKES(redistribute, tsr_redistribute(s->array, s->columns, &out))
MAKES(array_with, tsr_array_with(s->array, &(tsr_layout_options){.split = 2}, &out))
MAKES(rebalance, tsr_rebalance(s->array, s->array, &out))
MAKES(transpose, tsr_transpose(s->array, NULL, NULL, &out))
MAKES(roll, tsr_roll(s->array, TSR_SHAPE(1, 2), &out))
MAKES(pad, tsr_pad(s->array, TSR_SHAPE(1, 2), NULL, TSR_PAD_WRAP, tsr_i64(0), &out))
MAKES(concatenate, tsr_concatenate(2, (tsr_array *const[]){s->array, s->second}, 0, &out))
MAKES(stack, tsr_stack(2, (tsr_array *const[]){s->array, s->second}, 1, &out))
MAKES(load, tsr_load(s->path, TSR_COMM_WORLD, NULL, &out))

static tsr_status create_layout(const tsr_layout_options *options)
{
    tsr_layout *out = (tsr_layout *)&out;
    const tsr_status st = tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5), options, &out);
    CHECK((out == NULL) == (st != TSR_OK));
    (void)tsr_layout_destroy(&out);
    return st;
}

static tsr_status layout(stage *s)
{
    (void)s;
    return create_layout(&(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1}});
}

static tsr_status layout_with_cuts(stage *s)
{
    int64_t cuts[64] = {0};
    (void)s;
    for (int k = 1; k < tsrt_size(); ++k)
        cuts[k] = k;
    cuts[tsrt_size()] = 12;
    return create_layout(&(tsr_layout_options){.cuts = {cuts}, .ncuts = {tsrt_size() + 1}});
}

static tsr_status first_use_of_a_communicator(stage *s)
{
    tsr_array *out = s->array;
    tsr_comm comm = TSR_COMM_WORLD;
#ifndef TSR_SERIAL
    CHECK(MPI_Comm_dup(TSR_COMM_WORLD, &comm) == MPI_SUCCESS);
#endif
    const tsr_status st =
        tsr_arange(comm, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO, NULL, &out);
    CHECK((out == NULL) == (st != TSR_OK));
    (void)tsr_array_destroy(&out);
#ifndef TSR_SERIAL
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
#endif
    return st;
}

/* A copy a node: made, computed, copied. */
static tsr_status node_shared(stage *s)
{
    const tsr_layout_options options = {.split = TSR_WHOLE, .node_shared = true};
    tsr_layout *node = NULL;
    tsr_array *out = NULL, *copied = NULL;
    tsr_status st = tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(9), &options, &node);

    (void)s;
    if (st == TSR_OK) st = tsr_zeros(node, TSR_F64, &out);
    if (st == TSR_OK) st = tsr_eval(out, "i0 + 1");
    if (st == TSR_OK) st = tsr_copy(out, &copied);
    CHECK((copied == NULL) == (st != TSR_OK));
    (void)tsr_array_destroy(&copied);
    (void)tsr_array_destroy(&out);
    (void)tsr_layout_destroy(&node);
    return st;
}

CALLS(update, tsr_halo_update(s->array, NULL))
CALLS(update_faces,
      tsr_halo_update(s->array, &(tsr_halo_options){.faces_only = true, .width_lo = {1}}))
CALLS(accumulate, tsr_halo_accumulate(s->array, NULL))
CALLS(update_many, tsr_halo_update_many(2, (tsr_array *const[]){s->array, s->second}, NULL))

static tsr_status start_and_finish(stage *s)
{
    tsr_pending *pending = (tsr_pending *)s;
    tsr_status st = tsr_halo_start(1, &s->array, NULL, &pending);
    CHECK((pending == NULL) == (st != TSR_OK));
    if (st == TSR_OK) st = tsr_halo_finish(&pending);
    CHECK(pending == NULL);
    return st;
}

static tsr_status fill(tsr_view view, int axis, tsr_side side, const int64_t *lo, const int64_t *hi,
                       void *ctx)
{
    (void)view, (void)axis, (void)side, (void)lo, (void)hi, (void)ctx;
    return TSR_OK;
}

static tsr_status update_with_callback(stage *s)
{
    const tsr_boundary walls[4] = {[2] = {.kind = TSR_CALLBACK, .callback = fill}};
    return tsr_halo_update(s->array, &(tsr_halo_options){.boundary = walls});
}

CALLS(gather, tsr_gather(s->array, TSR_ALL_RANKS, s->buffer))
CALLS(gather_to_last, tsr_gather(s->array, tsrt_size() - 1, s->buffer))

/* A call that reads a scalar `value`. */
#define READS(name, ...)                                                                           \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        tsr_scalar value;                                                                          \
        return (__VA_ARGS__);                                                                      \
    }

READS(get, tsr_get(s->array, TSR_SHAPE(-1, 2), &value))

/* ---- parts ------------------------------------------------------------------------------------
 */

MAKES(select_part, tsr_select(s->array, "::-1, 1:", &out))
MAKES(select_list, tsr_select_list(s->array, 0, 4, TSR_SHAPE(5, 0, -1, 2), &out))
MAKES(select_points, tsr_select_points(s->array, 2, TSR_SHAPE(5, 0, -6, 2), &out))
MAKES(select_mask, tsr_select_mask(s->array, s->mask, &out))

CALLS(gather_part, tsr_gather_part(s->array, ":, 2", tsrt_size() - 1, s->buffer))
CALLS(assign_part, tsr_assign(s->array, "::-1, 1:", s->twos))
CALLS(assign_list, tsr_assign_list(s->second, 1, 4, TSR_SHAPE(4, 0, 1, 1), s->twos))
CALLS(assign_mask, tsr_assign_mask(s->second, s->mask, s->thirty))
READS(sum, tsr_sum(s->array, &value))
READS(min, tsr_min(s->array, &value))
READS(max, tsr_max(s->second, &value))

CALLS(save, tsr_save(s->path, s->array))

static tsr_status save_png(stage *s)
{
    char path[300];
    snprintf(path, sizeof path, "%s.png", s->path);
    const tsr_status st = tsr_save_png(path, s->array, NULL);
    return st == TSR_ERR_UNSUPPORTED ? TSR_OK : st; /* built without pictures */
}

/* ---- layouts from weights, data in ------------------------------------------------------------
 */

static const double weights[60];

/* A call that makes a layout `out`. */
#define MAKES_LAYOUT(name, ...)                                                                    \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        tsr_layout *out = s->layout;                                                               \
        const tsr_status st = (__VA_ARGS__);                                                       \
        CHECK((out == NULL) == (st != TSR_OK));                                                    \
        (void)tsr_layout_destroy(&out);                                                            \
        return st;                                                                                 \
    }

MAKES_LAYOUT(layout_aligned, tsr_layout_create_aligned(s->layout, 2, TSR_SHAPE(7, 5), NULL, &out))
MAKES_LAYOUT(layout_weighted,
             tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5), weights, NULL, &out))
MAKES_LAYOUT(layout_profiled,
             tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5),
                                        (const tsr_profile[]){{12, weights}, {0, NULL}}, NULL,
                                        &out))
MAKES_LAYOUT(layout_balanced, tsr_layout_create_balanced(s->array, NULL, &out))
MAKES_LAYOUT(layout_reordered, tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5),
                                                 &(tsr_layout_options){.reorder = true}, &out))

static double adopted[1000];

MAKES(adopt, tsr_adopt(s->layout, TSR_F64, adopted, sizeof adopted, &out))
MAKES(scatter, tsr_scatter(s->layout, TSR_F64, tsrt_size() - 1, global, NULL, &out))
MAKES(from_local,
      tsr_from_local(s->layout, TSR_F64, global, tsr_local(s->array).extent, NULL, &out))
MAKES(from_pieces, tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(1 + tsrt_rank(), 5), 0, TSR_F64,
                                   weights, NULL, NULL, &out))

CALLS(allreduce_replicated, tsr_allreduce_replicated(s->replicated, TSR_MAX))

/* Three rows, one of which stays; after a failure they are as they were. */
static tsr_status migrate(stage *s)
{
    (void)s;
    const int owner[] = {tsrt_size() - 1, tsrt_rank(), 0};
    int64_t n = 3, *id = calloc(3, sizeof *id);
    char *tag = calloc(3, 5);
    CHECK(id != NULL && tag != NULL);
    memcpy(tag, "first2ndXXthird", 15);
    memcpy(id, (const int64_t[]){5, 6, 7}, 3 * sizeof *id);
    const tsr_status st =
        tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(id, sizeof *id), TSR_ROWS(tag, 5));
    if (st != TSR_OK)
        CHECK(n == 3 && id[0] == 5 && id[2] == 7 && memcmp(tag, "first2ndXXthird", 15) == 0);
    free(id);
    free(tag);
    return st;
}

/* Larger than what goes up and down a tree. */
static void with_large(stage *s)
{
    tsr_layout *whole = NULL;
    CHECK_OK(tsr_array_destroy(&s->replicated));
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(300),
                               &(tsr_layout_options){.split = TSR_WHOLE}, &whole));
    CHECK_OK(tsr_ones(whole, TSR_F64, &s->replicated));
    CHECK_OK(tsr_layout_destroy(&whole));
}

/* ---- shared memory -----------------------------------------------------------------------------
 */

static void with_manager(stage *s)
{
    CHECK_OK(tsr_shm_create(TSR_COMM_WORLD, NULL, &s->shm));
    CHECK_OK(tsr_shm_ones_node(s->shm, TSR_F64, 1, TSR_SHAPE(300), &s->map));
}

static tsr_status shm_create(stage *s)
{
    tsr_shm *out = (tsr_shm *)s;
    const tsr_status st = tsr_shm_create(TSR_COMM_WORLD, NULL, &out);
    CHECK((out == NULL) == (st != TSR_OK));
    CHECK_OK(tsr_shm_destroy(&out));
    return st;
}

/* A call that makes a shared array `out`. */
#define MAKES_SHARED(name, ...)                                                                    \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        tsr_shm_array *out = s->map;                                                               \
        const tsr_status st = (__VA_ARGS__);                                                       \
        CHECK((out == NULL) == (st != TSR_OK));                                                    \
        if (st == TSR_OK) CHECK_OK(tsr_shm_free(&out));                                            \
        return st;                                                                                 \
    }
MAKES_SHARED(shm_zeros_node, tsr_shm_zeros_node(s->shm, TSR_F32, 1, TSR_SHAPE(99), &out))

static tsr_status add_one(tsr_view scratch, void *ctx)
{
    (void)ctx;
    TSR_AT(double, scratch, tsrt_rank()) += 1;
    return TSR_OK;
}

static tsr_status shm_accumulate(stage *s)
{
    const tsr_status st = tsr_shm_accumulate(s->map, TSR_SUM, add_one, NULL);
    const double *values = tsr_shm_data(s->map);
    for (int i = 0; i < 300; ++i)
        CHECK_DOUBLE(values[i], st == TSR_OK ? i < tsrt_size() : values[0], 0);
    return st;
}

CALLS(shm_allreduce, tsr_shm_allreduce(s->map, TSR_MAX))
CALLS(shm_set, tsr_shm_set(s->map, tsrt_size() - 1, TSR_SHAPE(3), TSR_SHAPE(8), global))

/* ---- files --------------------------------------------------------------------------------------
 */

/* An old file of ones, which a failed save leaves as it was. */
static void old_file(stage *s)
{
    tsr_array *ones = NULL;
    CHECK_OK(tsr_ones(s->layout, TSR_F64, &ones));
    CHECK_OK(tsr_save(s->path, ones));
    CHECK_OK(tsr_array_destroy(&ones));
    tsrt_barrier();
}

static double last_number(const char *path)
{
    double value = -1;
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, -(long)sizeof value, SEEK_END) == 0);
    CHECK(fread(&value, sizeof value, 1, file) == 1);
    CHECK_INT(ftell(file), 128 + 30 * 8);
    fclose(file);
    return value;
}

static void file_is_old_or_new(stage *s, tsr_status st)
{
    tsrt_barrier();
    if (tsrt_rank() == 0) CHECK_DOUBLE(last_number(s->path), st == TSR_OK ? 2 : 1, 0);
}

/* An assignment is made everywhere or nowhere. */
static void second_is_kept(stage *s, tsr_status st)
{
    const tsr_view v = tsr_local(s->second);
    if (st == TSR_OK) return;
    for (int64_t i = 0; i < v.extent[0]; ++i)
        for (int64_t j = 0; j < v.extent[1]; ++j)
            CHECK_INT(TSR_AT(int32_t, v, i, j), 1);
}

/* ---- the table ----------------------------------------------------------------------------------
 */

#define CASE(function)                                                                             \
    {                                                                                              \
        .name = #function, .call = function                                                        \
    }
#define HALO(function)                                                                             \
    {                                                                                              \
        .name = #function, .call = function, .exchanges = true                                     \
    }
const fault_case fault_cases[] = {
    CASE(layout),
    CASE(layout_with_cuts),
    CASE(first_use_of_a_communicator),
    CASE(layout_aligned),
    CASE(layout_weighted),
    CASE(layout_profiled),
    CASE(layout_balanced),
    CASE(layout_reordered),
    CASE(empty),
    CASE(zeros),
    CASE(ones),
    CASE(full),
    CASE(empty_like),
    CASE(zeros_like),
    CASE(ones_like),
    CASE(full_like),
    CASE(arange),
    CASE(linspace),
    CASE(fromfunction),
    CASE(from_global),
    CASE(adopt),
    CASE(scatter),
    CASE(from_local),
    CASE(from_pieces),
    CASE(copy),
    CASE(astype),
    HALO(update),
    HALO(update_faces),
    HALO(accumulate),
    HALO(update_many),
    HALO(start_and_finish),
    CASE(update_with_callback),
    CASE(migrate),
    CASE(redistribute),
    CASE(array_with),
    CASE(rebalance),
    CASE(transpose),
    CASE(roll),
    CASE(pad),
    CASE(concatenate),
    CASE(stack),
    CASE(gather),
    CASE(gather_to_last),
    CASE(get),
    CASE(select_part),
    CASE(select_list),
    CASE(select_points),
    CASE(select_mask),
    CASE(gather_part),
    CASE(assign_part),
    {.name = "assign_list", .call = assign_list, .after = second_is_kept},
    {.name = "assign_mask", .call = assign_mask, .after = second_is_kept},
    CASE(sum),
    CASE(min),
    CASE(max),
    CASE(allreduce_replicated),
    CASE(node_shared),
    {.name = "allreduce_large", .call = allreduce_replicated, .before = with_large},
    CASE(shm_create),
    {.name = "shm_zeros_node", .call = shm_zeros_node, .before = with_manager},
    {.name = "shm_accumulate", .call = shm_accumulate, .before = with_manager},
    {.name = "shm_allreduce", .call = shm_allreduce, .before = with_manager},
    {.name = "shm_set", .call = shm_set, .before = with_manager},
    CASE(save_png),
    {.name = "save", .call = save, .before = old_file, .after = file_is_old_or_new},
    {.name = "load", .call = load, .before = old_file}};
const int fault_case_count = sizeof fault_cases / sizeof fault_cases[0];
