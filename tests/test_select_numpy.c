/* ranks: 1 2 3 4 6 */
/* timeout: 300 */
/* Random parts of random arrays, read and written, against NumPy; and no more bytes are sent than
 * have to move. */
#include "support/cells.h"
#include "support/data_in.h"
#include "support/file_cases.h"
#include "support/random_layouts.h"

#include <stdio.h>

enum { CASES = 20, LONG_CASES = 1300, SELECTS = 4, ASSIGNS = 4, LIST = 24, TEXT = 512 };

static FILE *list;
static uint64_t seed;
static int files;
static tsr_comm backwards;

static int below(int limit)
{
    return tsrt_random(&seed, limit);
}

/* The world, or its ranks backwards. */
static tsr_comm any_comm(void)
{
    return below(3) == 0 ? backwards : TSR_COMM_WORLD;
}

/* ---- random indices, as Python writes them --------------------------------------------------- */

static void append(char *text, const char *format, int64_t number)
{
    const size_t length = strlen(text);
    snprintf(text + length, TEXT - length, format, (long long)number);
}

static void add_slice(char *text, int64_t length)
{
    const int n = (int)length;
    if (below(3) > 0) append(text, "%lld", below(2 * n + 5) - n - 2);
    append(text, ":", 0);
    if (below(3) > 0) append(text, "%lld", below(2 * n + 5) - n - 2);
    if (below(2) == 0) append(text, ":", 0);
    if (text[strlen(text) - 1] == ':' && strchr(text, ':') != text + strlen(text) - 1 &&
        below(2) == 0)
        append(text, "%lld", below(2) == 0 ? 1 + below(4) : -1 - below(4));
}

/* Integers, slices and an ellipsis; NumPy reads the text too. */
static void random_text(char *text, int ndim, const int64_t *shape)
{
    const int ellipsis = below(3) == 0 ? below(ndim + 1) : -1;
    int axis = 0;

    text[0] = '\0';
    for (int k = 0; axis < ndim || k == ellipsis; ++k) {
        char entry[TEXT] = "";
        if (k == ellipsis) {
            append(entry, "...", 0);
            axis += below(ndim - axis + 1);
        } else if (ellipsis < 0 && below(6) == 0) {
            break;
        } else if (shape[axis] > 0 && below(3) == 0) {
            append(entry, "%lld", below(2 * (int)shape[axis]) - shape[axis]);
            ++axis;
        } else {
            add_slice(entry, shape[axis]);
            ++axis;
        }
        snprintf(text + strlen(text), TEXT - strlen(text), "%s%s", text[0] == '\0' ? "" : ", ",
                 entry);
    }
}

/* Indices of one axis, some negative, some more than once. */
static int64_t random_list(int64_t length, int64_t *indices, char *text)
{
    const int64_t count = length == 0 ? 0 : below(2) == 0 ? below(6) : below(LIST);

    append(text, "np.array([", 0);
    for (int64_t k = 0; k < count; ++k) {
        indices[k] = below(2 * (int)length) - length;
        append(text, "%lld,", indices[k]);
    }
    append(text, "],np.int64)", 0);
    return count;
}

/* A selection of some form. */
typedef enum form { FORM_TEXT, FORM_LIST, FORM_POINTS, FORM_MASK, FORMS } form;
typedef struct selection {
    form form;
    char text[TEXT];
    int axis;
    int64_t count, index[LIST * RANDOM_AXES];
    tsr_array *mask;
} selection;

/* Of any layout, more or less full. */
static tsr_array *random_mask(tsr_layout *like, char *text)
{
    const int ndim = tsr_layout_ndim(like), fill = below(4);
    static int masks;
    char name[64];
    tsr_array *mask = NULL;

    tsr_layout *other = random_layout_on(any_comm(), &seed, ndim, tsr_layout_shape(like));
    CHECK_OK(tsr_zeros(below(2) == 0 ? like : other, TSR_BOOL, &mask));
    if (fill > 0) file_fill(mask);
    const tsr_view v = tsr_local(mask);
    int64_t local[TSR_MAX_NDIM];
    for (int64_t i = 0; fill == 3 && i < stored_cells(&v); ++i)
        if (stored_cell(&v, i, local)) *(bool *)cell_at(&v, local) ^= true;
    snprintf(name, sizeof name, "mask%d.npy", masks);
    CHECK_OK(tsr_save(file_path(name), mask));
    snprintf(text, TEXT, "load(\"mask%d\")", masks++);
    CHECK_OK(tsr_layout_destroy(&other));
    return mask;
}

