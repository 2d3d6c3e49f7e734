/* Sums of strided elements, of any type. */
#include "kern/portable.h"
#include "kern/walk.h"

#include <string.h>

/* One function a width and kind: signed and unsigned integers have the same sums modulo 2^n, and a
 * complex element is two real ones. */
#define ADD_LIST(X)                                                                                \
    X(bool, uint8_t, (a | b) != 0)                                                                 \
    X(int8, uint8_t, a + b)                                                                        \
    X(int16, uint16_t, a + b)                                                                      \
    X(int32, uint32_t, a + b)                                                                      \
    X(int64, uint64_t, a + b)                                                                      \
    X(float32, float, a + b)                                                                       \
    X(float64, double, a + b)

#define ADD_FUNCTION(name, type, sum)                                                              \
    TSRI_EXPAND void add_row_##name(int64_t n, unsigned char *restrict dst, ptrdiff_t dst_step,    \
                                    const unsigned char *restrict src, ptrdiff_t src_step)         \
    {                                                                                              \
        for (int64_t j = 0; j < n; ++j) {                                                          \
            type a, b;                                                                             \
            memcpy(&a, dst + j * dst_step, sizeof a);                                              \
            memcpy(&b, src + j * src_step, sizeof b);                                              \
            a = (type)(sum);                                                                       \
            memcpy(dst + j * dst_step, &a, sizeof a);                                              \
        }                                                                                          \
    }                                                                                              \
    static void add_##name(const tsri_plane *p, unsigned char *restrict dst,                       \
                           const unsigned char *restrict src, const void *ctx)                     \
    {                                                                                              \
        const ptrdiff_t unit = sizeof(type);                                                       \
        const bool dense = p->dst_col == unit && p->src_col == unit;                               \
        (void)ctx;                                                                                 \
        for (int64_t i = 0; i < p->rows; ++i) {                                                    \
            unsigned char *d = dst + i * p->dst_row;                                               \
            const unsigned char *s = src + i * p->src_row;                                         \
            if (dense)                                                                             \
                add_row_##name(p->cols, d, unit, s, unit);                                         \
            else                                                                                   \
                add_row_##name(p->cols, d, p->dst_col, s, p->src_col);                             \
        }                                                                                          \
    }
ADD_LIST(ADD_FUNCTION)

static tsri_plane_function *const add_functions[TSR_DTYPE_END] = {
    [TSR_BOOL] = add_bool,   [TSR_I8] = add_int8,     [TSR_I16] = add_int16,
    [TSR_I32] = add_int32,   [TSR_I64] = add_int64,   [TSR_U8] = add_int8,
    [TSR_U16] = add_int16,   [TSR_U32] = add_int32,   [TSR_U64] = add_int64,
    [TSR_F32] = add_float32, [TSR_F64] = add_float64, [TSR_C64] = add_float32,
    [TSR_C128] = add_float64};

void tsri_portable_add(tsr_dtype dtype, int ndim, const int64_t *extent, void *dst,
                       const int64_t *dst_stride, const void *src, const int64_t *src_stride)
{
    const size_t size = tsr_dtype_size(dtype);
    const int parts = dtype == TSR_C64 || dtype == TSR_C128 ? 2 : 1;
    tsri_walk walk;

    if (!tsri_walk_init(&walk, ndim, extent, parts, (tsri_operand){size, dst_stride},
                        (tsri_operand){size, src_stride}))
        return;
    tsri_walk_planes(&walk, dst, src, add_functions[dtype], NULL);
}
