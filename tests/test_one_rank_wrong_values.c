/* ranks: 2 3 */
/* variants: none */
/* timeout: 60 */
/* An argument of a call that computes, shares or stores is wrong on one rank only: every rank gets
 * the same error, no handle, and nobody is left waiting. */
#include "support/one_rank_wrong.h"

#include <stdio.h>

/* ---- expressions ----------------------------------------------------------------------------- */

static void expressions(void **state)
{
    (void)state;
    tsr_array *a = s.array, *b = s.second;
    const tsr_arg args[] = {TSR_ARG(a), TSR_ARG(b)};
    const tsr_arg missing[] = {TSR_ARG(a), tsr_arg_array("b", NULL)};
    const tsr_arg elsewhere[] = {TSR_ARG(a), TSR_ARG_AS("b", s.mask)};
    const tsr_arg mask = tsr_arg_text("a > 0"), no_mask = tsr_arg_text(NULL);
    const tsr_arg plain = tsr_arg_int("mask", 1);
    const tsr_arg first_missing[] = {tsr_arg_array("a", NULL), TSR_ARG(b)};

    FAILS(tsr_evalv(a, W(NULL, "a + b"), 2, args));
    FAILS(tsr_evalv(a, W("a + ", "a + b"), 2, args));
    FAILS(tsr_evalv(a, W("a + c", "a + b - 1"), 2, args));
    FAILS(tsr_evalv(a, W("a - b", "b + a"), 2, args));
    FAILS(tsr_evalv(a, "a + b", 2, W(NULL, args)));
    FAILS(tsr_evalv(a, "a + b", 2, W(missing, args)));
    FAILS(tsr_evalv(a, "a + b", 2, W(elsewhere, args)));
    FAILS(tsr_evalv(a, "a + b", W(1, 2), args));
    FAILS(tsr_evalv(a, "a + b", W(-1, 2), args));
    FAILS(tsr_evalv(a, "a[-1,0] + b[1,0]", 2, W(missing, args)));
    FAILS(tsr_eval_wherev(a, W(no_mask, mask), "a + b", 2, args));
    FAILS(tsr_eval_wherev(a, W(plain, mask), "a + b", 2, args));
    FAILS(tsr_eval_wherev(a, mask, W(NULL, "a + b"), 2, args));
    FAILS(tsr_eval_newv(W(NULL, &o.array), "a + b", 2, args));
    FAILS(tsr_eval_newv(&o.array, W(NULL, "a + b"), 2, args));
    FAILS(tsr_eval_newv(&o.array, W("b - a", "a - b"), 2, args));
    FAILS(tsr_eval_newv(&o.array, "a + b", 2, W(missing, args)));
    FAILS(tsr_eval_newv(&o.array, "a + b", 2, W(first_missing, args)));
    FAILS(tsr_eval_newv(&o.array, "a + b", W(1, 2), args));
    FAILS(tsr_divmodv(W(NULL, &o.array), &o.other, "a", "b", 2, args));
    FAILS(tsr_divmodv(&o.array, W(NULL, &o.other), "a", "b", 2, args));
    FAILS(tsr_divmodv(&o.array, W(&o.array, &o.other), "a", "b", 2, args));
    FAILS(tsr_divmodv(&o.array, &o.other, W(NULL, "a"), "b", 2, args));
    FAILS(tsr_divmodv(&o.array, &o.other, "a", W(NULL, "b"), 2, args));
    FAILS(tsr_divmodv(&o.array, &o.other, "a", W("c", "b"), 2, args));
    FAILS(tsr_divmodv(&o.array, &o.other, "a", "b", 2, W(missing, args)));

    tsr_expr *sum = NULL, *none = NULL;
    CHECK_OK(tsr_expr_create("2*a + b", &sum));
    FAILS(tsr_expr_evalv(W(none, sum), a, 2, args));
    FAILS(tsr_expr_evalv(sum, a, W(-1, 2), args));
    FAILS(tsr_expr_evalv(sum, a, 2, W(missing, args)));
    FAILS(tsr_expr_evalv(sum, a, 2, W(NULL, args)));
    CHECK_OK(tsr_expr_destroy(&sum));
}

/* ---- reductions ------------------------------------------------------------------------------ */

