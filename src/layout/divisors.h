/* The divisors of a number. */
#ifndef TSRI_LAYOUT_DIVISORS_H
#define TSRI_LAYOUT_DIVISORS_H

#include "base/error.h"

typedef struct tsri_divisors {
    int count;
    int *value; /* ascending */
} tsri_divisors;

/* Of a number >= 1.  tsri_divisors_free() takes zeroed ones. */
tsr_status tsri_divisors_find(int number, tsri_divisors *divisors);
void tsri_divisors_free(tsri_divisors *divisors);
/* Where a divisor stands in the list. */
int tsri_divisors_index(const tsri_divisors *divisors, int value);

#endif
