#include "io/strokes.h"

#include <math.h>

/* A glyph is strokes in a box 8 wide and 12 high (hexadecimal digits: x to the right, y down).  A
 * stroke is a quadratic B-spline through pairs of digits: it touches the lines between them half
 * way, has a corner or an end at a pair that is there twice, and is closed when its first two pairs
 * are its last two. */
typedef struct glyph {
    char name;
    int width;
    const char *strokes;
} glyph;

static const glyph glyphs[] = {
    {'0', 8, "00808c0c0080"},
    {'1', 5, "030340404c4c"},
    {'2', 8, "03030080860c0c8c8c"},
    {'3', 8, "02020080863636 3636868c0c0a0a"},
    {'4', 8, "6c6c606008088888"},
    {'5', 8, "707010100505848c0c0a0a"},
    {'6', 8, "727270000c8c85050808"},
    {'7', 8, "000080803c3c"},
    {'8', 8, "107076161070 06868c0c0686"},
    {'9', 8, "1a1a1c8c800007878484"},
    {'-', 7, "06067676"},
    {'.', 0, "0c0c0c"},
    {'e', 8, "0808888884040c8c8a8a"},
};

static const double box_height = 12, pen_width = 1.5, space = 3.6;
enum { PARTS = 5 }; /* straight parts of each bend */

typedef struct point {
    double x, y;
} point;

static const glyph *glyph_of(char name)
{
    const glyph *g = glyphs;
    while (g->name != name)
        ++g;
    return g;
}

static double digit(char hexadecimal)
{
    return hexadecimal <= '9' ? hexadecimal - '0' : hexadecimal - 'a' + 10;
}

static point between(point a, point b, double t)
{
    return (point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static double distance_to_line(point p, point a, point b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    const point nearest = between(a, b, fmin(fmax(t, 0), 1));
    return hypot(p.x - nearest.x, p.y - nearest.y);
}

/* The distance to the bend at b between the lines from a and to c. */
static double distance_to_bend(point p, point a, point b, point c)
{
    const point start = between(a, b, 0.5), end = between(b, c, 0.5);
    point from = start;
    double least = HUGE_VAL;

    for (int k = 1; k <= PARTS; ++k) {
        const double t = (double)k / PARTS;
        const point to = between(between(start, b, t), between(b, end, t), t);
        least = fmin(least, distance_to_line(p, from, to));
        from = to;
    }
    return least;
}

static double distance_to_glyph(const glyph *g, point p)
{
    point last[2] = {{0}};
    double least = HUGE_VAL;
    int pairs = 0; /* of this stroke, so far */

    for (const char *s = g->strokes; *s != '\0';) {
        if (*s == ' ') {
            pairs = 0;
            ++s;
            continue;
        }
        const point q = {digit(s[0]), digit(s[1])};
        if (pairs >= 2) least = fmin(least, distance_to_bend(p, last[0], last[1], q));
        last[0] = last[1];
        last[1] = q;
        ++pairs;
        s += 2;
    }
    return least;
}

/* Pixels of a unit: the pen reaches half its width beyond the box. */
static double unit_of(double height)
{
    return height / (box_height + pen_width);
}

double tsri_text_width(const char *text, double height)
{
    double width = pen_width;
    for (const char *c = text; *c != '\0'; ++c)
        width += glyph_of(*c)->width + (c > text ? space : 0);
    return width * unit_of(height);
}

double tsri_text_ink(const char *text, double height, double x, double y)
{
    const double unit = unit_of(height), reach = pen_width / 2 + 0.5 / unit;
    point p = {x / unit - pen_width / 2, y / unit - pen_width / 2};
    double least = HUGE_VAL;

    if (p.y < -reach || p.y > box_height + reach) return 0;
    for (; *text != '\0' && p.x >= -reach; ++text) {
        const glyph *g = glyph_of(*text);
        if (p.x <= g->width + reach) least = fmin(least, distance_to_glyph(g, p));
        p.x -= g->width + space;
    }
    return fmin(fmax((reach - least) * unit, 0), 1);
}
