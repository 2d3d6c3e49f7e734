/* What every reduction of a whole array is made of: a pass over this rank's block, one message of a
 * fixed size up and down a tree, and an agreement. */
#ifndef TSRI_REDUCE_REDUCTION_H
#define TSRI_REDUCE_REDUCTION_H

#include "array/band.h"
#include "reduce/exact_sum.h"

#include <tessera/reduce.h>

/* ---- between ranks --------------------------------------------------------------------------- */

/* The smallest and the largest element: as keys, 64-bit integers in the order of the elements, or,
 * for complex types, themselves. */
typedef struct tsri_extremes {
    bool any; /* whether there is an element */
    union {
        struct {
            int64_t min, max;
        } key;
        struct {
            double min[2], max[2];
        } complex;
    } as;
} tsri_extremes;

/* The place of an extreme: the number of its cell in the whole array, and its key
 * (kern/reducers.h).  Without an element the cell is INT64_MAX. */
typedef struct tsri_position {
    int64_t key, cell;
} tsri_position;

typedef enum tsri_record_kind {
    TSRI_RECORD_NONE = 0,
    TSRI_RECORD_SUM,     /* of integers, modulo 2^64 */
    TSRI_RECORD_PRODUCT, /* of integers, modulo 2^64 */
    TSRI_RECORD_EXACT,   /* a sum of real or complex numbers */
    TSRI_RECORD_PLAIN,   /* the same, rounded at every step */
    TSRI_RECORD_FACTOR,  /* a product of real numbers */
    TSRI_RECORD_FACTORS, /* a product of complex numbers */
    TSRI_RECORD_KEYS,
    TSRI_RECORD_COMPLEX,
    TSRI_RECORD_POSITION,
    TSRI_RECORD_LARGEST, /* of numbers >= 0 or NaN, which wins */
    TSRI_RECORD_ALL,
    TSRI_RECORD_ANY
} tsri_record_kind;

/* A rank's share of a reduction, and the result.  All are of one size, so that ranks in different
 * reductions end in TSR_ERR_MISMATCH and not in messages of the wrong length. */
typedef struct tsri_record {
    tsri_record_kind kind;
    union {
        uint64_t wrapped;
        tsri_exact_sum exact[2]; /* real and imaginary part */
        double number[2];        /* likewise */
        tsri_extremes extremes;
        tsri_position position;
        bool truth;
    } as;
} tsri_record;

/* A reduction under way: the public call, the layout of what it reduces, and a fingerprint of its
 * other arguments, which must be the same on all ranks. */
typedef struct tsri_call {
    const char *name;
    const tsr_layout *layout;
    uint64_t arguments;
} tsri_call;

/* tsri_enter() for a call that reduces a whole array. */
tsr_status tsri_call_enter(const tsri_call *call);
/* Combine the records of all ranks, or keep this rank's own on one rank or replicated.  `status`
 * says what failed on this rank before.  Collective; agrees. */
tsr_status tsri_reduce(const tsri_call *call, tsr_status status, tsri_record *record);

/* NaN wins. */
double tsri_larger(double left, double right);
/* left = left op right, for records of one kind. */
void tsri_extremes_combine_keys(tsri_extremes *left, const tsri_extremes *right);
void tsri_extremes_combine_complex(tsri_extremes *left, const tsri_extremes *right);

/* ---- types and options ----------------------------------------------------------------------- */

bool tsri_is_integer(tsr_dtype dtype); /* bool too */
bool tsri_is_complex(tsr_dtype dtype);
/* The type of a sum or product of elements of a type, and that in which it is computed: as wide as
 * there is. */
tsr_dtype tsri_sum_dtype(tsr_dtype dtype);
tsr_dtype tsri_wide_dtype(tsr_dtype dtype);
/* The type of a mean. */
tsr_dtype tsri_mean_dtype(tsr_dtype dtype);
/* The same real type for a complex one, else the type itself. */
tsr_dtype tsri_real_dtype(tsr_dtype dtype);
/* A scalar converted as an element is. */
tsr_scalar tsri_scalar_as(tsr_scalar scalar, tsr_dtype dtype);

/* The options of a call (NULL for defaults), checked: `typed` says whether it takes a type. */
tsr_status tsri_options_check(const char *call, const tsr_reduce_options *options, bool typed,
                              tsr_reduce_options *checked);
uint64_t tsri_options_hash(uint64_t hash, const tsr_reduce_options *options);

/* ---- this rank's block ----------------------------------------------------------------------- */

/* Elements that are converted at once, and room for them. */
enum { TSRI_CHUNK = 512 };
typedef union tsri_chunk {
    _Alignas(64) unsigned char bytes[TSRI_CHUNK * 16];
    double number[TSRI_CHUNK];
} tsri_chunk;

/* The elements of a band, row after row, side by side and converted: where they are if that will
 * do, else in a chunk, which then has room for them.  tsri_values_length() says how many of a band
 * to take at once. */
const void *tsri_values(tsr_dtype from, const tsri_band *band, tsr_dtype to, tsri_chunk *chunk);
int64_t tsri_values_length(tsr_dtype from, const tsri_band *band, tsr_dtype to);

/* Call `visit` for all elements of two arrays of equal layout on this rank, each converted to a
 * type of its own, side by side. */
typedef void tsri_pair_visitor(int64_t n, const void *left, const void *right, void *state);
typedef struct tsri_side {
    const tsr_array *array;
    tsr_dtype dtype;
} tsri_side;
void tsri_each_pair(tsri_side left, tsri_side right, tsri_pair_visitor *visit, void *state);

#endif
