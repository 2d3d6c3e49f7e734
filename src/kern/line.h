/* Cache lines that are written past the caches. */
#ifndef TSRI_KERN_LINE_H
#define TSRI_KERN_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { TSRI_LINE = 64 };

/* Copy a line to where one begins.  Before others may read it, tsri_line_fence(). */
static inline void tsri_line_stream(unsigned char *dst, const unsigned char *src)
{
#if defined(__SSE2__)
    __m128i part[TSRI_LINE / sizeof(__m128i)];
    for (size_t k = 0; k < TSRI_LINE / sizeof *part; ++k)
        part[k] = _mm_loadu_si128((const __m128i *)src + k);
    for (size_t k = 0; k < TSRI_LINE / sizeof *part; ++k)
        _mm_stream_si128((__m128i *)dst + k, part[k]);
#else
    memcpy(dst, src, TSRI_LINE);
#endif
}

/* Ask for the line at a distance from an address, which need not be one of the program's. */
static inline void tsri_line_ask(const unsigned char *from, ptrdiff_t distance)
{
#if defined(__SSE2__)
    _mm_prefetch((const char *)((uintptr_t)from + (uintptr_t)distance), _MM_HINT_T0);
#else
    (void)from;
    (void)distance;
#endif
}

static inline void tsri_line_fence(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#endif
