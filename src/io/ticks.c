#include "io/ticks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Numbers from 10^-5 to below 10^6 are written without an exponent. */
enum { MOST_DECIMALS = 5, MOST_DIGITS = 6 };
/* A number's digits; its exponent.  With a sign and a point they fit in a tick's text. */
enum { DIGITS_ROOM = 21, EXPONENT_ROOM = 13 };

/* ---- numbers as text ------------------------------------------------------------------------- */

/* Digits and a power of ten, so that nothing is rounded. */
typedef struct decimal {
    char digits[DIGITS_ROOM];
    int length, exponent;
} decimal;

/* Positions count from the point; at least one digit stands before it. */
static void write_plain(char *text, const decimal *d)
{
    const int whole = d->length + d->exponent, decimals = d->exponent < 0 ? -d->exponent : 0;

    for (int i = whole > 1 ? -whole : -1; i < decimals; ++i) {
        const int k = whole + i;
        if (i == 0) *text++ = '.';
        *text++ = k >= 0 && k < d->length ? d->digits[k] : '0';
    }
    *text = '\0';
}

static void write_scientific(char *text, const decimal *d)
{
    int length = d->length;

    while (length > 1 && d->digits[length - 1] == '0')
        --length;
    for (int k = 0; k < length; ++k) {
        if (k == 1) *text++ = '.';
        *text++ = d->digits[k];
    }
    snprintf(text, EXPONENT_ROOM, "e%d", d->exponent + d->length - 1);
}

/* number x 10^exponent */
static void write_number(char text[TSRI_TICK_BYTES], int64_t number, int exponent, bool plain)
{
    const uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    decimal d = {.exponent = exponent};

    d.length = snprintf(d.digits, sizeof d.digits, "%" PRIu64, size);
    if (number == 0 && (exponent > 0 || !plain)) {
        strcpy(text, "0");
        return;
    }
    if (number < 0) *text++ = '-';
    if (plain)
        write_plain(text, &d);
    else
        write_scientific(text, &d);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A step is `factor` x 10^exponent. */
typedef struct step {
    int factor, exponent;
    double size;
} step;

/* The multiples of a step in [low, high], where the ends may be off by rounding. */
static int64_t multiples(step s, double low, double high, int64_t *first)
{
    const double slack = 1e-9;
    const double from = ceil(low / s.size - slack), to = floor(high / s.size + slack);

    *first = (int64_t)from;
    return (int64_t)(to - from) + 1;
}

static step next(step s)
{
    s.exponent += s.factor == 5;
    s.factor = s.factor == 1 ? 2 : s.factor == 2 ? 5 : 1;
    s.size = s.factor * pow(10, s.exponent);
    return s;
}

int tsri_ticks(double low, double high, int most, tsri_tick ticks[TSRI_MAX_TICKS])
{
    /* Halves: the whole range may be larger than the largest number. */
    const double half = high / 2 - low / 2, finest = half / most;
    int64_t first = 0;

    if (!(finest > 10 * DBL_MIN)) return 0;
    step s = {.factor = 5, .exponent = (int)floor(log10(finest)) - 1};
    do
        s = next(s);
    while (multiples(s, low, high, &first) > most);
    const int count = (int)multiples(s, low, high, &first);

    const double largest = fmax(fabs(low), fabs(high));
    const bool plain = s.exponent >= -MOST_DECIMALS && largest < pow(10, MOST_DIGITS);
    for (int i = 0; i < count; ++i) {
        const int64_t n = first + i;
        const double at = ((double)n * s.size / 2 - low / 2) / half;
        ticks[i].at = fmin(fmax(at, 0), 1);
        write_number(ticks[i].text, n * s.factor, s.exponent, plain);
    }
    return count;
}
