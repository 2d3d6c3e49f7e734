/* Functions on several lanes at once, as the level has them: SLEEF's variants within 1 ulp, of
 * those whose results depend neither on the number of lanes nor on what the other lanes hold.
 * With FMA all levels agree in bits; baseline, without it, differs from them in the last one.
 * Without SLEEF it is libm and one lane. */
#ifndef TSRI_KERN_MATH_LEVEL_H
#define TSRI_KERN_MATH_LEVEL_H

#include <math.h>

#if !defined(TSRI_HAVE_SLEEF) || !defined(__SSE2__)

typedef float pack_F32;
typedef double pack_F64;
#define MATH_F32(name, ulp) name##f
#define MATH_F64(name, ulp) name
/* That of glibc is more than 1 ulp off. */
#define MATH_CBRT_F64 accurate_cbrt

static inline double accurate_cbrt(double v)
{
    return (double)cbrtl(v);
}

#else

#include <sleef.h>

#if defined(TSRI_LEVEL_avx512)
typedef __m512 pack_F32;
typedef __m512d pack_F64;
#define MATH_F32(name, ulp) Sleef_finz_##name##f16_##ulp##avx512f
#define MATH_F64(name, ulp) Sleef_finz_##name##d8_##ulp##avx512f
#elif defined(TSRI_LEVEL_avx2)
typedef __m256 pack_F32;
typedef __m256d pack_F64;
#define MATH_F32(name, ulp) Sleef_finz_##name##f8_##ulp##avx2
#define MATH_F64(name, ulp) Sleef_finz_##name##d4_##ulp##avx2
#else
typedef __m128 pack_F32;
typedef __m128d pack_F64;
#define MATH_F32(name, ulp) Sleef_cinz_##name##f4_##ulp##sse2
#define MATH_F64(name, ulp) Sleef_cinz_##name##d2_##ulp##sse2
#endif
#define MATH_CBRT_F64 MATH_F64(cbrt, u10)

#endif

#endif
