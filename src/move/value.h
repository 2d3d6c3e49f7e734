/* Values that are assigned to cells: numbers, plain arrays, distributed arrays. */
#ifndef TSRI_MOVE_VALUE_H
#define TSRI_MOVE_VALUE_H

#include "array/arg.h"
#include "array/array.h"

/* Whether a value can be assigned to cells of an array, but for its shape; and whether it
 * broadcasts to a shape.  `call` is the public function.  Local; what all ranks share is all that
 * is checked, but for pointers that are NULL. */
tsr_status tsri_value_check(const char *call, const tsr_arg *value, const tsr_array *array);
tsr_status tsri_value_check_shape(const char *call, const tsr_arg *value, int ndim,
                                  const int64_t *shape);
/* Continue the fingerprint of a call; with `contents` also with all elements of plain memory. */
uint64_t tsri_value_hash(uint64_t hash, const tsr_arg *value, bool contents);
/* Whether every rank has all of a value, so that nothing has to move; and whether, moreover, it is
 * one element. */
bool tsri_value_is_plain(const tsr_arg *value);
bool tsri_value_is_single(const tsr_arg *value);

/* A plain value as elements in memory, so that it is read like an array: its cell 0, its type, and
 * strides along the axes of what is selected. */
typedef struct tsri_plain {
    const void *data;
    tsr_dtype dtype;
    int64_t stride[TSR_MAX_NDIM];
    _Alignas(16) unsigned char element[16];
} tsri_plain;
void tsri_value_plain(const tsr_arg *value, tsr_dtype dtype, int ndim, tsri_plain *plain);

/* The blocks of a distributed value in the type of the array they go to: a new array, NULL when
 * the value can be read itself, while `into` is written.  Local. */
tsr_status tsri_value_converted(const char *call, const tsr_array *value, const tsr_array *into,
                                tsr_array **converted);

#endif
