/* Small arrays for the tests of expressions. */
#ifndef TSRT_SUPPORT_EXPR_CASES_H
#define TSRT_SUPPORT_EXPR_CASES_H

#include "support/harness.h"

enum { EXPR_CELLS = 8 };

/* A line of cells, cut near-evenly over all ranks, of which some may have none. */
tsr_layout *expr_line(int64_t cells);
/* An array of global values, each converted; of complex elements real and imaginary parts in turn.
 */
tsr_array *expr_array(tsr_layout *layout, tsr_dtype dtype, const double *values);
/* Give up a layout and up to two arrays. */
void expr_destroy(tsr_layout *layout, tsr_array *a, tsr_array *b);
/* Every element equals a value, or is at most `tolerance` away; NaN equals NaN, and zeros have the
 * same sign.  A line that fails names `what`.  Collective. */
void expr_check(const tsr_array *array, tsr_dtype dtype, const double *expected, double tolerance,
                const char *what);
/* The halo cells of an array all have this value. */
void expr_check_halo(const tsr_array *array, double value);

/* One expression over one or two lines, and what it gives: values, or a failure. */
typedef struct expr_case {
    const char *id, *text;
    int cells;
    tsr_dtype a; /* TSR_AUTO: there is no such array */
    double av[2 * EXPR_CELLS];
    tsr_dtype b;
    double bv[2 * EXPR_CELLS];
    tsr_dtype type; /* of the result */
    double expected[2 * EXPR_CELLS];
    double tolerance;
    tsr_status status;
    const char *says; /* part of the failure's text */
} expr_case;
void expr_run_case(const expr_case *c);

/* A test of each case, named by its ID. */
void expr_case_test(void **state);

#endif
