/* Two operations of blocks in one pass. */
#include "kern/vector_level.h"

#define REAL(suffix, type, ...)                                                                    \
    KERNEL_3(mul_add_##suffix, type, type, a *b + c)                                               \
    KERNEL_3(mul_sub_##suffix, type, type, a *b - c)                                               \
    KERNEL_3(sub_mul_##suffix, type, type, c - a * b)                                              \
    KERNEL_4(mul_add_mul_##suffix, type, type, a *b + c * d)                                       \
    KERNEL_4(mul_sub_mul_##suffix, type, type, a *b - c * d)                                       \
    KERNEL_4(select_less_##suffix, type, type, a < b ? c : d)                                      \
    KERNEL_4(select_less_equal_##suffix, type, type, a <= b ? c : d)                               \
    KERNEL_4(select_equal_##suffix, type, type, a == b ? c : d)
REAL_LIST(REAL)

/* ---- linear combinations --------------------------------------------------------------------- */

/* The sum of the first terms, from the left. */
#define SUM_2 k[0] * x0[i] + k[1] * x1[i]
#define SUM_3 SUM_2 + k[2] * x2[i]
#define SUM_4 SUM_3 + k[3] * x3[i]
#define SUM_5 SUM_4 + k[4] * x4[i]
#define SUM_6 SUM_5 + k[5] * x5[i]
#define SUM_7 SUM_6 + k[6] * x6[i]

#define TERMS_2(type) const type *x0 = in[0], *x1 = in[1];
#define TERMS_3(type) TERMS_2(type) const type *x2 = in[2];
#define TERMS_4(type) TERMS_3(type) const type *x3 = in[3];
#define TERMS_5(type) TERMS_4(type) const type *x4 = in[4];
#define TERMS_6(type) TERMS_5(type) const type *x5 = in[5];
#define TERMS_7(type) TERMS_6(type) const type *x6 = in[6];

#define LINEAR(suffix, type, terms)                                                                \
    static void linear_##terms##_##suffix(int64_t n, void *out, const void *const *in)             \
    {                                                                                              \
        type *to = out;                                                                            \
        TERMS_##terms(type) type k[terms];                                                         \
        for (int t = 0; t < (terms); ++t)                                                          \
            k[t] = ((const type *)in[terms])[t];                                                   \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i)                                                            \
            to[i] = SUM_##terms;                                                                   \
    }
#define LINEARS(suffix, type, ...)                                                                 \
    LINEAR(suffix, type, 2)                                                                        \
    LINEAR(suffix, type, 3)                                                                        \
    LINEAR(suffix, type, 4)                                                                        \
    LINEAR(suffix, type, 5)                                                                        \
    LINEAR(suffix, type, 6)                                                                        \
    LINEAR(suffix, type, 7)
REAL_LIST(LINEARS)

/* The same when only the last term has a factor. */
#define PLAIN_1 x0[i]
#define PLAIN_2 PLAIN_1 + x1[i]
#define PLAIN_3 PLAIN_2 + x2[i]
#define PLAIN_4 PLAIN_3 + x3[i]
#define PLAIN_5 PLAIN_4 + x4[i]
#define PLAIN_6 PLAIN_5 + x5[i]

#define TAIL(suffix, type, terms, before)                                                          \
    static void tail_##terms##_##suffix(int64_t n, void *out, const void *const *in)               \
    {                                                                                              \
        type *to = out;                                                                            \
        TERMS_##terms(type) const type k = ((const type *)in[terms])[before];                      \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i)                                                            \
            to[i] = PLAIN_##before + k * x##before[i];                                             \
    }
#define TAILS(suffix, type, ...)                                                                   \
    TAIL(suffix, type, 2, 1)                                                                       \
    TAIL(suffix, type, 3, 2)                                                                       \
    TAIL(suffix, type, 4, 3)                                                                       \
    TAIL(suffix, type, 5, 4)                                                                       \
    TAIL(suffix, type, 6, 5)                                                                       \
    TAIL(suffix, type, 7, 6)
REAL_LIST(TAILS)

/* A term, and the sum of the others times a factor. */
#define REST_2 x1[i]
#define REST_3 REST_2 + x2[i]
#define REST_4 REST_3 + x3[i]
#define REST_5 REST_4 + x4[i]
#define REST_6 REST_5 + x5[i]
#define REST_7 REST_6 + x6[i]
#define TERMS_8(type) TERMS_7(type) const type *x7 = in[7];

#define STAR(suffix, type, terms, before)                                                          \
    static void star_##terms##_##suffix(int64_t n, void *out, const void *const *in)               \
    {                                                                                              \
        type *to = out;                                                                            \
        const type *c = in[terms];                                                                 \
        TERMS_##terms(type) const type k0 = c[0], k1 = c[1], k = c[before];                        \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i)                                                            \
            to[i] = k0 * x0[i] + k1 * (REST_##before + k * x##before[i]);                          \
    }
#define STARS(suffix, type, ...)                                                                   \
    STAR(suffix, type, 3, 2)                                                                       \
    STAR(suffix, type, 4, 3)                                                                       \
    STAR(suffix, type, 5, 4)                                                                       \
    STAR(suffix, type, 6, 5)                                                                       \
    STAR(suffix, type, 7, 6)                                                                       \
    STAR(suffix, type, 8, 7)
REAL_LIST(STARS)

const tsri_vector_row TSRI_AT_LEVEL(fused)[] = {
    {TSRI_VECTOR_MUL_ADD, {REAL_ROW(mul_add)}},
    {TSRI_VECTOR_MUL_SUB, {REAL_ROW(mul_sub)}},
    {TSRI_VECTOR_SUB_MUL, {REAL_ROW(sub_mul)}},
    {TSRI_VECTOR_MUL_ADD_MUL, {REAL_ROW(mul_add_mul)}},
    {TSRI_VECTOR_MUL_SUB_MUL, {REAL_ROW(mul_sub_mul)}},
    {TSRI_VECTOR_SELECT_LESS, {REAL_ROW(select_less)}},
    {TSRI_VECTOR_SELECT_LESS_EQUAL, {REAL_ROW(select_less_equal)}},
    {TSRI_VECTOR_SELECT_EQUAL, {REAL_ROW(select_equal)}},
    {TSRI_VECTOR_LINEAR_2, {REAL_ROW(linear_2)}},
    {TSRI_VECTOR_LINEAR_3, {REAL_ROW(linear_3)}},
    {TSRI_VECTOR_LINEAR_4, {REAL_ROW(linear_4)}},
    {TSRI_VECTOR_LINEAR_5, {REAL_ROW(linear_5)}},
    {TSRI_VECTOR_LINEAR_6, {REAL_ROW(linear_6)}},
    {TSRI_VECTOR_LINEAR_7, {REAL_ROW(linear_7)}},
    {TSRI_VECTOR_TAIL_2, {REAL_ROW(tail_2)}},
    {TSRI_VECTOR_TAIL_3, {REAL_ROW(tail_3)}},
    {TSRI_VECTOR_TAIL_4, {REAL_ROW(tail_4)}},
    {TSRI_VECTOR_TAIL_5, {REAL_ROW(tail_5)}},
    {TSRI_VECTOR_TAIL_6, {REAL_ROW(tail_6)}},
    {TSRI_VECTOR_TAIL_7, {REAL_ROW(tail_7)}},
    {TSRI_VECTOR_STAR_3, {REAL_ROW(star_3)}},
    {TSRI_VECTOR_STAR_4, {REAL_ROW(star_4)}},
    {TSRI_VECTOR_STAR_5, {REAL_ROW(star_5)}},
    {TSRI_VECTOR_STAR_6, {REAL_ROW(star_6)}},
    {TSRI_VECTOR_STAR_7, {REAL_ROW(star_7)}},
    {TSRI_VECTOR_STAR_8, {REAL_ROW(star_8)}},
    {.op = TSRI_VECTOR_END}};
