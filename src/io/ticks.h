/* Round numbers in a range, for the ticks of a scale. */
#ifndef TSRI_IO_TICKS_H
#define TSRI_IO_TICKS_H

enum { TSRI_MAX_TICKS = 12, TSRI_TICK_BYTES = 40 };

typedef struct tsri_tick {
    double at;                  /* from 0 at the low end to 1 at the high end */
    char text[TSRI_TICK_BYTES]; /* digits, minus sign, point and e, whatever the locale */
} tsri_tick;

/* The multiples of 1, 2 or 5 times a power of ten in [low, high], in ascending order: those of the
 * smallest step with at most `most` (2 to TSRI_MAX_TICKS).  Returns their number. */
int tsri_ticks(double low, double high, int most, tsri_tick ticks[TSRI_MAX_TICKS]);

#endif
