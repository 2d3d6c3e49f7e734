/* Reductions of whole arrays, and of expressions over them: what each does with the elements of a
 * block, and with the record of all blocks. */
#ifndef TSRI_REDUCE_WHOLE_H
#define TSRI_REDUCE_WHOLE_H

#include "reduce/source.h"

/* What a call asks for. */
typedef struct tsri_ask {
    tsr_reduce_options options;
    double order;   /* of norms */
    double mean[2]; /* variances: found in a first pass */
    bool exactly;   /* norms: squares are out of range when they are rounded */
} tsri_ask;

typedef struct tsri_whole {
    bool typed;    /* takes a type as an option */
    bool elements; /* an array without any is an error */
    bool ordered;  /* complex elements are an error */
    bool single;   /* more or less than one element is an error */
    bool norm;     /* has an order */
    /* NULL, or a pass that comes first, and what is found in it. */
    void (*fold_first)(tsri_source *source, const tsri_ask *ask, tsri_record *record);
    void (*take_first)(const tsri_source *source, tsri_ask *ask, const tsri_record *record);
    /* This rank's share, in a zeroed record. */
    void (*fold)(tsri_source *source, const tsri_ask *ask, tsri_record *record);
    /* NULL, or whether what has been found asks for that once more, in another way. */
    bool (*again)(const tsri_source *source, tsri_ask *ask, const tsri_record *record);
    tsr_scalar (*result)(const tsri_source *source, const tsri_ask *ask, const tsri_record *record);
} tsri_whole;

extern const tsri_whole tsri_whole_sum, tsri_whole_product, tsri_whole_mean;
extern const tsri_whole tsri_whole_variance, tsri_whole_deviation;
extern const tsri_whole tsri_whole_min, tsri_whole_max, tsri_whole_argmin, tsri_whole_argmax;
extern const tsri_whole tsri_whole_all, tsri_whole_any, tsri_whole_truth;
extern const tsri_whole tsri_whole_norm;

/* What is reduced: an array, or, of a call that takes an expression, its value. */
typedef struct tsri_operands {
    const tsr_array *array;
    bool expression;
    const char *text;
    int count;
    const tsr_arg *args;
} tsri_operands;

static inline tsri_operands tsri_of_text(const char *text, int count, const tsr_arg *args)
{
    return (tsri_operands){.expression = true, .text = text, .count = count, .args = args};
}

/* The public call `name`.  `place` is where it puts its result, to be checked. */
tsr_status tsri_reduce_whole(const char *name, const tsri_whole *kind,
                             const tsri_operands *operands, tsri_ask ask, const void *place,
                             tsr_scalar *result);
/* The same for the array and the options of a call, into the scalar of its caller. */
tsr_status tsri_reduce_array(const char *name, const tsri_whole *kind, const tsr_array *array,
                             const tsr_reduce_options *options, tsr_scalar *result);

/* The passes over a source.  `status` says what failed on this rank before. */
tsr_status tsri_reduce_source(const tsri_call *call, const tsri_whole *kind, tsri_source *source,
                              tsri_ask *ask, tsr_status status, tsr_scalar *result);

/* How calls over whole arrays begin: check the array, fill `call`, enter.  A failure ends the call
 * at once: there is nothing to agree over. */
tsr_status tsri_whole_begin(const char *name, const tsr_array *array, tsri_call *call);

/* Make a zeroed record an exact sum of no numbers, and open an adder for each part; close them. */
void tsri_exact_begin(tsri_record *record, int parts, tsri_exact_adder *adders);
void tsri_exact_end(int parts, tsri_exact_adder *adders);
/* This rank's share of the sum that a mean is of: integers do not wrap. */
void tsri_sum_for_mean(tsri_source *source, const tsri_ask *ask, tsri_record *record);
/* Exact sums (two for complex types) divided by a divisor, in a real or complex type. */
tsr_scalar tsri_exact_scalar(const tsri_exact_sum *sums, int64_t divisor, tsr_dtype dtype);

#endif
