#include "support/reduce_cases.h"

#include <float.h>
#include <math.h>

/* ---- layouts --------------------------------------------------------------------------------- */

enum { CUT_LENGTH = 11, MOST_CUTS = 65 };

/* All cells on one rank: 0 ... 0 n ... n. */
static tsr_layout *one_owner(int owner)
{
    int64_t cuts[MOST_CUTS];
    tsr_layout *layout = NULL;

    CHECK(tsrt_size() < MOST_CUTS);
    for (int k = 0; k <= tsrt_size(); ++k)
        cuts[k] = k <= owner ? 0 : CUT_LENGTH;
    tsr_layout_options options = {.allow_empty = true, .halo_hi = {2}};
    options.cuts[0] = cuts;
    options.ncuts[0] = tsrt_size() + 1;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(CUT_LENGTH, 3), &options, &layout));
    return layout;
}

tsr_layout *case_layout(int which)
{
    static const struct {
        int ndim;
        int64_t shape[4];
        tsr_layout_options options;
    } cases[] = {
        {1, {37}, {.halo = {2}}},
        {2, {9, 10}, {.split = TSR_AXES(0, 1), .halo = {1, 3}, .periodic = TSR_AXES(0)}},
        {2, {5, 16}, {.split = TSR_AXES(1), .halo_lo = {0, 2}, .halo_hi = {1, 0}}},
        {3, {5, 4, 6}, {.split = TSR_AXES(0, 1, 2), .halo = {1, 1, 1}, .allow_empty = true}},
        {4, {3, 1, 8, 2}, {.split = TSR_AXES(2), .halo = {0, 1, 1, 2}}},
        {1, {2}, {.allow_empty = true, .halo = {4}}},
        {2, {7, 6}, {.split = TSR_WHOLE, .halo = {1, 1}}},
        {0, {0}, {.split = TSR_WHOLE}},
    };
    const int plain = sizeof cases / sizeof cases[0];
    tsr_layout *layout = NULL;

    if (which < plain) {
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, cases[which].ndim, cases[which].shape,
                                   &cases[which].options, &layout));
        return layout;
    }
    return which - plain < tsrt_size() ? one_owner(which - plain) : NULL;
}

void case_fill(tsr_array *array, case_value value, void *ctx)
{
    const tsr_view v = tsr_local(array);
    const int64_t *shape = tsr_array_shape(array);
    const size_t elem = tsr_dtype_size(v.dtype);
    int64_t index[TSR_MAX_NDIM] = {0}, storage = 1, before = 0;

    if (v.data == NULL) return;
    for (int a = 0; a < v.ndim; ++a) {
        storage *= v.halo_lo[a] + v.extent[a] + v.halo_hi[a];
        before += v.halo_lo[a] * v.stride[a];
    }
    memset((char *)v.data - before * (int64_t)elem, 0xff, (size_t)storage * elem);
    for (;;) {
        int64_t cell = 0, offset = 0;
        for (int a = 0; a < v.ndim; ++a) {
            cell = cell * shape[a] + v.start[a] + index[a];
            offset += index[a] * v.stride[a];
        }
        value(cell, (char *)v.data + offset * (int64_t)elem, ctx);
        int a = v.ndim - 1;
        while (a >= 0 && ++index[a] == v.extent[a])
            index[a--] = 0;
        if (a < 0) return;
    }
}

/* ---- arrays from lists ----------------------------------------------------------------------- */

typedef struct elements {
    const void *data;
    size_t size;
} elements;

static void write_listed(int64_t cell, void *element, void *ctx)
{
    const elements *e = ctx;
    memcpy(element, (const char *)e->data + (size_t)cell * e->size, e->size);
}

