/* Fused loops by hand.  The compiler may do with them what it likes: reorder, contract, and call
 * the vectorised functions of the C library. */
#include "expressions.h"

#include <math.h>
#include <string.h>

/* X(type, ending of functions of math.h, of names here) */
#define REALS(X)                                                                                   \
    X(double, , f64)                                                                               \
    X(float, f, f32)

#define FLAT(name, type, suffix, value)                                                            \
    static void name##_##suffix(const expr_data *e)                                                \
    {                                                                                              \
        const type *restrict a = e->pa, *restrict b = e->pb, *restrict d = e->pd;                  \
        type *restrict out = e->pout;                                                              \
        (void)b, (void)d;                                                                          \
        for (int64_t i = 0; i < e->cells; ++i)                                                     \
            out[i] = (value);                                                                      \
    }

/* A value of the cells around u, which moves along a row; `next` cells are s[0] and s[1] away. */
#define STENCIL(name, type, suffix, value)                                                         \
    static void name##_##suffix(const expr_data *e)                                                \
    {                                                                                              \
        const int64_t p = e->stride[0], r = e->stride[1];                                          \
        for (int64_t i = 0; i < e->extent[0]; ++i)                                                 \
            for (int64_t j = 0; j < e->extent[1]; ++j) {                                           \
                const type *restrict u = (const type *)e->pa + i * p + j * r;                      \
                type *restrict out = (type *)e->pout + i * p + j * r;                              \
                for (int64_t k = 0; k < e->extent[2]; ++k)                                         \
                    out[k] = (value);                                                              \
            }                                                                                      \
    }

#define FACES(u, k) (u[k - p] + u[k + p] + u[k - r] + u[k + r] + u[k - 1] + u[k + 1])
#define EDGES(u, k)                                                                                \
    (u[k - p - r] + u[k - p + r] + u[k + p - r] + u[k + p + r] + u[k - p - 1] + u[k - p + 1] +     \
     u[k + p - 1] + u[k + p + 1] + u[k - r - 1] + u[k - r + 1] + u[k + r - 1] + u[k + r + 1])
#define CORNERS(u, k)                                                                              \
    (u[k - p - r - 1] + u[k - p - r + 1] + u[k - p + r - 1] + u[k - p + r + 1] +                   \
     u[k + p - r - 1] + u[k + p - r + 1] + u[k + p + r - 1] + u[k + p + r + 1])

#define LOOPS(type, m, suffix)                                                                     \
    FLAT(arithmetic, type, suffix, 2 * a[i] + b[i] * d[i])                                         \
    FLAT(sine, type, suffix, 2 * a[i] + sin##m(a[i]))                                              \
    FLAT(exp_of, type, suffix, exp##m(a[i]))                                                       \
    FLAT(log_of, type, suffix, log##m(a[i]))                                                       \
    FLAT(where, type, suffix, a[i] > 0 ? sqrt##m(a[i]) : -a[i])                                    \
    FLAT(sum_of_three, type, suffix, a[i] + b[i] + d[i])                                           \
    STENCIL(stencil_7, type, suffix,                                                               \
            (type)expr_weight_7[0] * u[k] + (type)expr_weight_7[1] * FACES(u, k))                  \
    STENCIL(stencil_27, type, suffix,                                                              \
            (type)expr_weight_27[0] * u[k] + (type)expr_weight_27[1] * FACES(u, k) +               \
                (type)expr_weight_27[2] * EDGES(u, k) + (type)expr_weight_27[3] * CORNERS(u, k))   \
    STENCIL(rows, type, suffix, u[k])
REALS(LOOPS)

typedef void loop(const expr_data *data);

void expr_loop(const expr_data *data)
{
    static loop *const loops[EXPR_END][2] = {
        [EXPR_ARITHMETIC] = {arithmetic_f64, arithmetic_f32},
        [EXPR_SINE] = {sine_f64, sine_f32},
        [EXPR_EXP] = {exp_of_f64, exp_of_f32},
        [EXPR_LOG] = {log_of_f64, log_of_f32},
        [EXPR_WHERE] = {where_f64, where_f32},
        [EXPR_STENCIL_7] = {stencil_7_f64, stencil_7_f32},
        [EXPR_STENCIL_27] = {stencil_27_f64, stencil_27_f32},
    };
    loops[data->which][data->dtype == TSR_F32](data);
}

void expr_floor(const expr_data *data)
{
    const bool single = data->dtype == TSR_F32;

    if (data->which == EXPR_ARITHMETIC)
        (single ? sum_of_three_f32 : sum_of_three_f64)(data);
    else if (data->which >= EXPR_STENCIL_7)
        (single ? rows_f32 : rows_f64)(data);
    else
        memcpy(data->pout, data->pa, (size_t)data->cells * tsr_dtype_size(data->dtype));
}
