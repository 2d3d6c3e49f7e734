#include "io/colormap.h"

#include <math.h>

/* Maps are lines in Oklab, a space in which equal steps look equal.  Lightness is linear, so that
 * pictures also read in grey and by colour-blind eyes; hue is linear; chroma is a parabola that
 * stays inside what sRGB can show. */
typedef struct curve {
    bool mirrored;       /* two arms that leave the middle, each of one hue */
    double lightness[2]; /* at both ends of the line, or at the middle and the end of both arms */
    double hue[2];       /* degrees, at both ends or of both arms */
    double chroma, bend, at; /* chroma + bend (t - at)^2 */
} curve;

static const curve curves[] = {
    [TSR_MAP_SEA] = {false, {0.22, 0.93}, {285, 108}, 0.085, 0.22, 1.0 / 3},
    [TSR_MAP_EMBER] = {false, {0.18, 0.96}, {300, 465}, 0.18, -0.42, 0.48},
    [TSR_MAP_SIGNED] = {true, {0.965, 0.385}, {258, 27}, 0.13965, -0.285, 0.7},
    [TSR_MAP_ANGLE] = {false, {0.74, 0.74}, {30, 390}, 0.122, 0, 0},
    [TSR_MAP_GREY] = {false, {0.18, 1}, {0, 0}, 0, 0, 0},
};

static unsigned char srgb_of(double linear)
{
    const double encoded =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * fmin(fmax(encoded, 0), 1));
}

/* Oklab to sRGB, by the matrices of its definition (B. Ottosson, 2020). */
static void srgb_of_oklab(double lightness, double a, double b, unsigned char rgb[3])
{
    static const double to_cones[3][2] = {{0.3963377774, 0.2158037573},
                                          {-0.1055613458, -0.0638541728},
                                          {-0.0894841775, -1.2914855480}};
    static const double to_rgb[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
                                        {-1.2684380046, 2.6097574011, -0.3413193965},
                                        {-0.0041960863, -0.7034186147, 1.7076147010}};
    double cone[3];

    for (int k = 0; k < 3; ++k)
        cone[k] = pow(lightness + to_cones[k][0] * a + to_cones[k][1] * b, 3);
    for (int k = 0; k < 3; ++k)
        rgb[k] = srgb_of(to_rgb[k][0] * cone[0] + to_rgb[k][1] * cone[1] + to_rgb[k][2] * cone[2]);
}

static double between(const double ends[2], double t)
{
    return ends[0] + t * (ends[1] - ends[0]);
}

static void color_at(const curve *c, double t, unsigned char rgb[3])
{
    const double along = c->mirrored ? fabs(2 * t - 1) : t;
    const double degree = acos(-1.0) / 180;
    const double hue = degree * (c->mirrored ? c->hue[t > 0.5] : between(c->hue, t));
    const double chroma = c->chroma + c->bend * (along - c->at) * (along - c->at);

    srgb_of_oklab(between(c->lightness, along), chroma * cos(hue), chroma * sin(hue), rgb);
}

void tsri_colormap(tsr_color_map map, unsigned char palette[TSRI_PALETTE][3])
{
    static const double shades[2] = {1, 0.25}; /* lightness of paper and ink */
    const int steps = map == TSR_MAP_ANGLE ? TSRI_COLORS : TSRI_COLORS - 1;

    for (int k = 0; k < TSRI_COLORS; ++k)
        color_at(&curves[map], (double)k / steps, palette[k]);
    srgb_of_oklab(0.6, 0, 0, palette[TSRI_COLOR_NONE]);
    for (int k = TSRI_COLOR_PAPER; k <= TSRI_COLOR_INK; ++k) {
        const double t = (double)(k - TSRI_COLOR_PAPER) / (TSRI_COLOR_INK - TSRI_COLOR_PAPER);
        srgb_of_oklab(between(shades, t), 0, 0, palette[k]);
    }
}

/* Halves: the whole range may be larger than the largest number. */
static unsigned char color_around(const tsri_scale *scale, double value)
{
    const double turn = scale->high / 2 - scale->low / 2;
    const double beyond = fmod(value / 2 - scale->low / 2, turn);

    if (!isfinite(value)) return TSRI_COLOR_NONE;
    if (!(turn > 0)) return 0;
    const double t = beyond < 0 ? beyond / turn + 1 : beyond / turn;
    return (unsigned char)(lround(t * TSRI_COLORS) % TSRI_COLORS);
}

unsigned char tsri_color_of(const tsri_scale *scale, double value)
{
    const double low = scale->low, high = scale->high;

    if (isnan(value)) return TSRI_COLOR_NONE;
    if (scale->cyclic) return color_around(scale, value);
    if (value <= low) return 0;
    if (value >= high) return TSRI_COLORS - 1;
    const double t = (value / 2 - low / 2) / (high / 2 - low / 2);
    return (unsigned char)lround(t * (TSRI_COLORS - 1));
}
