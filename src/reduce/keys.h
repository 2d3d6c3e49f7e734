/* Elements as keys: 64-bit integers that are ordered as the elements of a real type are, so that
 * one comparison serves all types. */
#ifndef TSRI_REDUCE_KEYS_H
#define TSRI_REDUCE_KEYS_H

#include <tessera/types.h>

/* Write the keys of n elements that lie side by side.  The smaller the key the earlier an element
 * comes: upwards, or, with `max`, downwards.  Equal elements, the two zeros among them, have equal
 * keys; a NaN has INT64_MIN, before all other numbers. */
void tsri_keys(tsr_dtype dtype, bool max, int64_t n, const void *elements, int64_t *keys);
/* The place of the first least of n >= 1 keys. */
int64_t tsri_least_key(int64_t n, const int64_t *keys);

#endif
