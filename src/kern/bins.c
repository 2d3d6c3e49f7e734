#include "kern/bins.h"

#include <float.h>
#include <string.h>

/* A number below 2^top may be added TSRI_BIN_ADDITIONS = 2^9 times to 1.5 * 2^(top + 11), one way,
 * and the result stays between 2^(top + 11) and 2^(top + 12).  What is cut off is at most half a
 * unit, 2^-53 of the bin, and may be added as often to a bin that is 2^43 times smaller. */
enum {
    ROOM = 11,
    GAP = DBL_MANT_DIG - 10,
    UNIT = DBL_MANT_DIG - 1,
    BIAS = 1023,
    /* The units of the lower bins are doubles, and sums of lanes are finite. */
    LEAST = DBL_MIN_EXP - DBL_MANT_DIG + UNIT + GAP,
    MOST = DBL_MAX_EXP - 3
};

static int64_t start_bits(int exponent)
{
    return (int64_t)(exponent + BIAS) << UNIT | INT64_C(1) << (UNIT - 1);
}

static void fill(int exponent, double *lanes)
{
    const int64_t bits = start_bits(exponent);

    for (int k = 0; k < TSRI_BIN_LANES; ++k)
        memcpy(&lanes[k], &bits, sizeof bits);
}

void tsri_bins_place(tsri_bins *bins, int top)
{
    const int exponent = top + ROOM < LEAST ? LEAST : top + ROOM > MOST ? MOST : top + ROOM;

    bins->exponent = exponent;
    fill(exponent, bins->high);
    fill(exponent - GAP, bins->low);
}

static tsri_binned take(int exponent, const double *lanes)
{
    const int64_t start = start_bits(exponent);
    tsri_binned binned = {.exponent = exponent - UNIT};

    for (int k = 0; k < TSRI_BIN_LANES; ++k) {
        int64_t bits;
        memcpy(&bits, &lanes[k], sizeof bits);
        binned.count += bits - start;
    }
    return binned;
}

void tsri_bins_take(const tsri_bins *bins, tsri_binned *high, tsri_binned *low)
{
    *high = take(bins->exponent, bins->high);
    *low = take(bins->exponent - GAP, bins->low);
}
