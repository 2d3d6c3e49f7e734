/* Exponents that vary from cell to cell. */
#ifndef TSRI_EXPR_EXPONENTS_H
#define TSRI_EXPR_EXPONENTS_H

#include "expr/sweep.h"

/* Integers to a power: whether no exponent in these cells of a bound program is negative.  Local.
 */
tsr_status tsri_exponents_check(const char *call, tsri_program *program, const tsri_cells *cells);

#endif
