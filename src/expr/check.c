/* From a tree to a form: names, types and shapes are checked and settled. */
#include "expr/build.h"

#include "base/memory.h"
#include "expr/types.h"

/* ---- names ----------------------------------------------------------------------------------- */

static int find_arg(const tsri_setting *setting, tsri_word name)
{
    for (int k = 0; k < setting->count; ++k)
        if (tsri_word_is(name, setting->args[k].name)) return k;
    return -1;
}

static tsr_status unknown_name(const tsri_builder *b, tsri_word name)
{
    const tsri_setting *s = b->setting;
    tsri_near near = TSRI_NOTHING_NEAR;

    for (int k = 0; k < s->count; ++k)
        tsri_near_try(&near, name, s->args[k].name);
    tsri_near_constants(&near, name);
    if (near.name != NULL)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "there is no \"%.*s\"; the nearest name is \"%s\"",
                               name.length, name.start, near.name);
    return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "\"%.*s\" is neither bound, with TSR_ARG, nor a constant",
                           name.length, name.start);
}

/* The offsets of u[-1, 0], which must stay within the halo. */
static tsr_status read_shift(const tsri_builder *b, const tsri_tree *tree, const tsri_node *node,
                             tsri_leaf *leaf)
{
    const tsri_geometry *g = b->setting->geometry;

    if (node->shifts != g->ndim)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "%d offsets for an array of %d ax%cs", node->shifts,
                               g->ndim, TSRI_ES(g->ndim));
    for (int a = 0; a < g->ndim; ++a) {
        const int64_t by = tree->shift[node->shift + a];
        const int64_t halo = by < 0 ? g->halo_lo[a] : g->halo_hi[a];
        if ((by < 0 ? -by : by) > halo)
            return TSRI_BUILD_FAIL(TSR_ERR_VALUE,
                                   "the offset %lld along axis %d needs a halo as wide on the %s "
                                   "side, which has %lld",
                                   (long long)by, a, by < 0 ? "low" : "high", (long long)halo);
        leaf->shift[a] = by;
        leaf->shifted = leaf->shifted || by != 0;
    }
    return TSR_OK;
}

/* Trailing axes are aligned; a length of 1 repeats. */
static tsr_status check_broadcast(const tsri_builder *b, const tsr_arg *arg)
{
    const tsri_geometry *g = b->setting->geometry;

    if (arg->ndim > g->ndim)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "\"%s\" has %d ax%cs, more than the array's %d",
                               arg->name, arg->ndim, TSRI_ES(arg->ndim), g->ndim);
    for (int a = 0; a < arg->ndim; ++a) {
        const int64_t length = g->shape[g->ndim - arg->ndim + a];
        if (arg->shape[a] != 1 && arg->shape[a] != length)
            return TSRI_BUILD_FAIL(TSR_ERR_VALUE,
                                   "axis %d of \"%s\" has length %lld, must be 1 or the array's "
                                   "%lld (trailing axes are aligned)",
                                   a, arg->name, (long long)arg->shape[a], (long long)length);
    }
    return TSR_OK;
}

static tsr_status build_name(tsri_builder *b, const tsri_tree *tree, const tsri_node *node,
                             int *value)
{
    const int k = find_arg(b->setting, node->name);
    tsr_scalar constant;
    tsr_status st = TSR_OK;

    if (k < 0) {
        if (!tsri_constant_find(node->name, &constant)) return unknown_name(b, node->name);
        if (node->shifts > 0) return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "only arrays can be shifted");
        return tsri_build_number(b, constant, true, value);
    }
    const tsr_arg *arg = &b->setting->args[k];
    tsri_leaf leaf = {.arg = k, .column = node->column, .dtype = arg->dtype};
    if (node->shifts > 0 && arg->kind != TSR_ARG_ARRAY)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "only distributed arrays can be shifted");
    switch (arg->kind) {
    case TSR_ARG_ARRAY:
        leaf.kind = TSRI_LEAF_ARRAY;
        leaf.dtype = tsr_array_dtype(arg->array);
        if (b->form->first_array < 0) b->form->first_array = k;
        if (node->shifts > 0) TSRI_TRY(done, read_shift(b, tree, node, &leaf));
        return tsri_build_leaf(b, &leaf, value);
    case TSR_ARG_GLOBAL_DATA:
        if (arg->ndim == 0) return tsri_build_arg(b, k, arg->dtype, false, value);
        leaf.kind = TSRI_LEAF_GLOBAL;
        TSRI_TRY(done, check_broadcast(b, arg));
        return tsri_build_leaf(b, &leaf, value);
    case TSR_ARG_STORAGE_DATA:
        leaf.kind = TSRI_LEAF_STORAGE;
        return tsri_build_leaf(b, &leaf, value);
    default:
        return tsri_build_arg(b, k, arg->scalar.dtype, arg->kind == TSR_ARG_WEAK, value);
    }
done:
    return st;
}

