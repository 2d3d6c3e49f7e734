/* ranks: 1 */
#include "kern/kern.h"
#include "support/strided.h"

static const size_t sizes[] = {1, 2, 4, 8, 16};
enum { SIZES = sizeof sizes / sizeof sizes[0], GUARD = 64 };

/* Memory for `span` elements with guards around, filled at random. */
static unsigned char *guarded(uint64_t *seed, int64_t span, size_t size, size_t *bytes)
{
    *bytes = (size_t)span * size + 2 * GUARD;
    unsigned char *memory = malloc(*bytes);
    random_bytes(seed, memory, *bytes);
    return memory;
}

static void check_equal(const unsigned char *actual, const unsigned char *expected, size_t bytes,
                        uint64_t seed)
{
    if (memcmp(actual, expected, bytes) != 0)
        tsrt_fail(__FILE__, __LINE__, "wrong bytes for seed %llu", (unsigned long long)seed);
}

/* Any shape, any strides: every byte of the destination, the ones between its cells too. */
static void copy_once(uint64_t seed)
{
    const tsri_kern *kern = tsri_kern_get();
    const uint64_t first_seed = seed;
    const size_t size = sizes[random_between(&seed, 0, SIZES - 1)];
    int64_t extent[STRIDED_AXES];
    const int ndim = random_extent(&seed, 4000, extent);
    const strided to = random_strides(&seed, ndim, extent, false);
    const strided from = random_strides(&seed, ndim, extent, true);
    size_t to_bytes, from_bytes;
    unsigned char *dst = guarded(&seed, to.span, size, &to_bytes);
    unsigned char *src = guarded(&seed, from.span, size, &from_bytes);
    unsigned char *expected = malloc(to_bytes);

    memcpy(expected, dst, to_bytes);
    for (int64_t k = 0; k < shape_cells(ndim, extent); ++k)
        memcpy(expected + GUARD + (size_t)cell_place(&to, ndim, extent, k) * size,
               src + GUARD + (size_t)cell_place(&from, ndim, extent, k) * size, size);
    (first_seed % 2 == 0 ? kern->copy : kern->stream)(
        size, ndim, extent, dst + GUARD + (size_t)to.first * size, to.stride,
        src + GUARD + (size_t)from.first * size, from.stride);
    check_equal(dst, expected, to_bytes, first_seed);
    free(dst);
    free(src);
    free(expected);
}

static void copy_any_shape(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20000; ++seed)
        copy_once(seed);
}

/* Axes in another order, with lines to spare along each: what is walked in tiles. */
static void copy_turns_axes(void **state)
{
    (void)state;
    for (uint64_t first_seed = 1; first_seed <= 300; ++first_seed) {
        uint64_t seed = first_seed;
        const size_t size = sizes[random_between(&seed, 0, SIZES - 1)];
        int64_t extent[3], to[3], from[3], to_span = 1, from_span = 1;
        for (int a = 0; a < 3; ++a)
            extent[a] = random_between(&seed, 1, 40);
        for (int a = 2; a >= 0; --a) {
            const int turned = (a + (int)(first_seed % 3)) % 3;
            to[a] = to_span;
            from[turned] = from_span;
            to_span *= extent[a] + random_between(&seed, 0, 2);
            from_span *= extent[turned] + random_between(&seed, 0, 2);
        }
        size_t to_bytes, from_bytes;
        unsigned char *dst = guarded(&seed, to_span, size, &to_bytes);
        unsigned char *src = guarded(&seed, from_span, size, &from_bytes);
        unsigned char *expected = malloc(to_bytes);

        memcpy(expected, dst, to_bytes);
        for (int64_t i = 0; i < extent[0]; ++i)
            for (int64_t j = 0; j < extent[1]; ++j)
                for (int64_t k = 0; k < extent[2]; ++k)
                    memcpy(expected + GUARD + (size_t)(i * to[0] + j * to[1] + k * to[2]) * size,
                           src + GUARD + (size_t)(i * from[0] + j * from[1] + k * from[2]) * size,
                           size);
        const tsri_kern *kern = tsri_kern_get();
        (first_seed % 2 == 0 ? kern->copy : kern->stream)(size, 3, extent, dst + GUARD, to,
                                                          src + GUARD, from);
        check_equal(dst, expected, to_bytes, first_seed);
        free(dst);
        free(src);
        free(expected);
    }
}

