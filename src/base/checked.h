/* Size arithmetic that says when it does not fit. */
#ifndef TSRI_BASE_CHECKED_H
#define TSRI_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *out = a op b; false when the true result does not fit. */
static inline bool tsri_add_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}
static inline bool tsri_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}
static inline bool tsri_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

/* The product of n lengths >= 0: 0 as soon as one is 0, whatever the others; false when it does not
 * fit. */
bool tsri_product_i64(int n, const int64_t *lengths, int64_t *out);

/* A hash of bytes, continued from `hash` (start with TSRI_HASH_START): FNV-1a of words of 8 bytes,
 * each of which also reaches the low bits, then of the bytes that are left. */
#define TSRI_HASH_START UINT64_C(14695981039346656037)
uint64_t tsri_hash(uint64_t hash, const void *data, size_t bytes);
/* Of a text, its end included, so that no two sequences of texts look alike; takes NULL. */
uint64_t tsri_hash_text(uint64_t hash, const char *text);

#endif
