/* Pictures of arrays. */
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "io/drawing.h"
#include "io/png_write.h"
#include "io/replace.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <tessera/io.h>

/* ---- arguments ------------------------------------------------------------------------------- */

static bool range_given(const tsr_picture_options *options)
{
    return options->low != 0 || options->high != 0;
}

static tsr_status check_range(const tsr_picture_options *options)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, isfinite(options->low) && isfinite(options->high), TSR_ERR_VALUE,
               "low is %g, high is %g, both must be finite", options->low, options->high);
    TSRI_CHECK(done, !range_given(options) || options->low < options->high, TSR_ERR_VALUE,
               "low is %g, high is %g, low must be less", options->low, options->high);
    TSRI_CHECK(done, !range_given(options) || !options->symmetric, TSR_ERR_VALUE,
               "symmetric is true, but low is %g and high is %g, both must be 0", options->low,
               options->high);
done:
    return st;
}

static tsr_status check_arguments(const char *path, const tsr_array *array,
                                  const tsr_picture_options *options)
{
    const int ndim = array->layout->geometry.ndim, map = (int)options->map;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_path_check(path));
    TSRI_CHECK(done, ndim >= 2, TSR_ERR_VALUE, "the array has %d ax%cs, a picture needs two", ndim,
               TSRI_ES(ndim));
    TSRI_CHECK(done, array->dtype != TSR_C64 && array->dtype != TSR_C128, TSR_ERR_TYPE,
               "a picture of %s elements, they must be real", tsr_dtype_name(array->dtype));
    TSRI_CHECK(done, options->cell >= 0, TSR_ERR_VALUE, "cell is %" PRId64 ", must be >= 0",
               options->cell);
    TSRI_CHECK(done, map >= TSR_MAP_SEA && map <= TSR_MAP_GREY, TSR_ERR_VALUE,
               "map is %d, must be TSR_MAP_SEA to TSR_MAP_GREY", map);
    TSRI_TRY(done, check_range(options));
    TSRI_CHECK(done, tsri_png_available(), TSR_ERR_UNSUPPORTED, "this build has no libpng");
done:
    return st;
}

static uint64_t fingerprint(const char *call, const char *path, const tsr_array *array,
                            const tsr_picture_options *o)
{
    uint64_t hash = tsri_path_hash(tsri_hash_call(call, array), path);
    const int ndim = array->layout->geometry.ndim;

    hash = tsri_hash(hash, &o->low, sizeof o->low);
    hash = tsri_hash(hash, &o->high, sizeof o->high);
    hash = tsri_hash(hash, &o->symmetric, sizeof o->symmetric);
    hash = tsri_hash(hash, &o->map, sizeof o->map);
    hash = tsri_hash(hash, &o->color_bar, sizeof o->color_bar);
    hash = tsri_hash(hash, &o->block_lines, sizeof o->block_lines);
    hash = tsri_hash(hash, &o->cell, sizeof o->cell);
    hash = tsri_hash(hash, o->axes, sizeof o->axes);
    return tsri_hash(hash, o->plane, (size_t)ndim * sizeof o->plane[0]);
}

/* ---- the range ------------------------------------------------------------------------------- */

/* One value becomes the middle of a range. */
static void widen(tsri_scale *scale)
{
    const double value = scale->low, step = value == 0 ? 1 : fmax(fabs(value) / 2, DBL_MIN);

    if (scale->low < scale->high) return;
    scale->low = fmax(value - step, -DBL_MAX);
    scale->high = fmin(value + step, DBL_MAX);
}

/* Collective; when it fails on one rank the range is undefined on all. */
static tsr_status find_scale(const tsri_plane *plane, const tsr_picture_options *options,
                             tsri_scale *scale)
{
    const double pi = acos(-1.0);
    tsr_status st = TSR_OK;

    *scale = (tsri_scale){options->low, options->high, options->map == TSR_MAP_ANGLE};
    if (range_given(options)) return TSR_OK;
    if (scale->cyclic && !options->symmetric) {
        scale->low = -pi;
        scale->high = pi;
        return TSR_OK;
    }
    st = tsri_plane_range(plane, &scale->low, &scale->high);
    if (options->symmetric || options->map == TSR_MAP_SIGNED) {
        scale->high = fmax(fabs(scale->low), fabs(scale->high));
        scale->low = -scale->high;
    }
    widen(scale);
    return st;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Colour every cell where it is and bring the colours together.  Who fails still takes part. */
static tsr_status collect(tsri_plane *plane, const tsr_picture_options *options, tsri_scale *scale)
{
    const tsr_status found = find_scale(plane, options, scale);
    const tsr_status st = tsri_plane_collect(plane, scale);
    return found != TSR_OK ? found : st;
}

static tsr_status draw(tsri_replacement *replacement, const char *path, tsri_drawing *drawing,
                       tsr_color_map map)
{
    unsigned char palette[TSRI_PALETTE][3];
    const tsri_context *context = drawing->plane->array->layout->context;
    tsri_file file;
    tsr_status st;

    tsri_colormap(map, palette);
    const tsri_png picture = {drawing->width, drawing->height,  (const unsigned char(*)[3])palette,
                              TSRI_PALETTE,   tsri_drawing_row, drawing};
    if (tsri_file_is_stream(path))
        st = tsri_file_open(&file, context, path, path, TSRI_FILE_STREAM);
    else
        st = tsri_replace_begin(replacement, context, path, &file);
    if (st != TSR_OK) goto close;
    TSRI_TRY(close, tsri_png_write(&picture, &file));
    TSRI_TRY(close, tsri_file_sync(&file));
close:
    return tsri_file_close(&file, st);
}

tsr_status tsr_save_png(const char *path, const tsr_array *array,
                        const tsr_picture_options *options)
{
    static const tsr_picture_options defaults = {0};
    tsri_replacement replacement = {.made = false};
    tsri_plane plane = {.bytes = NULL};
    tsri_drawing drawing = {.plane = NULL};
    tsri_scale scale;

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *context = array->layout->context;
    tsr_status st = tsri_enter(context, false, "%s", __func__);
    if (st != TSR_OK) return st;
    if (options == NULL) options = &defaults;
    const bool root = array->layout->rank == 0;
    const uint64_t arguments = fingerprint(__func__, path, array, options);

    TSRI_TRY(agree, check_arguments(path, array, options));
    TSRI_TRY(agree, tsri_plane_choose(&plane, array, options));
    TSRI_TRY(agree, tsri_plane_start(&plane));
    if (root) TSRI_TRY(agree, tsri_drawing_start(&drawing, &plane, options));
agree:
    TSRI_TRY(fail, tsri_agree(context, st, arguments));

    st = collect(&plane, options, &scale);
    if (st == TSR_OK && root && options->color_bar) st = tsri_drawing_add_bar(&drawing, &scale);
    if (st == TSR_OK && root) st = draw(&replacement, path, &drawing, options->map);
    TSRI_TRY(fail, tsri_agree(context, st, arguments));
    if (root) st = tsri_replace_commit(&replacement);
    TSRI_TRY(fail, tsri_agree(context, st, arguments));
    tsri_drawing_end(&drawing);
    tsri_plane_end(&plane);
    return TSR_OK;

fail:
    tsri_replace_abandon(&replacement);
    tsri_drawing_end(&drawing);
    tsri_plane_end(&plane);
    return st;
}