static void random_selection(selection *s, tsr_layout *layout)
{
    const int ndim = tsr_layout_ndim(layout);
    const int64_t *shape = tsr_layout_shape(layout);
    int64_t lists[RANDOM_AXES][LIST] = {{0}};
    bool empty = ndim == 0;

    memset(s, 0, sizeof *s);
    for (int a = 0; a < ndim; ++a)
        empty = empty || shape[a] == 0;
    s->form = (form)below(FORMS);
    if (ndim == 0 && s->form != FORM_MASK) s->form = FORM_TEXT;
    if (s->form == FORM_POINTS && empty) s->form = FORM_LIST;
    if (s->form == FORM_TEXT) random_text(s->text, ndim, shape);
    if (s->form == FORM_MASK) s->mask = random_mask(layout, s->text);
    if (s->form == FORM_LIST) {
        s->axis = below(ndim);
        for (int a = 0; a < s->axis; ++a)
            append(s->text, ":, ", 0);
        s->count = random_list(shape[s->axis], s->index, s->text);
        if (below(2) == 0) s->axis -= ndim;
    }
    if (s->form == FORM_POINTS) {
        s->count = 1 + below(LIST - 1);
        for (int a = 0; a < ndim; ++a) {
            append(s->text, "np.array([", 0);
            for (int64_t k = 0; k < s->count; ++k) {
                lists[a][k] = below(2 * (int)shape[a]) - shape[a];
                append(s->text, "%lld,", lists[a][k]);
                s->index[k * ndim + a] = lists[a][k];
            }
            append(s->text, "]),", 0);
        }
    }
}

static tsr_status select_it(const tsr_array *a, const selection *s, tsr_array **part)
{
    switch (s->form) {
    case FORM_LIST:
        return tsr_select_list(a, s->axis, s->count, s->index, part);
    case FORM_POINTS:
        return tsr_select_points(a, s->count, s->index, part);
    case FORM_MASK:
        return tsr_select_mask(a, s->mask, part);
    default:
        return tsr_select(a, s->text, part);
    }
}

static tsr_status assign_it(tsr_array *a, const selection *s, tsr_arg value)
{
    switch (s->form) {
    case FORM_LIST:
        return tsr_assign_list(a, s->axis, s->count, s->index, value);
    case FORM_POINTS:
        return tsr_assign_points(a, s->count, s->index, value);
    case FORM_MASK:
        return tsr_assign_mask(a, s->mask, value);
    default:
        return tsr_assign(a, s->text, value);
    }
}

/* ---- what NumPy is to check ------------------------------------------------------------------ */

static void note(const char *call, int number, const selection *s, const char *value,
                 const tsr_array *array)
{
    char name[64];
    snprintf(name, sizeof name, "result%d.npy", files);
    CHECK_OK(tsr_save(file_path(name), array));
    if (list != NULL)
        fprintf(list, "%s | %d | result%d | %s%s%s\n", call, number, files, s->text,
                value[0] != '\0' ? " | " : "", value);
    ++files;
}

static void select_one(const tsr_array *a, int number)
{
    selection s;
    tsr_array *part = NULL;

    random_selection(&s, tsr_array_layout(a));
    CHECK_OK(select_it(a, &s, &part));
    note("select", number, &s, "", part);
    if (s.form == FORM_TEXT) { /* the same cells in a buffer of one rank */
        const int root = below(tsrt_size());
        const size_t bytes = tsr_array_bytes(part);
        unsigned char *direct = malloc(bytes + 1), *gathered = malloc(bytes + 1);
        CHECK_OK(tsr_gather_part(a, s.text, root, direct));
        CHECK_OK(tsr_gather(part, root, gathered));
        CHECK(root != tsrt_rank() || memcmp(direct, gathered, bytes) == 0);
        free(direct);
        free(gathered);
    }
    CHECK_OK(tsr_array_destroy(&s.mask));
    CHECK_OK(tsr_array_destroy(&part));
}