tsr_array *case_array(tsr_comm comm, tsr_dtype dtype, int ndim, const int64_t *shape,
                      const tsr_layout_options *options, const void *data)
{
    elements e = {data, tsr_dtype_size(dtype)};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    CHECK_OK(tsr_layout_create(comm, ndim, shape, options, &layout));
    CHECK_OK(tsr_empty(layout, dtype, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    case_fill(a, write_listed, &e);
    return a;
}

tsr_array *case_small(tsr_dtype dtype, int ndim, const int64_t *shape, const void *data)
{
    tsr_layout_options options = {.allow_empty = true};
    for (int a = 0; a < ndim; ++a)
        options.halo[a] = 1;
    return case_array(TSR_COMM_WORLD, dtype, ndim, shape, &options, data);
}

static void check_halo(const tsr_array *array, const char *file, int line)
{
    static const char zero[16];
    const tsr_view v = tsr_local(array);
    const int64_t size = (int64_t)tsr_dtype_size(v.dtype);
    int64_t index[TSR_MAX_NDIM];

    if (v.data == NULL) return;
    for (int a = 0; a < v.ndim; ++a)
        index[a] = -v.halo_lo[a];
    for (;;) {
        int64_t offset = 0;
        bool owned = true;
        for (int a = 0; a < v.ndim; ++a) {
            offset += index[a] * v.stride[a];
            owned = owned && index[a] >= 0 && index[a] < v.extent[a];
        }
        if (!owned && memcmp((char *)v.data + offset * size, zero, (size_t)size) != 0)
            tsrt_fail(file, line, "a halo cell is not 0");
        int a = v.ndim - 1;
        while (a >= 0 && ++index[a] == v.extent[a] + v.halo_hi[a]) {
            index[a] = -v.halo_lo[a];
            --a;
        }
        if (a < 0) return;
    }
}

void case_expect(tsr_array **array, tsr_dtype dtype, int ndim, const int64_t *shape,
                 const double *expected, const char *file, int line)
{
    const tsr_dtype wide = dtype == TSR_C64 || dtype == TSR_C128 ? TSR_C128 : TSR_F64;
    const int64_t parts = wide == TSR_C128 ? 2 : 1;
    tsr_array *numbers = NULL;

    tsrt_check_int(tsr_array_dtype(*array), dtype, "type", file, line);
    tsrt_check_int(tsr_array_ndim(*array), ndim, "number of axes", file, line);
    for (int a = 0; a < ndim; ++a)
        tsrt_check_int(tsr_array_shape(*array)[a], shape[a], "length", file, line);
    check_halo(*array, file, line);
    CHECK_OK(tsr_astype(*array, wide, &numbers));
    const int64_t count = tsr_array_cells(*array) * parts;
    double *values = malloc((size_t)count * sizeof *values + 1);
    CHECK(values != NULL);
    CHECK_OK(tsr_gather(numbers, TSR_ALL_RANKS, values));
    for (int64_t i = 0; i < count; ++i)
        tsrt_check_double(values[i], expected[i], 0, "element", file, line);
    free(values);
    CHECK_OK(tsr_array_destroy(&numbers));
    CHECK_OK(tsr_array_destroy(array));
}

/* ---- big integers ---------------------------------------------------------------------------- */

static void big_negate(big *x)
{
    uint64_t carry = 1;
    for (int k = 0; k < BIG_WORDS; ++k) {
        carry += (uint32_t)~x->word[k];
        x->word[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

void big_add(big *sum, double value)
{
    int exponent;
    /* value = fraction * 2^exponent = mantissa * 2^(exponent - 53) */
    const double fraction = frexp(fabs(value), &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int shift = exponent - 53 + 1074;
    big term = {{0}};
    uint64_t carry = 0;

    for (; shift < 0; ++shift)
        mantissa /= 2; /* the bits of a subnormal that are not there */
    for (int i = 0; i < 53; ++i)
        if (mantissa >> i & 1) term.word[(shift + i) / 32] |= UINT32_C(1) << (shift + i) % 32;
    if (signbit(value)) big_negate(&term);
    for (int k = 0; k < BIG_WORDS; ++k) {
        carry += (uint64_t)sum->word[k] + term.word[k];
        sum->word[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

int big_compare(const big *a, const big *b)
{
    const int32_t high_a = (int32_t)a->word[BIG_WORDS - 1],
                  high_b = (int32_t)b->word[BIG_WORDS - 1];
    if (high_a != high_b) return high_a < high_b ? -1 : 1;
    for (int k = BIG_WORDS - 2; k >= 0; --k)
        if (a->word[k] != b->word[k]) return a->word[k] < b->word[k] ? -1 : 1;
    return 0;
}

static big twice(const big *x)
{
    big result = {{0}};
    for (int k = BIG_WORDS - 1; k >= 0; --k)
        result.word[k] = x->word[k] << 1 | (k > 0 ? x->word[k - 1] >> 31 : 0);
    return result;
}

/* Compare the sum with the middle between two numbers; `infinite` stands for an infinity. */
static int compare_middle(const big *sum, double a, double b, double infinite)
{
    const double ends[] = {a, b};
    big both = {{0}};

    for (int k = 0; k < 2; ++k) {
        const bool inf = isinf(ends[k]);
        big_add(&both, inf ? copysign(infinite, ends[k]) : ends[k]);
        if (inf) big_add(&both, copysign(infinite, ends[k]));
    }
    const big doubled = twice(sum);
    return big_compare(&doubled, &both);
}

/* `infinite` is half the power of two that an infinity stands for in rounding. */
static void check_nearest(const big *sum, double below, double rounded, double above, bool even,
                          double infinite, const char *file, int line)
{
    const int low =
        isinf(below) && isinf(rounded) ? 1 : compare_middle(sum, below, rounded, infinite);
    const int high =
        isinf(above) && isinf(rounded) ? -1 : compare_middle(sum, rounded, above, infinite);

    if (low > 0 && high < 0) return;
    if (low >= 0 && high <= 0 && even) return;
    tsrt_fail(file, line, "%a is not the number nearest to the exact sum", rounded);
}

void check_nearest_f64(const big *sum, double rounded, const char *file, int line)
{
    uint64_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    if (isnan(rounded)) tsrt_fail(file, line, "NaN instead of a sum");
    check_nearest(sum, nextafter(rounded, -HUGE_VAL), rounded, nextafter(rounded, HUGE_VAL),
                  (bits & 1) == 0, 0x1p1023, file, line);
}

void check_nearest_f32(const big *sum, float rounded, const char *file, int line)
{
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    if (isnan(rounded)) tsrt_fail(file, line, "NaN instead of a sum");
    check_nearest(sum, (double)nextafterf(rounded, -HUGE_VALF), (double)rounded,
                  (double)nextafterf(rounded, HUGE_VALF), (bits & 1) == 0, 0x1p127, file, line);
}