static tsr_status build_index(tsri_builder *b, const tsri_node *node, int *value)
{
    const int ndim = b->setting->geometry->ndim;
    const tsri_leaf leaf = {
        .kind = TSRI_LEAF_INDEX, .axis = node->axis, .dtype = TSR_I64, .column = node->column};

    if (node->axis >= ndim)
        return TSRI_BUILD_FAIL(TSR_ERR_VALUE, "i%d is an index along axis %d, the array has %d",
                               node->axis, node->axis, ndim);
    return tsri_build_leaf(b, &leaf, value);
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* `of` holds the values of the nodes before. */
static tsr_status build_node(tsri_builder *b, const tsri_tree *tree, int which, int *of)
{
    const tsri_node *node = &tree->node[which];
    int in[TSRI_MAX_PARAMETERS];

    b->column = node->column;
    switch (node->kind) {
    case TSRI_NODE_NUMBER:
        return tsri_build_number(b, node->number, true, &of[which]);
    case TSRI_NODE_NAME:
        return build_name(b, tree, node, &of[which]);
    case TSRI_NODE_INDEX:
        return build_index(b, node, &of[which]);
    default:
        for (int k = 0; k < TSRI_MAX_PARAMETERS; ++k)
            in[k] = node->child[k] == TSRI_NO_NODE ? TSRI_NO_VALUE : of[node->child[k]];
        if (node->function < TSRI_VECTOR_END)
            return tsri_build_apply(b, node->function, node->is_operator, in, &of[which]);
        return tsri_build_function(b, node->function, in, &of[which]);
    }
}

static tsr_status build_tree(tsri_builder *b, const tsri_tree *tree, int *root)
{
    tsr_status st = TSR_OK;
    int *of = NULL;

    b->text = tree->text;
    TSRI_ALLOC(done, of, tree->count);
    for (int k = 0; k < tree->count; ++k)
        TSRI_TRY(done, build_node(b, tree, k, of));
    *root = of[tree->count - 1];
    b->column = tree->node[tree->count - 1].column;
done:
    tsri_free(of);
    return st;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* A weak integer may go into any integer type it fits, also one without sign. */
static bool may_go_into(const tsri_value *v, tsr_dtype output)
{
    const unsigned integers = TSRI_IU;
    if (v->weak && (tsri_dtype_class(v->dtype) & integers) != 0 &&
        (tsri_dtype_class(output) & integers) != 0)
        return true;
    return tsri_same_kind(v->dtype, output);
}

static tsr_status build_result(tsri_builder *b, int root, int *out)
{
    const tsri_value *v = tsri_built(b, root);
    tsr_dtype output = b->setting->output;

    if (output == TSR_AUTO) output = v->weak && v->dtype == TSR_U64 ? TSR_U64 : v->dtype;
    if (!may_go_into(v, output))
        return TSRI_BUILD_FAIL(TSR_ERR_TYPE,
                               "the result is %s, which must not be written into an array of %s: "
                               "convert it, as in %s(x)",
                               tsr_dtype_name(v->dtype), tsr_dtype_name(output),
                               tsr_dtype_name(output));
    b->form->dtype = output;
    return tsri_build_convert(b, root, output, out);
}

/* The mask itself: an expression, or an array. */
static tsr_status build_condition(tsri_builder *b, const tsri_tree *mask, int *out)
{
    const tsri_setting *s = b->setting;
    tsri_leaf leaf = {.kind = TSRI_LEAF_ARRAY, .arg = s->count};

    if (s->mask->kind == TSR_ARG_TEXT) return build_tree(b, mask, out);
    leaf.dtype = tsr_array_dtype(s->mask->array);
    return tsri_build_leaf(b, &leaf, out);
}

/* Where the mask is false the output keeps what it holds. */
static tsr_status build_mask(tsri_builder *b, const tsri_tree *mask, int result, int *out)
{
    const tsri_leaf output = {.kind = TSRI_LEAF_OUTPUT, .dtype = b->form->dtype};
    tsr_status st = TSR_OK;
    int in[3] = {TSRI_NO_VALUE, result, TSRI_NO_VALUE};

    TSRI_TRY(done, build_condition(b, mask, &in[0]));
    if (tsri_built(b, in[0])->dtype != TSR_BOOL)
        return TSRI_FAIL_IN(b->setting->call, TSR_ERR_TYPE, "the mask is of type %s, must be bool",
                            tsr_dtype_name(tsri_built(b, in[0])->dtype));
    TSRI_TRY(done, tsri_build_convert(b, in[0], TSR_BOOL, &in[0]));
    TSRI_TRY(done, tsri_build_leaf(b, &output, &in[2]));
    TSRI_TRY(done, tsri_build_raw(b, TSRI_VECTOR_WHERE, in, b->form->dtype, false, out));
done:
    return st;
}

tsr_status tsri_form_make(const tsri_setting *setting, const tsri_tree *tree, const tsri_tree *mask,
                          tsri_form *form)
{
    tsri_builder b = {.setting = setting, .form = form};
    tsr_status st = TSR_OK;

    *form = (tsri_form){.first_array = -1};
    TSRI_TRY(fail, build_tree(&b, tree, &form->root));
    TSRI_TRY(fail, build_result(&b, form->root, &form->root));
    if (setting->mask != NULL) TSRI_TRY(fail, build_mask(&b, mask, form->root, &form->root));
    return TSR_OK;

fail:
    tsri_form_clear(form);
    return st;
}

void tsri_form_clear(tsri_form *form)
{
    tsri_free(form->value);
    tsri_free(form->leaf);
    tsri_free(form->exponent);
    *form = (tsri_form){0};
}