static void reductions(void **state)
{
    (void)state;
    tsr_array *a = s.array, *b = s.second;
    const tsr_arg args[] = {TSR_ARG(a), TSR_ARG(b)};
    const tsr_arg missing[] = {TSR_ARG(a), tsr_arg_array("b", NULL)};
    const tsr_reduce_options bad = {.dtype = (tsr_dtype)99}, flags = {.flags = 0x80};

    FAILS(tsr_sum(a, W(NULL, &o.value)));
    FAILS(tsr_sum_with(a, W(&bad, NULL), &o.value));
    FAILS(tsr_sum_with(a, W(&flags, NULL), &o.value));
    FAILS(tsr_prod(a, W(NULL, &o.value)));
    FAILS(tsr_min(a, W(NULL, &o.value)));
    FAILS(tsr_max(a, W(NULL, &o.value)));
    FAILS(tsr_mean_with(a, W(&bad, NULL), &o.value));
    FAILS(tsr_var(a, W(NULL, &o.value)));
    FAILS(tsr_std_with(a, W(&bad, NULL), &o.value));
    FAILS(tsr_all(a, W(NULL, &o.truth)));
    FAILS(tsr_any(a, W(NULL, &o.truth)));
    FAILS(tsr_argmin(a, W(NULL, &o.cell)));
    FAILS(tsr_argmax(a, W(NULL, &o.cell)));
    FAILS(tsr_norm(a, W(3, 2), &o.real));
    FAILS(tsr_norm(a, 2, W(NULL, &o.real)));
    FAILS(tsr_sum(W(b, a), &o.value));
    FAILS(tsr_vdot(a, W(NULL, a), &o.value));
    FAILS(tsr_vdot(a, W(s.thirty, a), &o.value));
    FAILS(tsr_vdot(a, a, W(NULL, &o.value)));
    FAILS(tsr_dot(s.thirty, W(NULL, s.thirty), &o.value));
    FAILS(tsr_dot(s.thirty, W(s.array, s.thirty), &o.value));
    FAILS(tsr_allclose(a, W(NULL, a), 1e-5, 1e-8, false, &o.truth));
    FAILS(tsr_allclose(a, W(s.thirty, a), 1e-5, 1e-8, false, &o.truth));
    FAILS(tsr_allclose(a, a, W(1.0, 1e-5), 1e-8, false, &o.truth));
    FAILS(tsr_allclose(a, a, 1e-5, 1e-8, false, W(NULL, &o.truth)));
    FAILS(tsr_array_equal(a, W(NULL, b), false, &o.truth));
    FAILS(tsr_array_equal(a, W(s.mask, b), false, &o.truth));
    FAILS(tsr_array_equal(a, s.mask, false, W(NULL, &o.truth)));
    FAILS(tsr_array_equal(a, b, wrong, &o.truth));
    FAILS(tsr_sum_exprv(W(NULL, &o.value), "a*b", 2, args));
    FAILS(tsr_sum_exprv(&o.value, W(NULL, "a*b"), 2, args));
    FAILS(tsr_sum_exprv(&o.value, W("a/b", "a*b"), 2, args));
    FAILS(tsr_min_exprv(&o.value, "a*b", 2, W(missing, args)));
    FAILS(tsr_argmax_exprv(W(NULL, &o.cell), "a*b", 2, args));
    FAILS(tsr_norm_exprv(W(0.5, 1), &o.real, "a*b", 2, args));
    FAILS(tsr_norm_exprv(1, W(NULL, &o.real), "a*b", 2, args));
}

static void along_axes(void **state)
{
    (void)state;
    tsr_array *a = s.array, *b = s.second;
    const tsr_arg args[] = {TSR_ARG(a), TSR_ARG(b)};
    const tsr_arg missing[] = {TSR_ARG(a), tsr_arg_array("b", NULL)};
    const tsr_reduce_options bad = {.dtype = (tsr_dtype)99}, keep = {.keep = true};

    FAILS(tsr_sum_axes(a, W(TSR_AXES(2), TSR_AXES(0)), NULL, &o.array));
    FAILS(tsr_sum_axes(a, W(TSR_AXES(1), TSR_AXES(0)), NULL, &o.array));
    FAILS(tsr_mean_axes(a, TSR_AXES(0), W(&bad, NULL), &o.array));
    FAILS(tsr_max_axes(a, TSR_AXES(0), W(&keep, NULL), &o.array));
    FAILS(tsr_any_axes(a, TSR_AXES(1), NULL, W(NULL, &o.array)));
    FAILS(tsr_var_axes(a, TSR_AXES(0, 1), NULL, W(NULL, &o.array)));
    FAILS(tsr_argmin_axis(a, W(2, 0), NULL, &o.array));
    FAILS(tsr_argmax_axis(a, 0, NULL, W(NULL, &o.array)));
    FAILS(tsr_sum_axes_exprv(TSR_AXES(0), NULL, &o.array, W(NULL, "a*b"), 2, args));
    FAILS(tsr_sum_axes_exprv(TSR_AXES(0), NULL, &o.array, "a*b", 2, W(missing, args)));
    FAILS(tsr_sum_axes_exprv(TSR_AXES(0), NULL, W(NULL, &o.array), "a*b", 2, args));
    FAILS(tsr_sum_axes_exprv(TSR_AXES(W(3, 0)), NULL, &o.array, "a*b", 2, args));
    FAILS(tsr_argmin_axis_exprv(W(2, 0), NULL, &o.array, "a*b", 2, args));
    FAILS(tsr_cumsum(a, W(2, 0), NULL, &o.array));
    FAILS(tsr_cumsum(a, W(1, 0), NULL, &o.array));
    FAILS(tsr_cumprod(a, 0, W(&bad, NULL), &o.array));
    FAILS(tsr_cumprod(a, 0, NULL, W(NULL, &o.array)));
    FAILS(tsr_allreduce_replicated(s.replicated, W((tsr_op)99, TSR_SUM)));
    FAILS(tsr_allreduce_replicated(s.replicated, W(TSR_MAX, TSR_SUM)));
    FAILS(tsr_allreduce_replicated(W(a, s.replicated), TSR_SUM));
}

