/* Strided elements from any type to any other. */
#include "kern/portable.h"
#include "kern/walk.h"

#include <string.h>

/* A conversion goes through a block of one of three wide types, each of which holds every value of
 * the types loaded into it, so that rounding happens once, when the result is stored. */
typedef enum wide { WIDE_SIGNED, WIDE_UNSIGNED, WIDE_REAL, WIDE_END } wide;

enum { BLOCK = 256 };
typedef union block {
    int64_t i[BLOCK];
    uint64_t u[BLOCK];
    double f[BLOCK];
} block;

typedef void load_function(int64_t n, block *restrict to, const unsigned char *restrict from,
                           ptrdiff_t step);
typedef void store_function(int64_t n, unsigned char *restrict to, ptrdiff_t step,
                            const block *restrict from);

/* ---- load ------------------------------------------------------------------------------------ */

/* What is loaded of one element: X(type, C type, number of them, block member, value).  Booleans
 * are bytes, since storage may hold anything.  Complex elements are loaded only for their truth. */
#define LOAD_LIST(X)                                                                               \
    X(BOOL, uint8_t, 1, i, v[0] != 0)                                                              \
    X(I8, int8_t, 1, i, v[0])                                                                      \
    X(I16, int16_t, 1, i, v[0])                                                                    \
    X(I32, int32_t, 1, i, v[0])                                                                    \
    X(I64, int64_t, 1, i, v[0])                                                                    \
    X(U8, uint8_t, 1, i, v[0])                                                                     \
    X(U16, uint16_t, 1, i, v[0])                                                                   \
    X(U32, uint32_t, 1, i, v[0])                                                                   \
    X(U64, uint64_t, 1, u, v[0])                                                                   \
    X(F32, float, 1, f, (double)v[0])                                                              \
    X(F64, double, 1, f, v[0])                                                                     \
    X(C64, float, 2, i, v[0] != 0 || v[1] != 0)                                                    \
    X(C128, double, 2, i, v[0] != 0 || v[1] != 0)

#define LOAD_FUNCTION(suffix, type, parts, member, value)                                          \
    static void load_##suffix(int64_t n, block *restrict to, const unsigned char *restrict from,   \
                              ptrdiff_t step)                                                      \
    {                                                                                              \
        for (int64_t k = 0; k < n; ++k) {                                                          \
            type v[parts];                                                                         \
            memcpy(v, from + k * step, sizeof v);                                                  \
            to->member[k] = (value);                                                               \
        }                                                                                          \
    }
LOAD_LIST(LOAD_FUNCTION)

static load_function *const loads[TSR_DTYPE_END] = {
#define LOAD_ENTRY(suffix, ...) [TSR_##suffix] = load_##suffix,
    LOAD_LIST(LOAD_ENTRY)};

static wide wide_of(tsr_dtype dtype)
{
    if (dtype == TSR_U64) return WIDE_UNSIGNED;
    return dtype == TSR_F32 || dtype == TSR_F64 ? WIDE_REAL : WIDE_SIGNED;
}

/* ---- store ----------------------------------------------------------------------------------- */

/* X(type, C type, smallest, largest) */
#define INTEGER_LIST(X)                                                                            \
    X(I8, int8_t, INT8_MIN, INT8_MAX)                                                              \
    X(I16, int16_t, INT16_MIN, INT16_MAX)                                                          \
    X(I32, int32_t, INT32_MIN, INT32_MAX)                                                          \
    X(I64, int64_t, INT64_MIN, INT64_MAX)                                                          \
    X(U8, uint8_t, 0, UINT8_MAX)                                                                   \
    X(U16, uint16_t, 0, UINT16_MAX)                                                                \
    X(U32, uint32_t, 0, UINT32_MAX)                                                                \
    X(U64, uint64_t, 0, UINT64_MAX)

#define STORE_FUNCTION(name, type, member, value)                                                  \
    static void store_##name(int64_t n, unsigned char *restrict to, ptrdiff_t step,                \
                             const block *restrict from)                                           \
    {                                                                                              \
        for (int64_t k = 0; k < n; ++k) {                                                          \
            const type v = (value(from->member[k]));                                               \
            memcpy(to + k * step, &v, sizeof v);                                                   \
        }                                                                                          \
    }

/* Toward zero; beyond the range its nearest end; NaN is 0.  The largest 64-bit integers round up to
 * a power of two, which is beyond the range already. */
