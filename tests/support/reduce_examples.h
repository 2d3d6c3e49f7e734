/* The specification's examples of whole-array reductions: the arrays, and some of the tests. */
#ifndef TSRT_SUPPORT_REDUCE_EXAMPLES_H
#define TSRT_SUPPORT_REDUCE_EXAMPLES_H

#include "support/harness.h"

/* The integers 1 to 12, of shape (4, 3); four complex numbers; no numbers, of shape (3, 0). */
tsr_array *example_d(void);
tsr_array *example_complex(void);
tsr_array *example_empty(void);

/* Stop the test unless a number has this type and value. */
void expect_real(tsr_scalar value, tsr_dtype dtype, double expected, double tolerance);
/* The same for C128, exactly. */
void expect_complex(tsr_scalar value, double real, double imaginary);

/* Tests. */
void R_45_R_46_R_49_first_of_equals(void **state);
void places_are_compared_in_the_type_itself(void **state);
void R_52_R_53_refused_places(void **state);
void R_58_R_59_R_62_products_and_norms(void **state);
void R_60_dot(void **state);
void R_61_refused_norms(void **state);

#endif
