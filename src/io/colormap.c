#include "io/colormap.h"

#include <math.h>

/* The map is a line in Oklab, a space in which equal steps look equal: lightness grows evenly, so
 * that it also reads in grey and by colour-blind eyes, while the hue turns from dark blue over
 * green to yellow.  The chroma is a parabola that stays inside what sRGB can show. */
static const double first_lightness = 0.22, last_lightness = 0.93;
static const double first_hue = 285, last_hue = 108; /* degrees */
static const double least_chroma = 0.085, chroma_bend = 0.22, least_chroma_at = 1.0 / 3;

static unsigned char srgb_of(double linear)
{
    const double encoded =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * fmin(fmax(encoded, 0), 1));
}

/* Oklab to linear sRGB, by the matrices of its definition (B. Ottosson, 2020). */
static void color_at(double t, unsigned char rgb[3])
{
    static const double to_cones[3][2] = {{0.3963377774, 0.2158037573},
                                          {-0.1055613458, -0.0638541728},
                                          {-0.0894841775, -1.2914855480}};
    static const double to_rgb[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
                                        {-1.2684380046, 2.6097574011, -0.3413193965},
                                        {-0.0041960863, -0.7034186147, 1.7076147010}};
    const double degree = acos(-1.0) / 180, bend = t - least_chroma_at;
    const double lightness = first_lightness + t * (last_lightness - first_lightness);
    const double hue = (first_hue + t * (last_hue - first_hue)) * degree;
    const double chroma = least_chroma + chroma_bend * bend * bend;
    double cone[3];

    for (int k = 0; k < 3; ++k)
        cone[k] = pow(
            lightness + to_cones[k][0] * chroma * cos(hue) + to_cones[k][1] * chroma * sin(hue), 3);
    for (int k = 0; k < 3; ++k)
        rgb[k] = srgb_of(to_rgb[k][0] * cone[0] + to_rgb[k][1] * cone[1] + to_rgb[k][2] * cone[2]);
}

void tsri_colormap(unsigned char palette[TSRI_PALETTE][3])
{
    for (int k = 0; k < TSRI_COLORS; ++k)
        color_at((double)k / (TSRI_COLORS - 1), palette[k]);
    for (int part = 0; part < 3; ++part) {
        palette[TSRI_COLOR_NAN][part] = 128;
        palette[TSRI_COLOR_LINE][part] = 255;
    }
}

unsigned char tsri_color_of(double value, double low, double high)
{
    if (isnan(value)) return TSRI_COLOR_NAN;
    if (value <= low) return 0;
    if (value >= high) return TSRI_COLORS - 1;
    /* Halves: the whole range may be larger than the largest number. */
    const double t = (value / 2 - low / 2) / (high / 2 - low / 2);
    return (unsigned char)lround(t * (TSRI_COLORS - 1));
}