/* Packing a box out of a block, and back: every length of the contiguous run. */
static void copy_packs_runs(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int s = 0; s < SIZES; ++s)
        for (int64_t run = 1; run <= 150; ++run) {
            const int64_t extent[] = {3, 2, run}, block[] = {4 * (run + 3), run + 3, 1};
            const int64_t packed[] = {2 * run, run, 1};
            const size_t size = sizes[s];
            size_t block_bytes, packed_bytes;
            unsigned char *field = guarded(&seed, 12 * (run + 3), size, &block_bytes);
            unsigned char *buffer = guarded(&seed, 6 * run, size, &packed_bytes);
            unsigned char *before = malloc(packed_bytes);

            memcpy(before, buffer, packed_bytes);
            tsri_kern_get()->copy(size, 3, extent, buffer + GUARD, packed, field + GUARD, block);
            for (int64_t i = 0; i < 6; ++i)
                CHECK(memcmp(buffer + GUARD + (size_t)(i * run) * size,
                             field + GUARD + (size_t)(i / 2 * block[0] + i % 2 * block[1]) * size,
                             (size_t)run * size) == 0);
            CHECK(memcmp(buffer, before, GUARD) == 0);
            CHECK(memcmp(buffer + packed_bytes - GUARD, before + packed_bytes - GUARD, GUARD) == 0);

            unsigned char *after = malloc(block_bytes);
            memcpy(after, field, block_bytes);
            for (int64_t i = 0; i < 6; ++i)
                memset(field + GUARD + (size_t)(i / 2 * block[0] + i % 2 * block[1]) * size, 0,
                       (size_t)run * size);
            tsri_kern_get()->copy(size, 3, extent, field + GUARD, block, buffer + GUARD, packed);
            CHECK(memcmp(field, after, block_bytes) == 0);
            free(field);
            free(buffer);
            free(before);
            free(after);
        }
}

/* Rows of any length, anywhere on their lines, in blocks of other lengths. */
static void stream_rows(void **state)
{
    (void)state;
    for (uint64_t first_seed = 1; first_seed <= 300; ++first_seed) {
        uint64_t seed = first_seed;
        const int64_t rows = random_between(&seed, 1, 9);
        const int64_t run = random_between(&seed, 1, first_seed % 10 == 0 ? 40000 : 1000);
        const int64_t to_row = run + random_between(&seed, 0, 70);
        const int64_t from_row = run + random_between(&seed, 0, 70);
        const int64_t to_first = random_between(&seed, 0, 70);
        size_t to_bytes, from_bytes;
        unsigned char *dst = guarded(&seed, to_first + rows * to_row, 1, &to_bytes);
        unsigned char *src = guarded(&seed, rows * from_row, 1, &from_bytes);
        unsigned char *expected = malloc(to_bytes);

        memcpy(expected, dst, to_bytes);
        for (int64_t i = 0; i < rows; ++i)
            memcpy(expected + GUARD + to_first + i * to_row, src + GUARD + i * from_row,
                   (size_t)run);
        tsri_kern_get()->stream(1, 2, (const int64_t[]){rows, run}, dst + GUARD + to_first,
                                (const int64_t[]){to_row, 1}, src + GUARD,
                                (const int64_t[]){from_row, 1});
        check_equal(dst, expected, to_bytes, first_seed);
        free(dst);
        free(src);
        free(expected);
    }
}

static void fill_once(uint64_t seed)
{
    const uint64_t first_seed = seed;
    const size_t size = sizes[random_between(&seed, 0, SIZES - 1)];
    int64_t extent[STRIDED_AXES];
    const int ndim = random_extent(&seed, 4000, extent);
    const strided to = random_strides(&seed, ndim, extent, false);
    unsigned char value[16];
    size_t bytes;
    unsigned char *dst = guarded(&seed, to.span, size, &bytes), *expected = malloc(bytes);

    random_bytes(&seed, value, sizeof value);
    if (random_between(&seed, 0, 2) == 0) memset(value, value[0], sizeof value);
    memcpy(expected, dst, bytes);
    for (int64_t k = 0; k < shape_cells(ndim, extent); ++k)
        memcpy(expected + GUARD + (size_t)cell_place(&to, ndim, extent, k) * size, value, size);
    tsri_kern_get()->fill(size, ndim, extent, dst + GUARD + (size_t)to.first * size, to.stride,
                          value);
    check_equal(dst, expected, bytes, first_seed);
    free(dst);
    free(expected);
}

