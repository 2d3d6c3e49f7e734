/* Reductions of whole arrays: what each does with a block, and with the record of all blocks. */
#ifndef TSRI_REDUCE_WHOLE_H
#define TSRI_REDUCE_WHOLE_H

#include "reduce/reduction.h"

typedef struct tsri_whole {
    bool typed;          /* takes a type as an option */
    bool needs_elements; /* an empty array is an error */
    /* This rank's share, in a zeroed record. */
    void (*fold)(const tsr_array *array, const tsr_reduce_options *options, tsri_record *record);
    tsr_scalar (*result)(const tsr_array *array, const tsr_reduce_options *options,
                         const tsri_record *record);
} tsri_whole;

/* The public call `name`. */
tsr_status tsri_reduce_whole(const char *name, const tsri_whole *kind, const tsr_array *array,
                             const tsr_reduce_options *options, tsr_scalar *result);

/* How it begins, for calls with another kind of result: check the array, fill `call`, enter.  A
 * failure ends the call at once: there is nothing to agree over. */
tsr_status tsri_whole_begin(const char *name, const tsr_array *array, tsri_call *call);

/* This rank's share of a sum: exact for I64, U64 and real and complex types, or plain. */
void tsri_sum_exactly(const tsr_array *array, tsr_dtype dtype, tsri_record *record);
void tsri_sum_plainly(const tsr_array *array, tsr_dtype dtype, tsri_record *record);
/* Exact sums (two for complex types) divided by a divisor, in a real or complex type. */
tsr_scalar tsri_exact_scalar(const tsri_exact_sum *sums, int64_t divisor, tsr_dtype dtype);

#endif
