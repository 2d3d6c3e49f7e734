/* The rules of element types, beside the promotion of two (kern/promote.h): NumPy 2's. */
#ifndef TSRI_EXPR_TYPES_H
#define TSRI_EXPR_TYPES_H

#include "kern/promote.h"
#include "kern/vector.h"

/* A type and a weak number, whose own is bool, i64, u64, f64 or c128. */
tsr_dtype tsri_promote_weak(tsr_dtype dtype, tsr_dtype weak);
/* The type in which an operation works, and that of its result. */
tsr_dtype tsri_working_type(tsri_works works, tsr_dtype dtype);
tsr_dtype tsri_given_type(tsri_gives gives, tsr_dtype working);
/* The type of the real and imaginary part; of other types themselves. */
tsr_dtype tsri_part_type(tsr_dtype dtype);
/* Whether a result may be written into another type: up, or within, the order bool, unsigned,
 * signed, real, complex. */
bool tsri_same_kind(tsr_dtype from, tsr_dtype to);

/* Whether an integer, of i64 or u64, fits an integer type; always for other types. */
bool tsri_integer_fits(tsr_scalar integer, tsr_dtype dtype);

#endif
