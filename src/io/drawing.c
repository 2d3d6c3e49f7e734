#include "io/drawing.h"

#include "base/checked.h"
#include "io/png_write.h"

#include <inttypes.h>
#include <string.h>

enum {
    LEAST_SIDE = 256,  /* pixels along the longer side of small arrays, at least */
    LEAST_BAR = 128,   /* height of a colour bar */
    LEAST_TEXT = 10,   /* height of its numbers */
    TEXTS_A_SIDE = 45, /* how often that goes into the longer side of a large picture; */
    TEXTS_A_BAR = 12,  /* into the height of the bar at least so often */
};

/* ---- cells ----------------------------------------------------------------------------------- */

/* Lines lie between cells, one pixel wide, so that they hide nothing. */
enum { LINE = -1 };

/* Fill the indices at the pixels along an axis, unless `at` is NULL; returns their number. */
static int64_t lay_out(const tsri_axis *axis, int64_t cell, bool lines, int32_t *at)
{
    int64_t pixels = 0;

    for (int64_t i = 0; i < axis->length; ++i) {
        if (lines && i > 0 && tsri_axis_owner(axis, i) != tsri_axis_owner(axis, i - 1)) {
            if (at != NULL) at[pixels] = LINE;
            ++pixels;
        }
        for (int64_t k = 0; at != NULL && k < cell; ++k)
            at[pixels + k] = (int32_t)i;
        pixels += cell;
    }
    return pixels;
}

static tsr_status measure(const tsri_axis *axis, int64_t cell, bool lines, const char *what,
                          int64_t *pixels)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, tsri_mul_i64(axis->length, cell, pixels) && *pixels <= TSRI_PNG_LIMIT,
               TSR_ERR_VALUE,
               "%" PRId64 " cells of %" PRId64 " pixels: the %s of a picture is at most %d pixels",
               axis->length, cell, what, TSRI_PNG_LIMIT);
    *pixels = lay_out(axis, cell, lines, NULL);
    TSRI_CHECK(done, *pixels <= TSRI_PNG_LIMIT, TSR_ERR_VALUE,
               "the %s of a picture is at most %d pixels, with its lines it is %" PRId64, what,
               TSRI_PNG_LIMIT, *pixels);
done:
    return st;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

tsr_status tsri_drawing_start(tsri_drawing *d, const tsri_plane *plane,
                              const tsr_picture_options *options)
{
    const tsri_axis *rows = &plane->row_axis, *columns = &plane->column_axis;
    const int64_t longer = larger(rows->length, columns->length);
    const int64_t cell = options->cell != 0 ? options->cell : (LEAST_SIDE + longer - 1) / longer;
    const bool lines = options->block_lines;
    tsr_status st = TSR_OK;

    d->plane = plane;
    TSRI_TRY(done, measure(columns, cell, lines, "width", &d->picture.width));
    TSRI_TRY(done, measure(rows, cell, lines, "height", &d->picture.height));
    TSRI_ALLOC(done, d->column_at, d->picture.width);
    TSRI_ALLOC(done, d->row_at, d->picture.height);
    TSRI_ALLOC(done, d->cells, columns->length);
    lay_out(columns, cell, lines, d->column_at);
    lay_out(rows, cell, lines, d->row_at);
    d->width = d->picture.width;
    d->height = d->picture.height;
done:
    return st;
}

void tsri_drawing_end(tsri_drawing *d)
{
    tsri_free(d->column_at);
    tsri_free(d->row_at);
    tsri_free(d->cells);
}

/* ---- the bar --------------------------------------------------------------------------------- */

tsr_status tsri_drawing_add_bar(tsri_drawing *d, const tsri_scale *scale)
{
    const int64_t height = larger(d->picture.height, LEAST_BAR);
    int64_t text = larger(d->picture.width, d->picture.height) / TEXTS_A_SIDE;
    tsr_status st = TSR_OK;

    if (text > height / TEXTS_A_BAR) text = height / TEXTS_A_BAR;
    if (text < LEAST_TEXT) text = LEAST_TEXT;
    const int64_t margin = text, gap = text + text / 2;
    tsri_color_bar_make(&d->bar, scale, height, text);
    d->barred = true;
    d->picture.left = margin;
    d->picture.top = margin + (height - d->picture.height) / 2;
    d->colors = (tsri_frame){margin + d->picture.width + gap, margin, d->bar.bar, height};
    d->width = d->colors.left + d->bar.width + margin;
    d->height = height + 2 * margin;
    TSRI_CHECK(done, d->width <= TSRI_PNG_LIMIT && d->height <= TSRI_PNG_LIMIT, TSR_ERR_VALUE,
               "a picture of %" PRId64 " x %" PRId64
               " pixels with its colour bar: width and height are at most %d pixels",
               d->width, d->height, TSRI_PNG_LIMIT);
done:
    return st;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void draw_cells(const tsri_drawing *d, int64_t y, unsigned char *pixels)
{
    const bool line = d->row_at[y] == LINE;

    if (!line && (y == 0 || d->row_at[y] != d->row_at[y - 1]))
        tsri_plane_row(d->plane, d->row_at[y], d->cells);
    for (int64_t x = 0; x < d->picture.width; ++x)
        pixels[x] = line || d->column_at[x] == LINE ? TSRI_COLOR_PAPER : d->cells[d->column_at[x]];
}

/* The part of a row that belongs to the line around a frame. */
static void draw_frame(const tsri_frame *f, int64_t line, int64_t y, unsigned char *pixels)
{
    if (y < f->top - line || y >= f->top + f->height + line) return;
    if (y < f->top || y >= f->top + f->height) {
        memset(pixels + f->left - line, TSRI_COLOR_INK, (size_t)(f->width + 2 * line));
    } else {
        memset(pixels + f->left - line, TSRI_COLOR_INK, (size_t)line);
        memset(pixels + f->left + f->width, TSRI_COLOR_INK, (size_t)line);
    }
}

void tsri_drawing_row(int64_t y, unsigned char *pixels, void *drawing)
{
    const tsri_drawing *d = drawing;
    const int64_t row = y - d->picture.top;

    if (d->barred) {
        memset(pixels, TSRI_COLOR_PAPER, (size_t)d->width);
        draw_frame(&d->picture, d->bar.line, y, pixels);
        draw_frame(&d->colors, d->bar.line, y, pixels);
        tsri_color_bar_row(&d->bar, y - d->colors.top, pixels + d->colors.left);
    }
    if (row >= 0 && row < d->picture.height) draw_cells(d, row, pixels + d->picture.left);
}