#define TRUNCATE(suffix, type, smallest, largest)                                                  \
    static inline type truncate_##suffix(double v)                                                 \
    {                                                                                              \
        if (v >= (double)(largest)) return (largest);                                              \
        if (v <= (double)(smallest)) return (smallest);                                            \
        return v == v ? (type)v : 0;                                                               \
    }

#define STORE_INTEGER(suffix, type, smallest, largest)                                             \
    TRUNCATE(suffix, type, smallest, largest)                                                      \
    STORE_FUNCTION(suffix##_i, type, i, (type))                                                    \
    STORE_FUNCTION(suffix##_u, type, u, (type))                                                    \
    STORE_FUNCTION(suffix##_f, type, f, truncate_##suffix)
INTEGER_LIST(STORE_INTEGER)

#define IS_TRUE(v) ((v) != 0)
STORE_FUNCTION(BOOL_i, bool, i, IS_TRUE)
STORE_FUNCTION(BOOL_u, bool, u, IS_TRUE)
STORE_FUNCTION(BOOL_f, bool, f, IS_TRUE)
STORE_FUNCTION(F32_i, float, i, (float))
STORE_FUNCTION(F32_u, float, u, (float))
STORE_FUNCTION(F32_f, float, f, (float))
STORE_FUNCTION(F64_i, double, i, (double))
STORE_FUNCTION(F64_u, double, u, (double))
STORE_FUNCTION(F64_f, double, f, (double))

static store_function *const stores[TSR_DTYPE_END][WIDE_END] = {
#define STORE_ENTRY(suffix, ...)                                                                   \
    [TSR_##suffix] = {store_##suffix##_i, store_##suffix##_u, store_##suffix##_f},
    INTEGER_LIST(STORE_ENTRY) STORE_ENTRY(BOOL, ) STORE_ENTRY(F32, ) STORE_ENTRY(F64, )};

/* ---- convert --------------------------------------------------------------------------------- */

typedef struct conversion {
    load_function *load;
    store_function *store;
} conversion;

static void convert_plane(const tsri_plane *p, unsigned char *restrict dst,
                          const unsigned char *restrict src, const void *ctx)
{
    const conversion *c = ctx;
    block values;

    for (int64_t i = 0; i < p->rows; ++i)
        for (int64_t j = 0; j < p->cols; j += BLOCK) {
            const int64_t n = p->cols - j < BLOCK ? p->cols - j : BLOCK;
            c->load(n, &values, src + i * p->src_row + j * p->src_col, p->src_col);
            c->store(n, dst + i * p->dst_row + j * p->dst_col, p->dst_col, &values);
        }
}

static bool is_complex(tsr_dtype dtype)
{
    return dtype == TSR_C64 || dtype == TSR_C128;
}

/* The type of the real and the imaginary part; of a real type itself. */
static tsr_dtype part_of(tsr_dtype dtype)
{
    if (!is_complex(dtype)) return dtype;
    return dtype == TSR_C64 ? TSR_F32 : TSR_F64;
}

static void clear_imaginary(size_t part, int ndim, const int64_t *extent, void *dst,
                            const int64_t *dst_stride)
{
    const double zero = 0;
    int64_t stride[TSR_MAX_NDIM];

    for (int a = 0; a < ndim; ++a)
        stride[a] = 2 * dst_stride[a];
    tsri_portable_fill(part, ndim, extent, (unsigned char *)dst + part, stride, &zero);
}

void tsri_portable_convert(int ndim, const int64_t *extent, tsr_dtype dst_dtype, void *dst,
                           const int64_t *dst_stride, tsr_dtype src_dtype, const void *src,
                           const int64_t *src_stride)
{
    const tsri_operand to = {tsr_dtype_size(dst_dtype), dst_stride};
    const tsri_operand from = {tsr_dtype_size(src_dtype), src_stride};
    const bool both = is_complex(dst_dtype) && is_complex(src_dtype);
    const tsr_dtype loaded = dst_dtype == TSR_BOOL ? src_dtype : part_of(src_dtype);
    const tsr_dtype stored = part_of(dst_dtype);
    const conversion c = {loads[loaded], stores[stored][wide_of(loaded)]};
    tsri_walk walk;

    if (dst_dtype == src_dtype) {
        tsri_portable_copy(to.size, ndim, extent, dst, dst_stride, src, src_stride);
        return;
    }
    if (!tsri_walk_init(&walk, ndim, extent, both ? 2 : 1, to, from)) return;
    tsri_walk_planes(&walk, dst, src, convert_plane, &c);
    if (is_complex(dst_dtype) && !both) clear_imaginary(to.size / 2, ndim, extent, dst, dst_stride);
}
