#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "io/colormap.h"
#include "io/plane.h"
#include "io/png_write.h"
#include "io/replace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <tessera/io.h>

/* Small arrays are drawn with at least this many pixels along the longer side. */
enum { LEAST_SIDE = 256 };

/* ---- from cells to pixels -------------------------------------------------------------------- */

/* Lines lie between cells, one pixel wide, so that they hide nothing. */
enum { LINE = -1 };

typedef struct drawing {
    tsri_plane plane;
    int64_t width, height;
    int32_t *column_at, *row_at; /* the index at each pixel along an axis, or LINE */
    unsigned char *cells;        /* the row of cells last drawn */
} drawing;

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

static int64_t default_cell(const tsri_axis *rows, const tsri_axis *columns)
{
    const int64_t longer = rows->length > columns->length ? rows->length : columns->length;
    return longer == 0 ? 1 : (LEAST_SIDE + longer - 1) / longer;
}

/* What rank 0 needs to draw. */
static tsr_status drawing_start(drawing *d, const tsr_array *array,
                                const tsr_picture_options *options)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    const tsri_axis rows = tsri_geometry_axis(geometry, geometry->ndim - 2);
    const tsri_axis columns = tsri_geometry_axis(geometry, geometry->ndim - 1);
    const int64_t cell = options->cell != 0 ? options->cell : default_cell(&rows, &columns);
    const bool lines = options->block_lines;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, measure(&columns, cell, lines, "width", &d->width));
    TSRI_TRY(done, measure(&rows, cell, lines, "height", &d->height));
    TSRI_ALLOC(done, d->column_at, d->width);
    TSRI_ALLOC(done, d->row_at, d->height);
    TSRI_ALLOC(done, d->cells, columns.length);
    lay_out(&columns, cell, lines, d->column_at);
    lay_out(&rows, cell, lines, d->row_at);
done:
    return st;
}

static void drawing_end(drawing *d)
{
    tsri_plane_end(&d->plane);
    tsri_free(d->column_at);
    tsri_free(d->row_at);
    tsri_free(d->cells);
}

static void draw_row(int64_t y, unsigned char *pixels, void *ctx)
{
    const drawing *d = ctx;
    const bool line = d->row_at[y] == LINE;

    if (!line && (y == 0 || d->row_at[y] != d->row_at[y - 1]))
        tsri_plane_row(&d->plane, d->row_at[y], d->cells);
    for (int64_t x = 0; x < d->width; ++x)
        pixels[x] = line || d->column_at[x] == LINE ? TSRI_COLOR_LINE : d->cells[d->column_at[x]];
}

static tsr_status draw(tsri_replacement *replacement, const char *path, drawing *d)
{
    unsigned char palette[TSRI_PALETTE][3];
    const tsri_context *context = d->plane.array->layout->context;
    tsri_file file;
    tsr_status st;

    tsri_colormap(palette);
    const tsri_png picture = {d->width,     d->height, (const unsigned char(*)[3])palette,
                              TSRI_PALETTE, draw_row,  d};
    TSRI_TRY(close, tsri_replace_begin(replacement, context, path, &file));
    TSRI_TRY(close, tsri_png_write(&picture, &file));
    TSRI_TRY(close, tsri_file_sync(&file));
close:
    return tsri_file_close(&file, st);
}

/* ---- the call -------------------------------------------------------------------------------- */

static tsr_status check_arguments(const char *path, const tsr_array *array,
                                  const tsr_picture_options *options)
{
    const int ndim = array->layout->geometry.ndim;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_path_check(path));
    TSRI_CHECK(done, ndim >= 2, TSR_ERR_VALUE, "the array has %d axes, a picture needs two", ndim);
    TSRI_CHECK(done, array->dtype != TSR_C64 && array->dtype != TSR_C128, TSR_ERR_TYPE,
               "a picture of %s elements, they must be real", tsr_dtype_name(array->dtype));
    TSRI_CHECK(done, options->cell >= 0, TSR_ERR_VALUE, "cell is %" PRId64 ", must be >= 0",
               options->cell);
    TSRI_CHECK(done, isfinite(options->low) && isfinite(options->high), TSR_ERR_VALUE,
               "low is %g, high is %g, both must be finite", options->low, options->high);
    TSRI_CHECK(done, options->low < options->high || (options->low == 0 && options->high == 0),
               TSR_ERR_VALUE, "low is %g, high is %g, low must be less", options->low,
               options->high);
    TSRI_CHECK(done, tsri_png_available(), TSR_ERR_UNSUPPORTED, "this build has no libpng");
done:
    return st;
}

static uint64_t fingerprint(const char *call, const char *path, const tsr_array *array,
                            const tsr_picture_options *o)
{
    const uint64_t layout = tsr_layout_hash(array->layout);
    uint64_t hash = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, call), path);
    const int ndim = array->layout->geometry.ndim;

    hash = tsri_hash(hash, &layout, sizeof layout);
    hash = tsri_hash(hash, &array->dtype, sizeof array->dtype);
    hash = tsri_hash(hash, &o->low, sizeof o->low);
    hash = tsri_hash(hash, &o->high, sizeof o->high);
    hash = tsri_hash(hash, &o->cell, sizeof o->cell);
    hash = tsri_hash(hash, &o->block_lines, sizeof o->block_lines);
    return ndim > 2 ? tsri_hash(hash, o->plane, (size_t)(ndim - 2) * sizeof o->plane[0]) : hash;
}

/* Colour every cell where it is and bring the colours together.  Who fails still takes part. */
static tsr_status collect(tsri_plane *plane, const tsr_picture_options *options)
{
    double low = options->low, high = options->high;
    tsr_status found = TSR_OK;

    if (low == 0 && high == 0) found = tsri_plane_range(plane, &low, &high);
    const tsr_status st = tsri_plane_collect(plane, tsri_color_of, low, high);
    return found != TSR_OK ? found : st;
}

tsr_status tsr_save_png(const char *path, const tsr_array *array,
                        const tsr_picture_options *options)
{
    static const tsr_picture_options defaults = {0};
    tsri_replacement replacement = {.made = false};
    drawing d = {.width = 0};

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *context = array->layout->context;
    tsr_status st = tsri_enter(context, false, "%s", __func__);
    if (st != TSR_OK) return st;
    if (options == NULL) options = &defaults;
    const bool root = array->layout->rank == 0;
    const uint64_t arguments = fingerprint(__func__, path, array, options);

    TSRI_TRY(agree, check_arguments(path, array, options));
    if (root) TSRI_TRY(agree, drawing_start(&d, array, options));
    TSRI_TRY(agree, tsri_plane_start(&d.plane, array, options->plane));
agree:
    TSRI_TRY(fail, tsri_agree(context, st, arguments));

    st = collect(&d.plane, options);
    if (st == TSR_OK && root) st = draw(&replacement, path, &d);
    TSRI_TRY(fail, tsri_agree(context, st, arguments));
    if (root) st = tsri_replace_commit(&replacement);
    TSRI_TRY(fail, tsri_agree(context, st, arguments));
    drawing_end(&d);
    return TSR_OK;

fail:
    tsri_replace_abandon(&replacement);
    drawing_end(&d);
    return st;
}