/* A value of some kind that broadcasts to a shape. */
static tsr_array *random_value(int ndim, const int64_t *shape, bool may_lead, tsr_dtype dtype,
                               char *text)
{
    const int lacks = below(3) == 0 ? below(ndim + 1) : 0;
    int64_t lengths[RANDOM_AXES + 1];
    char name[64];
    tsr_array *value = NULL;
    int n = 0;

    if (may_lead && ndim < RANDOM_AXES && lacks == 0 && below(4) == 0) lengths[n++] = 1;
    for (int a = lacks; a < ndim; ++a)
        lengths[n++] = below(4) == 0 ? 1 : shape[a];
    tsr_layout *layout = random_layout_on(any_comm(), &seed, n, lengths);
    CHECK_OK(tsr_zeros(layout, dtype, &value));
    CHECK_OK(tsr_layout_destroy(&layout));
    file_fill(value);
    snprintf(name, sizeof name, "value%d.npy", files);
    snprintf(text, TEXT, "load(\"value%d\")", files);
    CHECK_OK(tsr_save(file_path(name), value));
    return value;
}

/* Halo cells are 7 before; a list makes them 0. */
static void check_halo(const tsr_array *a, const selection *s)
{
    const tsr_view v = tsr_local(a);
    int64_t local[TSR_MAX_NDIM];
    const double expected = s->form == FORM_TEXT ? tsr_array_dtype(a) == TSR_BOOL ? 1 : 7 : 0;

    for (int64_t i = 0; i < stored_cells(&v); ++i)
        if (!stored_cell(&v, i, local)) CHECK_DOUBLE(cell_value(&v, local), expected, 0);
}

static void assign_one(tsr_layout *layout, tsr_dtype dtype, int number)
{
    selection s;
    char text[TEXT] = "";
    tsr_array *a = NULL, *part = NULL, *value = NULL;

    CHECK_OK(tsr_full(layout, dtype, tsr_i64(7), &a));
    file_fill(a);
    random_selection(&s, tsr_array_layout(a));
    CHECK_OK(select_it(a, &s, &part)); /* for its shape */
    const int kind = below(4);
    if (kind == 0) {
        snprintf(text, sizeof text, "np.int64(%d)", number % 90);
        CHECK_OK(assign_it(a, &s, tsr_arg_int("v", number % 90)));
    } else {
        const tsr_dtype type = below(2) == 0 || dtype >= TSR_F32 ? dtype : TSR_BOOL;
        value = random_value(tsr_array_ndim(part), tsr_array_shape(part), s.form != FORM_MASK, type,
                             text);
        if (kind == 1) {
            unsigned char *all = malloc(tsr_array_bytes(value) + 1);
            CHECK_OK(tsr_gather(value, TSR_ALL_RANKS, all));
            CHECK_OK(assign_it(a, &s,
                               tsr_arg_global("v", type, all, tsr_array_ndim(value),
                                              tsr_array_shape(value), NULL)));
            free(all);
        } else {
            CHECK_OK(assign_it(a, &s, TSR_ARG(value)));
        }
    }
    check_halo(a, &s);
    note("assign", number, &s, text, a);
    CHECK_OK(tsr_array_destroy(&s.mask));
    CHECK_OK(tsr_array_destroy(&value));
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_array_destroy(&a));
}

