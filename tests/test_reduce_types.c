/* ranks: 1 2 3 4 6 8 */
#include "support/harness.h"
#include "support/reduce_cases.h"

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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_type_on_every_layout)};
    return TSRT_RUN(argc, argv, tests);
}
