#include "io/plane.h"

#include "base/checked.h"
#include "base/net.h"
#include "kern/kern.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Cells converted to double at a time. */
enum { BATCH = 512 };

/* ---- who has what ---------------------------------------------------------------------------- */

/* The part of the block at position (i, j) of the plane's axes of the grid. */
static tsri_plane_part part_of(const tsri_plane *plane, int i, int j)
{
    const int64_t row = tsri_axis_cut(&plane->row_axis, i);
    const int64_t column = tsri_axis_cut(&plane->column_axis, j);
    const tsri_plane_part part = {.rows = tsri_axis_cut(&plane->row_axis, i + 1) - row,
                                  .columns = tsri_axis_cut(&plane->column_axis, j + 1) - column,
                                  .offset =
                                      row * plane->column_axis.length +
                                      (tsri_axis_cut(&plane->row_axis, i + 1) - row) * column};
    return part;
}

/* The grid position of a block that the plane meets, and its rank. */
static int rank_at(const tsri_plane *plane, int i, int j)
{
    const tsri_geometry *geometry = &plane->array->layout->geometry;
    int coords[TSR_MAX_NDIM];

    for (int a = 0; a < geometry->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(geometry, a);
        coords[a] = a == plane->down    ? i
                    : a == plane->right ? j
                                        : tsri_axis_owner(&axis, plane->at[a]);
    }
    return tsri_geometry_rank(geometry, coords);
}

static tsri_plane_part part_of_rank(const tsri_plane *plane, int rank)
{
    const tsri_geometry *geometry = &plane->array->layout->geometry;
    int coords[TSR_MAX_NDIM];

    if (geometry->whole && rank != 0) return (tsri_plane_part){0};
    tsri_geometry_coords(geometry, rank, coords);
    const int i = coords[plane->down], j = coords[plane->right];
    return rank_at(plane, i, j) == rank ? part_of(plane, i, j) : (tsri_plane_part){0};
}

static size_t bytes_of(tsri_plane_part part)
{
    return (size_t)(part.rows * part.columns);
}

static tsr_status choose_axes(tsri_plane *plane, int ndim, const int axes[2])
{
    const bool given = axes[0] != 0 || axes[1] != 0;
    char words[TSRI_AXES_WORDS];
    tsr_status st = TSR_OK;

    plane->down = given ? axes[0] : ndim - 2;
    plane->right = given ? axes[1] : ndim - 1;
    TSRI_CHECK(done,
               tsri_axis_normalise(ndim, &plane->down) && tsri_axis_normalise(ndim, &plane->right),
               TSR_ERR_AXIS, "axes are %d and %d, but the array has %s", axes[0], axes[1],
               tsri_axes_words(ndim, words));
    TSRI_CHECK(done, plane->down != plane->right, TSR_ERR_VALUE,
               "axes are %d and %d, must be two axes, not one", axes[0], axes[1]);
done:
    return st;
}

static tsr_status choose_index(tsri_plane *plane, int axis, int64_t given)
{
    const int64_t length = plane->array->layout->geometry.shape[axis];
    tsr_status st = TSR_OK;

    if (axis == plane->down || axis == plane->right) {
        TSRI_CHECK(done, given == 0, TSR_ERR_VALUE,
                   "plane[%d] is %" PRId64 ", must be 0: axis %d is drawn", axis, given, axis);
        return TSR_OK;
    }
    plane->at[axis] = given < 0 ? given + length : given;
    TSRI_CHECK(done, plane->at[axis] >= 0 && plane->at[axis] < length, TSR_ERR_INDEX,
               "plane[%d] is %" PRId64 ", must be %" PRId64 " to %" PRId64 " (axis %d has %" PRId64
               " cell%s)",
               axis, given, -length, length - 1, axis, length, TSRI_S(length));
done:
    return st;
}

tsr_status tsri_plane_choose(tsri_plane *plane, const tsr_array *array,
                             const tsr_picture_options *options)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    tsr_status st = TSR_OK;

    *plane = (tsri_plane){.array = array};
    TSRI_TRY(done, choose_axes(plane, geometry->ndim, options->axes));
    for (int a = 0; a < geometry->ndim; ++a)
        TSRI_TRY(done, choose_index(plane, a, options->plane[a]));
    plane->row_axis = tsri_geometry_axis(geometry, plane->down);
    plane->column_axis = tsri_geometry_axis(geometry, plane->right);
    TSRI_CHECK(done, plane->row_axis.length > 0 && plane->column_axis.length > 0, TSR_ERR_VALUE,
               "a plane of %" PRId64 " x %" PRId64 " cells is empty", plane->row_axis.length,
               plane->column_axis.length);
    plane->mine = part_of_rank(plane, array->layout->rank);
done:
    return st;
}

tsr_status tsri_plane_start(tsri_plane *plane)
{
    const tsri_plane_part all = {.rows = plane->row_axis.length,
                                 .columns = plane->column_axis.length};
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, plane->bytes, bytes_of(plane->array->layout->rank == 0 ? all : plane->mine));
done:
    return st;
}

