/* The mode of floating-point arithmetic.  Exact sums need rounding to nearest and subnormal
 * numbers, whatever the program has chosen, and leave no flags behind. */
#ifndef TSRI_KERN_ARITHMETIC_MODE_H
#define TSRI_KERN_ARITHMETIC_MODE_H

/* What is read from memory after the beginning and written before the end is computed between. */
#if defined(__GNUC__)
#define TSRI_KEEP_BETWEEN __asm__ volatile("" ::: "memory")
#else
#define TSRI_KEEP_BETWEEN ((void)0)
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

enum { TSRI_DEFAULT_MODE = 0x1f80 };
static inline unsigned tsri_mode_begin(void)
{
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(TSRI_DEFAULT_MODE);
    TSRI_KEEP_BETWEEN;
    return mode;
}
static inline void tsri_mode_end(unsigned mode)
{
    TSRI_KEEP_BETWEEN;
    _mm_setcsr(mode);
}
#else
#include <fenv.h>

static inline unsigned tsri_mode_begin(void)
{
    const int mode = fegetround();
    (void)fesetround(FE_TONEAREST);
    TSRI_KEEP_BETWEEN;
    return (unsigned)mode;
}
static inline void tsri_mode_end(unsigned mode)
{
    TSRI_KEEP_BETWEEN;
    (void)fesetround((int)mode);
}
#endif

#endif