/* ---- shared memory --------------------------------------------------------------------------- */

static tsr_status nothing(tsr_view scratch, void *ctx)
{
    (void)scratch, (void)ctx;
    return wrong && ctx != NULL ? TSR_ERR_VALUE : TSR_OK;
}

static void shared_memory(void **state)
{
    (void)state;
    const tsr_shm_options bad = {.nproc_reduce = -1}, two = {.nproc_reduce = 2};
    tsr_shm *shm = NULL;
    tsr_shm_array *map = NULL;
    const double values[5] = {0};

    FAILS(tsr_shm_create(TSR_COMM_WORLD, W(&bad, NULL), &o.shm));
    FAILS(tsr_shm_create(TSR_COMM_WORLD, W(&two, NULL), &o.shm));
    FAILS(tsr_shm_create(TSR_COMM_WORLD, NULL, W(NULL, &o.shm)));
    CHECK_OK(tsr_shm_create(TSR_COMM_WORLD, NULL, &shm));
    FAILS(tsr_shm_zeros_node(shm, W((tsr_dtype)99, TSR_F64), 1, TSR_SHAPE(9), &o.map));
    FAILS(tsr_shm_zeros_node(shm, TSR_F64, 1, W(NULL, TSR_SHAPE(9)), &o.map));
    FAILS(tsr_shm_zeros_node(shm, TSR_F64, 1, TSR_SHAPE(W(-9, 9)), &o.map));
    FAILS(tsr_shm_zeros_node(shm, TSR_F64, 1, TSR_SHAPE(W(8, 9)), &o.map));
    FAILS(tsr_shm_zeros_node(shm, TSR_F64, 1, TSR_SHAPE(9), W(NULL, &o.map)));
    CHECK_OK(tsr_shm_ones_node(shm, TSR_F64, 1, TSR_SHAPE(9), &map));
    FAILS(tsr_shm_accumulate(map, W((tsr_op)99, TSR_SUM), nothing, NULL));
    FAILS(tsr_shm_accumulate(map, W(TSR_MAX, TSR_SUM), nothing, NULL));
    FAILS(tsr_shm_accumulate(map, TSR_SUM, W(NULL, nothing), NULL));
    FAILS(tsr_shm_accumulate(map, TSR_SUM, nothing, &shm));
    FAILS(tsr_shm_allreduce(map, W((tsr_op)99, TSR_SUM)));
    FAILS(tsr_shm_allreduce(map, W(TSR_MAX, TSR_SUM)));
    FAILS(tsr_shm_set(map, W(-4, 0), TSR_SHAPE(3), TSR_SHAPE(8), values));
    FAILS(tsr_shm_set(map, W(1, 0), TSR_SHAPE(3), TSR_SHAPE(8), values));
    FAILS(tsr_shm_set(map, victim, W(NULL, TSR_SHAPE(3)), TSR_SHAPE(8), values));
    FAILS(tsr_shm_set(map, victim, TSR_SHAPE(3), TSR_SHAPE(W(80, 8)), values));
    CHECK_OK(tsr_shm_free(&map));
    CHECK_OK(tsr_shm_destroy(&shm));
}

/* ---- files ----------------------------------------------------------------------------------- */

