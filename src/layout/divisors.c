#include "layout/divisors.h"
#include "base/memory.h"

tsr_status tsri_divisors_find(int number, tsri_divisors *divisors)
{
    tsr_status st = TSR_OK;
    int small = 0, count = 0;
    *divisors = (tsri_divisors){0};
    for (int i = 1; i <= number / i; ++i) {
        if (number % i != 0) continue;
        ++small;
        count += i == number / i ? 1 : 2;
    }
    TSRI_ALLOC(fail, divisors->value, count);
    divisors->count = count;
    for (int i = 1, k = 0; k < small; ++i) {
        if (number % i != 0) continue;
        divisors->value[k] = i;
        divisors->value[count - 1 - k] = number / i;
        ++k;
    }
fail:
    return st;
}

void tsri_divisors_free(tsri_divisors *divisors)
{
    tsri_free(divisors->value);
    *divisors = (tsri_divisors){0};
}

int tsri_divisors_index(const tsri_divisors *divisors, int value)
{
    int lo = 0, hi = divisors->count;
    while (hi - lo > 1) {
        const int middle = lo + (hi - lo) / 2;
        if (divisors->value[middle] <= value) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}
