/* ranks: 1 2 3 4 6 8 */
#include "support/harness.h"
#include "support/reduce_cases.h"

#include <math.h>

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Integers take all values of their type; the others are small integers, so plain sums are exact,
 * and complex numbers have ties in the real part. */
#define DEFINE_WRITE(suffix, ctype, name, components)                                              \
    static ctype component_##suffix(int64_t cell, int part)                                        \
    {                                                                                              \
        const uint64_t bits = mix((uint64_t)(2 * cell + part) + TSR_##suffix * 1000);              \
        if (TSR_##suffix == TSR_BOOL) return (ctype)(bits % 5 == 0);                               \
        if (TSR_##suffix < TSR_F32) return (ctype)bits;                                            \
        return (ctype)((int64_t)(bits % 9) - 4);                                                   \
    }                                                                                              \
    static void write_##suffix(int64_t cell, void *element, void *ctx)                             \
    {                                                                                              \
        (void)ctx;                                                                                 \
        for (int part = 0; part < (components); ++part)                                            \
            ((ctype *)element)[part] = component_##suffix(cell, part);                             \
    }
TSR_DTYPE_LIST(DEFINE_WRITE)

#define DEFINE_LESS(suffix, ctype, name, components)                                               \
    static bool less_##suffix(const ctype *a, const ctype *b)                                      \
    {                                                                                              \
        if (a[0] != b[0] || (components) == 1) return a[0] < b[0];                                 \
        return a[(components)-1] < b[(components)-1];                                              \
    }
TSR_DTYPE_LIST(DEFINE_LESS)

/* The expected scalar of a type, from the C type that holds its elements. */
static tsr_scalar scalar_of(tsr_dtype dtype, double f0, double f1, int64_t i, uint64_t u)
{
    tsr_scalar s = {.dtype = dtype};
    if (dtype == TSR_BOOL)
        s.as.b = u != 0;
    else if (dtype <= TSR_I64)
        s.as.i = i;
    else if (dtype <= TSR_U64)
        s.as.u = u;
    else if (dtype <= TSR_F64)
        s.as.f = f0;
    else
        s.as.c[0] = f0, s.as.c[1] = f1;
    return s;
}

static void check_scalar(tsr_scalar actual, tsr_scalar expected)
{
    CHECK_INT(actual.dtype, expected.dtype);
    switch (expected.dtype) {
    case TSR_BOOL:
        CHECK_INT(actual.as.b, expected.as.b);
        break;
    case TSR_F32:
    case TSR_F64:
        CHECK_DOUBLE(actual.as.f, expected.as.f, 0);
        break;
    case TSR_C64:
    case TSR_C128:
        CHECK_DOUBLE(actual.as.c[0], expected.as.c[0], 0);
        CHECK_DOUBLE(actual.as.c[1], expected.as.c[1], 0);
        break;
    default:
        CHECK_INT(actual.as.u, expected.as.u);
    }
}

static tsr_scalar value_of(tsr_status (*reduction)(const tsr_array *, tsr_scalar *), tsr_array *a)
{
    tsr_scalar value;
    CHECK_OK(reduction(a, &value));
    return value;
}

static tsr_dtype sum_type(tsr_dtype dtype)
{
    if (dtype >= TSR_F32) return dtype;
    return dtype >= TSR_U8 ? TSR_U64 : TSR_I64;
}

#define DEFINE_CHECK_TYPE(suffix, ctype, name, components)                                         \
    static void check_##suffix(tsr_layout *layout)                                                 \
    {                                                                                              \
        const int last = (components)-1;                                                           \
        ctype min[(components)] = {0}, max[(components)] = {0};                                    \
        double real = 0, imaginary = 0;                                                            \
        uint64_t wrapped = 0;                                                                      \
        tsr_array *a = NULL;                                                                       \
                                                                                                   \
        for (int64_t cell = 0; cell < tsr_layout_cells(layout); ++cell) {                          \
            ctype x[(components)];                                                                 \
            write_##suffix(cell, x, NULL);                                                         \
            if (cell == 0 || less_##suffix(x, min)) memcpy(min, x, sizeof x);                      \
            if (cell == 0 || less_##suffix(max, x)) memcpy(max, x, sizeof x);                      \
            real += (double)x[0];                                                                  \
            imaginary += (double)x[last];                                                          \
            wrapped += TSR_##suffix < TSR_F32 ? (uint64_t)x[0] : 0;                                \
        }                                                                                          \
        CHECK_OK(tsr_empty(layout, TSR_##suffix, &a));                                             \
        case_fill(a, write_##suffix, NULL);                                                        \
        check_scalar(value_of(tsr_sum, a), scalar_of(sum_type(TSR_##suffix), real, imaginary,      \
                                                     (int64_t)wrapped, wrapped));                  \
        if (tsr_layout_cells(layout) > 0) {                                                        \
            check_scalar(value_of(tsr_min, a),                                                     \
                         scalar_of(TSR_##suffix, (double)min[0], (double)min[last],                \
                                   (int64_t)min[0], (uint64_t)(int64_t)min[0]));                   \
            check_scalar(value_of(tsr_max, a),                                                     \
                         scalar_of(TSR_##suffix, (double)max[0], (double)max[last],                \
                                   (int64_t)max[0], (uint64_t)(int64_t)max[0]));                   \
        }                                                                                          \
        CHECK_OK(tsr_array_destroy(&a));                                                           \
    }
TSR_DTYPE_LIST(DEFINE_CHECK_TYPE)

static void every_type_on_every_layout(void **state)
{
    (void)state;
    tsr_layout *layout;
    for (int i = 0; (layout = case_layout(i)) != NULL; ++i) {
#define CHECK_TYPE(suffix, ctype, name, components) check_##suffix(layout);
        TSR_DTYPE_LIST(CHECK_TYPE)
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* ---- along short and long axes --------------------------------------------------------------- */

enum { AXES = 3, MOST_RESULTS = 2200 };

/* What the cells of one result have in common. */
typedef struct found {
    double sum, squares, least, most, first_least, first_most;
    int64_t count;
} found;

typedef struct axes_case {
    int64_t shape[AXES];
    tsr_axes reduced;
    found found[MOST_RESULTS];
    int64_t results;
} axes_case;

static double small_value(int64_t cell)
{
    return (double)component_F64(cell, 0);
}

/* From a loop over all cells. */
static void find(axes_case *c)
{
    c->results = 0;
    for (int64_t cell = 0; cell < c->shape[0] * c->shape[1] * c->shape[2]; ++cell) {
        const int64_t index[AXES] = {cell / c->shape[2] / c->shape[1],
                                     cell / c->shape[2] % c->shape[1], cell % c->shape[2]};
        const double value = small_value(cell);
        int64_t result = 0, place = 0;
        for (int a = 0; a < AXES; ++a) {
            if ((c->reduced >> a & 1u) == 0)
                result = result * c->shape[a] + index[a];
            else
                place = index[a]; /* of use when it is the only one */
        }
        found *f = &c->found[result];
        if (result >= c->results) {
            *f = (found){.least = value, .most = value, .first_least = (double)place};
            f->first_most = f->first_least;
            c->results = result + 1;
        }
        f->sum += value;
        f->squares += value * value;
        if (value < f->least) f->first_least = (double)place;
        if (value > f->most) f->first_most = (double)place;
        if (value < f->least) f->least = value;
        if (value > f->most) f->most = value;
        ++f->count;
    }
}

typedef double expected_value(const found *f);
static double the_sum(const found *f)
{
    return f->sum;
}
static double the_mean(const found *f)
{
    return f->sum / (double)f->count;
}
static double the_variance(const found *f)
{
    return f->squares / (double)f->count - the_mean(f) * the_mean(f);
}
static double the_least(const found *f)
{
    return f->least;
}
static double the_most(const found *f)
{
    return f->most;
}
static double any_is_true(const found *f)
{
    return f->least < 0 || f->most > 0;
}
static double place_of_least(const found *f)
{
    return f->first_least;
}
static double place_of_most(const found *f)
{
    return f->first_most;
}

static const struct {
    const char *name;
    tsr_status (*array)(const tsr_array *array, tsr_axes axes, const tsr_reduce_options *options,
                        tsr_array **result);
    tsr_status (*text)(tsr_axes axes, const tsr_reduce_options *options, tsr_array **result,
                       const char *text, int count, const tsr_arg *args);
    expected_value *expected;
} totals[] = {{"sum", tsr_sum_axes, tsr_sum_axes_exprv, the_sum},
              {"mean", tsr_mean_axes, tsr_mean_axes_exprv, the_mean},
              {"var", tsr_var_axes, tsr_var_axes_exprv, the_variance},
              {"min", tsr_min_axes, tsr_min_axes_exprv, the_least},
              {"max", tsr_max_axes, tsr_max_axes_exprv, the_most},
              {"any", tsr_any_axes, tsr_any_axes_exprv, any_is_true}};

static const struct {
    const char *name;
    tsr_status (*array)(const tsr_array *array, int axis, const tsr_reduce_options *options,
                        tsr_array **result);
    tsr_status (*text)(int axis, const tsr_reduce_options *options, tsr_array **result,
                       const char *text, int count, const tsr_arg *args);
    expected_value *expected;
} places[] = {{"argmin", tsr_argmin_axis, tsr_argmin_axis_exprv, place_of_least},
              {"argmax", tsr_argmax_axis, tsr_argmax_axis_exprv, place_of_most}};

/* Everything is exact but variances and what single numbers round. */
static void check_results(const axes_case *c, const char *name, expected_value *expected,
                          tsr_array **result)
{
    static double values[MOST_RESULTS];
    tsr_array *wide = NULL;

    CHECK_INT(tsr_array_cells(*result), c->results);
    CHECK_OK(tsr_astype(*result, TSR_F64, &wide));
    CHECK_OK(tsr_gather(wide, TSR_ALL_RANKS, values));
    for (int64_t i = 0; i < c->results; ++i) {
        const double right = expected(&c->found[i]);
        if (fabs(values[i] - right) > 1e-6 * fabs(right) + 1e-12)
            tsrt_fail(__FILE__, __LINE__, "%s of %lld x %lld x %lld over 0x%x: %g, not %g at %lld",
                      name, (long long)c->shape[0], (long long)c->shape[1], (long long)c->shape[2],
                      (unsigned)c->reduced, values[i], right, (long long)i);
    }
    CHECK_OK(tsr_array_destroy(&wide));
    CHECK_OK(tsr_array_destroy(result));
}

static void check_axes(const axes_case *c, const tsr_array *a, int axis)
{
    const tsr_arg arg = TSR_ARG_AS("a", (tsr_array *)a);
    tsr_array *result = NULL;

    for (size_t k = 0; k < sizeof totals / sizeof totals[0]; ++k) {
        CHECK_OK(totals[k].array(a, c->reduced, NULL, &result));
        check_results(c, totals[k].name, totals[k].expected, &result);
        CHECK_OK(totals[k].text(c->reduced, NULL, &result, "a*1", 1, &arg));
        check_results(c, totals[k].name, totals[k].expected, &result);
    }
    for (size_t k = 0; k < sizeof places / sizeof places[0] && axis >= 0; ++k) {
        CHECK_OK(places[k].array(a, axis, NULL, &result));
        check_results(c, places[k].name, places[k].expected, &result);
        CHECK_OK(places[k].text(axis, NULL, &result, "a*1", 1, &arg));
        check_results(c, places[k].name, places[k].expected, &result);
    }
}

static void check_whole(const axes_case *c, const tsr_array *a)
{
    const tsr_arg arg = TSR_ARG_AS("a", (tsr_array *)a);
    int64_t most = 0, cell = -1;
    double sum = 0, squares = 0;
    tsr_scalar value;

    for (int64_t i = 0; i < c->shape[0] * c->shape[1] * c->shape[2]; ++i) {
        const double x = small_value(i);
        sum += x;
        squares += x * x;
        if (x > small_value(most)) most = i;
    }
    CHECK_OK(tsr_sum(a, &value));
    CHECK_DOUBLE(tsr_to_double(value), sum, 0);
    CHECK_OK(tsr_sum_exprv(&value, "a*f64(a)", 1, &arg));
    CHECK_DOUBLE(tsr_to_double(value), squares, 0);
    CHECK_OK(tsr_vdot(a, a, &value));
    CHECK_DOUBLE(tsr_to_double(value), squares, 0);
    CHECK_OK(tsr_argmax(a, &cell));
    CHECK_INT(cell, most);
    CHECK_OK(tsr_argmax_exprv(&cell, "a*1", 1, &arg));
    CHECK_INT(cell, most);
}

static void write_F64_value(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    *(double *)element = small_value(cell);
}
static void write_F32_value(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    *(float *)element = (float)small_value(cell);
}
static void write_I16_value(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    *(int16_t *)element = (int16_t)small_value(cell);
}

static const struct {
    tsr_dtype dtype;
    case_value write;
} value_types[] = {
    {TSR_F64, write_F64_value}, {TSR_F32, write_F32_value}, {TSR_I16, write_I16_value}};

static void check_shape(const int64_t *shape, int variant)
{
    static axes_case c;
    const int split = variant % AXES, halo = variant / AXES % 2;
    const tsr_layout_options options = {
        .split = TSR_AXIS(split), .halo = {halo, halo, halo}, .allow_empty = true};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, AXES, shape, &options, &layout));
    CHECK_OK(tsr_empty(layout, value_types[variant % 3].dtype, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    case_fill(a, value_types[variant % 3].write, NULL);
    memcpy(c.shape, shape, sizeof c.shape);
    check_whole(&c, a);
    for (c.reduced = 1; c.reduced < TSR_AXES(0, 1, 2); ++c.reduced) {
        find(&c);
        check_axes(&c, a,
                   c.reduced == TSR_AXIS(0)   ? 0
                   : c.reduced == TSR_AXIS(1) ? 1
                   : c.reduced == TSR_AXIS(2) ? 2
                                              : -1);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

/* Rows of every length beside the few hundred elements that are taken at once. */
static void axes_of_every_length(void **state)
{
    (void)state;
    static const int64_t shapes[][AXES] = {{1, 701, 3}, {3, 1, 701},  {40, 25, 2},
                                           {2, 3, 360}, {2, 1, 1090}, {11, 2, 40}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i)
        for (int k = 0; k < 2; ++k)
            check_shape(shapes[i], (int)i + 3 * k);
}

/* A rank that has all cells finds the same bits as those that share them along an axis that stays.
 */
static void write_rough(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    *(double *)element = sin((double)cell * 1.7) * ldexp(1, (int)(cell % 60) - 30);
}

/* Case k of 6 along all axes but one; the array split along that one, or whole. */
static void reduce_rough(const int64_t *shape, int kept_axis, bool whole, int k, double *values)
{
    const tsr_layout_options options = {.split = whole ? TSR_WHOLE : TSR_AXIS(kept_axis),
                                        .allow_empty = !whole};
    const tsr_axes axes = TSR_AXES(0, 1, 2) & ~TSR_AXIS(kept_axis);
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *result = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, AXES, shape, &options, &layout));
    CHECK_OK(tsr_empty(layout, TSR_F64, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    case_fill(a, write_rough, NULL);
    const tsr_arg arg = TSR_ARG_AS("a", a);
    if (k % 2 == 0)
        CHECK_OK(totals[k / 2].array(a, axes, NULL, &result));
    else
        CHECK_OK(totals[k / 2].text(axes, NULL, &result, "a*a - 0.1", 1, &arg));
    CHECK_OK(tsr_gather(result, TSR_ALL_RANKS, values));
    CHECK_OK(tsr_array_destroy(&result));
    CHECK_OK(tsr_array_destroy(&a));
}

static void the_same_bits_on_any_number_of_ranks(void **state)
{
    (void)state;
    static const int64_t shapes[][AXES] = {{301, 3, 1}, {1, 3, 301}, {40, 37, 1},
                                           {7, 600, 1}, {5, 6, 7},   {40, 1, 30}};
    static double values[2][MOST_RESULTS];
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i)
        for (int kept_axis = 0; kept_axis < AXES; ++kept_axis)
            for (int k = 0; k < 6; ++k) {
                reduce_rough(shapes[i], kept_axis, false, k, values[0]);
                reduce_rough(shapes[i], kept_axis, true, k, values[1]);
                CHECK(memcmp(values[0], values[1], (size_t)shapes[i][kept_axis] * sizeof(double)) ==
                      0);
            }
}

/* Of real numbers an infinite product stays one, on whichever ranks the infinities are. */
static void infinite_products(void **state)
{
    (void)state;
    const double inf = HUGE_VAL;
    for (int which = 0; which < 81; ++which) {
        const double sign = which % 2 == 0 ? 1 : -1;
        double values[9] = {3, 2, 1, 4, 5, 1, 2, 6, 1};
        tsr_scalar product;
        values[which / 9] = inf;
        values[which % 9] = sign * inf;
        tsr_array *a = case_small(TSR_F64, 1, TSR_SHAPE(9), values);
        CHECK_OK(tsr_prod(a, &product));
        CHECK_DOUBLE(product.as.f, sign * inf, 0);
        CHECK_OK(tsr_array_destroy(&a));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_type_on_every_layout),
                                       cmocka_unit_test(axes_of_every_length),
                                       cmocka_unit_test(the_same_bits_on_any_number_of_ranks),
                                       cmocka_unit_test(infinite_products)};
    return TSRT_RUN(argc, argv, tests);
}