void tsri_plane_end(tsri_plane *plane)
{
    tsri_free(plane->bytes);
    plane->bytes = NULL;
}

/* ---- cells as numbers ------------------------------------------------------------------------ */

typedef void (*number_visitor)(const double *numbers, int64_t count, void *state);

/* Visit the cells of this rank's part in C order, some at a time, converted to double. */
static void each_number(const tsri_plane *plane, number_visitor visit, void *state)
{
    const tsr_array *array = plane->array;
    const int64_t down = array->stride[plane->down], right = array->stride[plane->right];
    const int64_t elem = (int64_t)tsr_dtype_size(array->dtype), unit = 1;
    double numbers[BATCH];
    int64_t corner = 0;

    for (int a = 0; a < array->layout->geometry.ndim; ++a)
        if (a != plane->down && a != plane->right)
            corner += (plane->at[a] - array->start[a]) * array->stride[a];
    for (int64_t row = 0; row < plane->mine.rows; ++row)
        for (int64_t done = 0; done < plane->mine.columns; done += BATCH) {
            const int64_t left = plane->mine.columns - done, count = left < BATCH ? left : BATCH;
            const int64_t cell = corner + row * down + done * right;
            tsri_kern_get()->convert(1, &count, TSR_F64, numbers, &unit, array->dtype,
                                     (const char *)tsri_array_origin(array) + cell * elem, &right);
            visit(numbers, count, state);
        }
}

typedef struct range {
    double low, high; /* low > high: no number yet */
} range;

static void widen(void *left, const void *right)
{
    range *l = left;
    const range *r = right;
    l->low = fmin(l->low, r->low);
    l->high = fmax(l->high, r->high);
}

static void widen_by_numbers(const double *numbers, int64_t count, void *state)
{
    for (int64_t i = 0; i < count; ++i)
        if (isfinite(numbers[i])) widen(state, &(range){numbers[i], numbers[i]});
}

tsr_status tsri_plane_range(const tsri_plane *plane, double *low, double *high)
{
    range all = {HUGE_VAL, -HUGE_VAL};

    each_number(plane, widen_by_numbers, &all);
    const tsr_status st = tsri_net_combine(plane->array->layout->context, &all, sizeof all, widen);
    const bool any = all.low <= all.high;
    *low = any ? all.low : 0;
    *high = any ? all.high : 0;
    return st;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

typedef struct painter {
    const tsri_scale *scale;
    unsigned char *next;
} painter;

static void paint(const double *numbers, int64_t count, void *state)
{
    painter *p = state;
    for (int64_t i = 0; i < count; ++i)
        *p->next++ = tsri_color_of(p->scale, numbers[i]);
}

/* Send or receive a part's bytes in messages of at most the limit: all of them, whatever fails,
 * since others wait for them. */
static tsr_status pass(tsri_context *context, unsigned char *bytes, size_t count, int peer,
                       bool sends)
{
    const size_t limit = (size_t)tsri_context_settings(context)->message_limit;
    tsr_status st = TSR_OK;

    for (size_t done = 0; done < count; done += limit) {
        const size_t piece = count - done < limit ? count - done : limit;
        tsri_request request;
        tsri_keep(&st, (sends ? tsri_net_isend(context, bytes + done, piece, peer,
                                               TSRI_TAG_EXCHANGE, &request)
                              : tsri_net_irecv(context, bytes + done, piece, peer,
                                               TSRI_TAG_EXCHANGE, &request)));
        tsri_keep(&st, tsri_net_wait(context, 1, &request));
    }
    return st;
}

tsr_status tsri_plane_collect(tsri_plane *plane, const tsri_scale *scale)
{
    const tsr_layout *layout = plane->array->layout;
    const bool root = layout->rank == 0;
    unsigned char *mine = plane->bytes + (root ? plane->mine.offset : 0);
    painter p = {scale, mine};
    tsr_status st = TSR_OK;

    each_number(plane, paint, &p);
    if (!root) return pass(layout->context, mine, bytes_of(plane->mine), 0, true);
    for (int i = 0; i < plane->row_axis.blocks; ++i)
        for (int j = 0; j < plane->column_axis.blocks; ++j) {
            const tsri_plane_part part = part_of(plane, i, j);
            const int peer = rank_at(plane, i, j);
            if (peer != 0)
                tsri_keep(&st, pass(layout->context, plane->bytes + part.offset, bytes_of(part),
                                    peer, false));
        }
    return st;
}

void tsri_plane_row(const tsri_plane *plane, int64_t row, unsigned char *bytes)
{
    const int i = tsri_axis_owner(&plane->row_axis, row);
    const int64_t inside = row - tsri_axis_cut(&plane->row_axis, i);

    for (int j = 0; j < plane->column_axis.blocks; ++j) {
        const tsri_plane_part part = part_of(plane, i, j);
        memcpy(bytes, plane->bytes + part.offset + inside * part.columns, (size_t)part.columns);
        bytes += part.columns;
    }
}