static void files(void **state)
{
    (void)state;
    const tsr_layout_options bad = {.halo = {-1}};
    const tsr_picture_options flat = {.axes = {5, 5}};
    char picture[300];
    snprintf(picture, sizeof picture, "%s.png", s.path);

    FAILS(tsr_save(W(NULL, s.path), s.array));
    FAILS(tsr_save(W("/none/such", s.path), s.array));
    CHECK_OK(tsr_save(s.path, s.array));
    FAILS(tsr_save_slice(s.path, s.array, W(NULL, TSR_SHAPE(0, 0))));
    FAILS(tsr_save_slice(s.path, s.array, TSR_SHAPE(W(9, 0), 0)));
    FAILS(tsr_save_slice(W("/none/such", s.path), s.array, TSR_SHAPE(0, 0)));
    FAILS(tsr_load(W(NULL, s.path), TSR_COMM_WORLD, NULL, &o.array));
    FAILS(tsr_load(W("/none/such", s.path), TSR_COMM_WORLD, NULL, &o.array));
    FAILS(tsr_load(s.path, TSR_COMM_WORLD, W(&bad, NULL), &o.array));
    FAILS(tsr_load(s.path, TSR_COMM_WORLD, NULL, W(NULL, &o.array)));
    FAILS(tsr_load_as(s.path, s.layout, W(TSR_I8, TSR_F64), &o.array));
    FAILS(tsr_load_as(W("/none/such", s.path), s.layout, TSR_F64, &o.array));
    FAILS(tsr_load_as(s.path, s.layout, TSR_F64, W(NULL, &o.array)));
    FAILS(tsr_load_slice(s.path, TSR_COMM_WORLD, W(NULL, TSR_SHAPE(0, 0)), TSR_SHAPE(2, 2), NULL,
                         &o.array));
    FAILS(tsr_load_slice(s.path, TSR_COMM_WORLD, TSR_SHAPE(0, 0), TSR_SHAPE(W(20, 2), 2), NULL,
                         &o.array));
    FAILS(tsr_save_png(W(NULL, picture), s.array, NULL));
    FAILS(tsr_save_png(picture, s.array, W(&flat, NULL)));
}

static void hdf5_files(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s.h5", s.path);
    tsr_named_array sound[] = {{"a", s.array}, {"b", s.second}};
    tsr_named_array missing[] = {{"a", s.array}, {"b", NULL}};
    tsr_named_array nameless[] = {{"a", s.array}, {NULL, s.second}};
    tsr_attribute broken = {.name = NULL};
    const tsr_attributes attributes = {.count = 1, .item = &broken};
    const tsr_hdf5_options bad = {.gzip = 99};
    tsr_named_array wanted[] = {{"a", NULL}}, unknown[] = {{"z", NULL}}, unnamed[] = {{NULL, NULL}};

    FAILS(tsr_save_hdf5(W(NULL, path), 2, sound, NULL));
    FAILS(tsr_save_hdf5(W("/none/such", path), 2, sound, NULL));
    FAILS(tsr_save_hdf5(path, 2, W(missing, sound), NULL));
    FAILS(tsr_save_hdf5(path, 2, W(nameless, sound), NULL));
    FAILS(tsr_save_hdf5(path, W(1, 2), sound, NULL));
    FAILS(tsr_save_hdf5(path, 2, sound, W(&attributes, NULL)));
    FAILS(tsr_save_hdf5_as(path, 2, sound, NULL, W(&bad, NULL)));
    FAILS(tsr_append_hdf5(path, 2, W(missing, sound), 0, NULL));
    FAILS(tsr_append_hdf5(path, 2, sound, 0, W(&bad, NULL)));
    if (tsr_save_hdf5(path, 2, sound, NULL) == TSR_ERR_UNSUPPORTED) return;
    FAILS(tsr_load_hdf5(W(NULL, path), TSR_COMM_WORLD, NULL, 1, wanted, NULL));
    FAILS(tsr_load_hdf5(W("/none/such", path), TSR_COMM_WORLD, NULL, 1, wanted, NULL));
    FAILS(tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, 1, W(unknown, wanted), NULL));
    FAILS(tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, 1, W(unnamed, wanted), NULL));
    FAILS(tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, W(-1, 1), wanted, NULL));
    FAILS(tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, 1, W(NULL, wanted), NULL));
    CHECK(wanted[0].array == NULL);
    FAILS(tsr_load_hdf5_all(path, TSR_COMM_WORLD, NULL, W(NULL, &o.count), &o.list, NULL));
    FAILS(tsr_load_hdf5_all(path, TSR_COMM_WORLD, NULL, &o.count, W(NULL, &o.list), NULL));
    FAILS(tsr_checkpoint_save(W(NULL, path), 2, sound, NULL));
    FAILS(tsr_checkpoint_save(path, 2, W(missing, sound), NULL));
    FAILS(tsr_checkpoint_exists(W(NULL, path), TSR_COMM_WORLD, &o.truth));
    FAILS(tsr_checkpoint_exists(path, TSR_COMM_WORLD, W(NULL, &o.truth)));
    CHECK_OK(tsr_checkpoint_save(path, 2, sound, NULL));
    FAILS(tsr_checkpoint_load(W(NULL, path), 2, sound, NULL));
    FAILS(tsr_checkpoint_load(path, 2, W(missing, sound), NULL));
    FAILS(tsr_checkpoint_load(path, W(1, 2), sound, NULL));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {STAGED(expressions), STAGED(reductions),
                                       STAGED(along_axes),  STAGED(shared_memory),
                                       STAGED(files),       STAGED(hdf5_files)};
    return TSRT_RUN(argc, argv, tests);
}