static void fill_any_shape(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10000; ++seed)
        fill_once(seed);
}

/* An extent of 0 anywhere touches nothing, not even valid pointers; no axes are one cell. */
static void nothing_and_one_cell(void **state)
{
    const int64_t extent[] = {3, 0, 2}, stride[] = {1, 5, 7};
    int32_t from = 7, to = 0;

    (void)state;
    tsri_kern_get()->copy(4, 3, extent, NULL, stride, NULL, stride);
    tsri_kern_get()->fill(4, 3, extent, NULL, stride, &from);
    tsri_kern_get()->add(TSR_I32, 3, extent, NULL, stride, NULL, stride);
    tsri_kern_get()->convert(3, extent, TSR_C64, NULL, stride, TSR_I32, NULL, stride);
    tsri_kern_get()->copy(4, 0, NULL, &to, NULL, &from, NULL);
    CHECK_INT(to, 7);
    tsri_kern_get()->add(TSR_I32, 0, NULL, &to, NULL, &from, NULL);
    CHECK_INT(to, 14);
}

/* The same cells in the same order, and no axis that could still be merged or dropped. */
static void coalesce_once(uint64_t seed)
{
    int64_t extent[STRIDED_AXES], merged[STRIDED_AXES];
    const int ndim = random_extent(&seed, 500, extent);
    const strided a = random_strides(&seed, ndim, extent, true);
    const strided b = random_strides(&seed, ndim, extent, true);
    strided c = a, d = b;

    memcpy(merged, extent, sizeof merged);
    const int n = tsri_coalesce(ndim, merged, 2, (int64_t *[]){c.stride, d.stride});
    CHECK(n <= ndim);
    CHECK_INT(shape_cells(n, merged), shape_cells(ndim, extent));
    for (int64_t k = 0; k < shape_cells(ndim, extent); ++k) {
        CHECK_INT(cell_place(&c, n, merged, k), cell_place(&a, ndim, extent, k));
        CHECK_INT(cell_place(&d, n, merged, k), cell_place(&b, ndim, extent, k));
    }
    for (int i = 0; i < n; ++i)
        CHECK(merged[i] != 1);
    for (int i = 0; i + 1 < n; ++i)
        CHECK(c.stride[i] != c.stride[i + 1] * merged[i + 1] ||
              d.stride[i] != d.stride[i + 1] * merged[i + 1]);
}

static void coalesce_keeps_order(void **state)
{
    int64_t extent[] = {4, 1, 3, 2}, one[] = {6, 99, 2, 1}, other[] = {12, -5, 4, 2};

    (void)state;
    for (uint64_t seed = 1; seed <= 5000; ++seed)
        coalesce_once(seed);
    CHECK_INT(tsri_coalesce(4, extent, 2, (int64_t *[]){one, other}), 1);
    CHECK_INT(extent[0], 24);
    CHECK_INT(one[0], 1);
    CHECK_INT(other[0], 2);
}

static void c_strides(void **state)
{
    int64_t stride[3];

    (void)state;
    CHECK_INT(tsri_c_strides(3, (const int64_t[]){4, 5, 6}, stride), 120);
    CHECK_INT(stride[0], 30);
    CHECK_INT(stride[1], 6);
    CHECK_INT(stride[2], 1);
    CHECK_INT(tsri_c_strides(2, (const int64_t[]){4, 0}, stride), 0);
    CHECK_INT(tsri_c_strides(0, NULL, NULL), 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy_any_shape),       cmocka_unit_test(copy_packs_runs),
        cmocka_unit_test(stream_rows),          cmocka_unit_test(copy_turns_axes),
        cmocka_unit_test(fill_any_shape),       cmocka_unit_test(nothing_and_one_cell),
        cmocka_unit_test(coalesce_keeps_order), cmocka_unit_test(c_strides),
    };
    return TSRT_RUN(argc, argv, tests);
}