static void one_case(int number)
{
    const tsr_dtype dtype = (tsr_dtype)(TSR_BOOL + number % (TSR_DTYPE_END - TSR_BOOL));
    int64_t shape[RANDOM_AXES];
    char name[64];
    tsr_array *a = NULL;

    seed = (uint64_t)number * 7919 + 11;
    const int ndim = random_shape(&seed, shape);
    tsr_layout *layout = random_layout(&seed, ndim, shape);
    CHECK_OK(tsr_empty(layout, dtype, &a));
    file_fill(a);
    snprintf(name, sizeof name, "input%d.npy", number);
    CHECK_OK(tsr_save(file_path(name), a));
    for (int k = 0; k < SELECTS; ++k)
        select_one(a, number);
    for (int k = 0; k < ASSIGNS; ++k)
        assign_one(layout, dtype, number);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void G_3_to_G_27_random_selections_are_numpys(void **state)
{
    (void)state;
    const int cases = getenv("TSRT_LONG") != NULL ? LONG_CASES : CASES;

    if (tsrt_rank() == 0) {
        list = fopen(file_path("list"), "w");
        CHECK(list != NULL);
    }
    files = 0;
    backwards = reversed_ranks();
    for (int number = 0; number < cases; ++number)
        one_case(number);
    if (list != NULL) fclose(list);
    list = NULL;
    free_ranks(&backwards);
    backwards = TSR_COMM_WORLD;
    run_python("selections.py .");
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* The sum over all ranks. */
static int64_t sum_of(int64_t mine)
{
    tsr_layout *layout = make_layout(0, NULL, &(tsr_layout_options){.split = TSR_WHOLE});
    tsr_array *a = NULL;
    tsr_scalar sum;

    CHECK_OK(tsr_empty(layout, TSR_I64, &a));
    *(int64_t *)tsr_local(a).data = mine;
    if (tsrt_size() > 1) CHECK_OK(tsr_allreduce_replicated(a, TSR_SUM));
    CHECK_OK(tsr_get(a, NULL, &sum));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
    return sum.as.i;
}

/* Bytes that all ranks send for a selection, but for those of its agreements. */
static int64_t bytes_sent(const tsr_array *a, const selection *s, tsr_array **part)
{
    const int64_t before = tsri_counters_read().message_bytes;
    CHECK_OK(select_it(a, s, part));
    return tsri_counters_read().message_bytes - before;
}

/* Every cell holds its place, so those of a part tell whose they were. */
static int64_t cells_from_others(const tsr_array *a, const tsr_array *part)
{
    const tsr_layout *from = tsr_array_layout(a);
    const tsr_view v = tsr_local(part);
    int64_t local[TSR_MAX_NDIM], index[TSR_MAX_NDIM], others = 0;

    for (int64_t i = 0; i < stored_cells(&v); ++i) {
        int owner = 0;
        stored_cell(&v, i, local);
        int64_t place = (int64_t)cell_value(&v, local);
        for (int axis = tsr_array_ndim(a) - 1; axis >= 0; --axis) {
            index[axis] = place % tsr_array_shape(a)[axis];
            place /= tsr_array_shape(a)[axis];
        }
        CHECK_OK(tsr_layout_owner(from, index, &owner));
        others += owner != tsrt_rank() && !tsr_layout_is_replicated(from);
    }
    return others;
}

static void no_more_bytes_are_sent_than_move(void **state)
{
    (void)state;
    if (!tsrt_counts_messages()) tsrt_skip("counts bytes in messages");
    for (int number = 0; number < 40; ++number) {
        int64_t shape[RANDOM_AXES], cells = 1;
        tsr_array *a = NULL, *copy = NULL, *part = NULL;
        selection s;

        seed = (uint64_t)number * 104729 + 3;
        const int ndim = random_shape(&seed, shape);
        for (int k = 0; k < ndim; ++k)
            cells *= shape[k];
        double *places = malloc((size_t)(cells + 1) * sizeof *places);
        for (int64_t i = 0; i < cells; ++i)
            places[i] = (double)i;
        tsr_layout *layout = random_layout(&seed, ndim, shape);
        tsr_layout *whole = make_layout(ndim, shape, &(tsr_layout_options){.split = TSR_WHOLE});
        CHECK_OK(tsr_from_global(layout, TSR_F64, places, NULL, &a));
        CHECK_OK(tsr_from_global(whole, TSR_F64, places, NULL, &copy));
        do
            random_selection(&s, layout); /* a mask's cells tell their places, too */
        while (s.form == FORM_MASK && tsr_array_destroy(&s.mask) == TSR_OK);
        const int64_t agreements = bytes_sent(copy, &s, &part);
        CHECK_OK(tsr_array_destroy(&part));
        const int64_t all = bytes_sent(a, &s, &part);
        CHECK_INT(sum_of(all - agreements), 8 * sum_of(cells_from_others(a, part)));
        CHECK_OK(tsr_array_destroy(&part));
        CHECK_OK(tsr_array_destroy(&copy));
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_layout_destroy(&layout));
        CHECK_OK(tsr_layout_destroy(&whole));
        free(places);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(G_3_to_G_27_random_selections_are_numpys),
                                       cmocka_unit_test(no_more_bytes_are_sent_than_move)};
    return TSRT_RUN(argc, argv, tests);
}
