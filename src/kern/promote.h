/* The type that holds the values of two types. */
#ifndef TSRI_KERN_PROMOTE_H
#define TSRI_KERN_PROMOTE_H

#include <tessera/types.h>

/* The smallest type that holds all values of both, by NumPy's rules (64-bit integers of mixed sign
 * and 64-bit integers with real numbers give f64). */
tsr_dtype tsri_dtype_promote(tsr_dtype a, tsr_dtype b);

#endif
