#include "reduce/keys.h"

#include <string.h>

typedef unsigned char stored_bool; /* storage that was never written may hold any byte */

static inline int64_t key_of_bool(stored_bool value)
{
    return value != 0;
}

static inline int64_t key_of_signed(int64_t value)
{
    return value;
}

static inline int64_t key_of_unsigned(uint64_t value)
{
    return value > INT64_MAX ? (int64_t)(value - INT64_MAX - 1) : (int64_t)value - INT64_MAX - 1;
}

/* The bits of a number >= 0 are ordered as it is; adding 0 makes both zeros one. */
static inline int64_t key_of_real(double value)
{
    int64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : bits ^ INT64_MAX;
}

/* X(suffix, C type, key, whether an element can be NaN) */
#define KEY_LIST(X)                                                                                \
    X(BOOL, stored_bool, key_of_bool, false)                                                       \
    X(I8, int8_t, key_of_signed, false)                                                            \
    X(I16, int16_t, key_of_signed, false)                                                          \
    X(I32, int32_t, key_of_signed, false)                                                          \
    X(I64, int64_t, key_of_signed, false)                                                          \
    X(U8, uint8_t, key_of_unsigned, false)                                                         \
    X(U16, uint16_t, key_of_unsigned, false)                                                       \
    X(U32, uint32_t, key_of_unsigned, false)                                                       \
    X(U64, uint64_t, key_of_unsigned, false)                                                       \
    X(F32, float, key_of_real, true)                                                               \
    X(F64, double, key_of_real, true)

#define DEFINE_KEYS(suffix, ctype, key_of, has_nan)                                                \
    static void keys_##suffix(int64_t n, const void *elements, int64_t flip, int64_t *keys)        \
    {                                                                                              \
        const ctype *values = elements;                                                            \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const int64_t key = key_of(values[i]) ^ flip;                                          \
            keys[i] = (has_nan) && values[i] != values[i] ? INT64_MIN : key;                       \
        }                                                                                          \
    }
KEY_LIST(DEFINE_KEYS)

typedef void key_function(int64_t n, const void *elements, int64_t flip, int64_t *keys);
static key_function *const functions[TSR_DTYPE_END] = {
#define KEY_ENTRY(suffix, ctype, key_of, has_nan) [TSR_##suffix] = keys_##suffix,
    KEY_LIST(KEY_ENTRY)};

void tsri_keys(tsr_dtype dtype, bool max, int64_t n, const void *elements, int64_t *keys)
{
    functions[dtype](n, elements, max ? -1 : 0, keys);
}

int64_t tsri_least_key(int64_t n, const int64_t *keys)
{
    int64_t least = keys[0], i = 0;

    for (int64_t k = 1; k < n; ++k)
        least = keys[k] < least ? keys[k] : least;
    while (keys[i] != least)
        ++i;
    return i;
}
