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

/* The part of the block at position (i, j) of the last two axes of the grid. */
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

    for (int a = 0; a < geometry->ndim - 2; ++a) {
        const tsri_axis axis = tsri_geometry_axis(geometry, a);
        coords[a] = tsri_axis_owner(&axis, plane->at[a]);
    }
    coords[geometry->ndim - 2] = i;
    coords[geometry->ndim - 1] = j;
    return tsri_geometry_rank(geometry, coords);
}

static tsri_plane_part part_of_rank(const tsri_plane *plane, int rank)
{
    const tsri_geometry *geometry = &plane->array->layout->geometry;
    const int ndim = geometry->ndim;
    int coords[TSR_MAX_NDIM];

    if (geometry->whole && rank != 0) return (tsri_plane_part){0};
    tsri_geometry_coords(geometry, rank, coords);
    if (rank_at(plane, coords[ndim - 2], coords[ndim - 1]) != rank) return (tsri_plane_part){0};
    return part_of(plane, coords[ndim - 2], coords[ndim - 1]);
}

static size_t bytes_of(tsri_plane_part part)
{
    return (size_t)(part.rows * part.columns);
}

tsr_status tsri_plane_start(tsri_plane *plane, const tsr_array *array, const int64_t *at)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    const int ndim = geometry->ndim;
    tsr_status st = TSR_OK;

    *plane = (tsri_plane){.array = array};
    plane->row_axis = tsri_geometry_axis(geometry, ndim - 2);
    plane->column_axis = tsri_geometry_axis(geometry, ndim - 1);
    for (int a = 0; a < ndim - 2; ++a) {
        const int64_t length = geometry->shape[a];
        plane->at[a] = at[a] < 0 ? at[a] + length : at[a];
        TSRI_CHECK(done, plane->at[a] >= 0 && plane->at[a] < length, TSR_ERR_INDEX,
                   "plane[%d] is %" PRId64 ", axis %d has length %" PRId64, a, at[a], a, length);
    }
    const int64_t rows = plane->row_axis.length, columns = plane->column_axis.length;
    TSRI_CHECK(done, rows > 0 && columns > 0, TSR_ERR_VALUE,
               "a plane of %" PRId64 " x %" PRId64 " cells is empty", rows, columns);
    plane->mine = part_of_rank(plane, array->layout->rank);
    TSRI_ALLOC(done, plane->bytes,
               array->layout->rank == 0 ? (size_t)(rows * columns) : bytes_of(plane->mine));
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
    const int last = array->layout->geometry.ndim - 1;
    const int64_t elem = (int64_t)tsr_dtype_size(array->dtype), unit = 1;
    double numbers[BATCH];
    int64_t corner = 0;

    for (int a = 0; a < last - 1; ++a)
        corner += (plane->at[a] - array->start[a]) * array->stride[a];
    for (int64_t row = 0; row < plane->mine.rows; ++row)
        for (int64_t done = 0; done < plane->mine.columns; done += BATCH) {
            const int64_t left = plane->mine.columns - done, count = left < BATCH ? left : BATCH;
            const int64_t cell =
                corner + row * array->stride[last - 1] + done * array->stride[last];
            tsri_kern_get()->convert(1, &count, TSR_F64, numbers, &unit, array->dtype,
                                     (const char *)tsri_array_origin(array) + cell * elem,
                                     &array->stride[last]);
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
    unsigned char (*byte_of)(double, double, double);
    double low, high;
    unsigned char *next;
} painter;

static void paint(const double *numbers, int64_t count, void *state)
{
    painter *p = state;
    for (int64_t i = 0; i < count; ++i)
        *p->next++ = p->byte_of(numbers[i], p->low, p->high);
}

/* Keep the first failure; whoever fails still sends and receives all that others wait for. */
static void keep(tsr_status *first, tsr_status st)
{
    if (*first == TSR_OK) *first = st;
}

/* Send or receive a part's bytes in messages of at most the limit. */
static tsr_status pass(tsri_context *context, unsigned char *bytes, size_t count, int peer,
                       bool sends)
{
    const size_t limit = (size_t)tsri_context_settings(context)->message_limit;
    tsr_status st = TSR_OK;

    for (size_t done = 0; done < count; done += limit) {
        const size_t piece = count - done < limit ? count - done : limit;
        tsri_request request;
        keep(&st, (sends ? tsri_net_isend(context, bytes + done, piece, peer, TSRI_TAG_EXCHANGE,
                                          &request)
                         : tsri_net_irecv(context, bytes + done, piece, peer, TSRI_TAG_EXCHANGE,
                                          &request)));
        keep(&st, tsri_net_wait(context, 1, &request));
    }
    return st;
}

tsr_status tsri_plane_collect(tsri_plane *plane, unsigned char (*byte_of)(double, double, double),
                              double low, double high)
{
    const tsr_layout *layout = plane->array->layout;
    const bool root = layout->rank == 0;
    unsigned char *mine = plane->bytes + (root ? plane->mine.offset : 0);
    painter p = {byte_of, low, high, mine};
    tsr_status st = TSR_OK;

    each_number(plane, paint, &p);
    if (!root) return pass(layout->context, mine, bytes_of(plane->mine), 0, true);
    for (int i = 0; i < plane->row_axis.blocks; ++i)
        for (int j = 0; j < plane->column_axis.blocks; ++j) {
            const tsri_plane_part part = part_of(plane, i, j);
            const int peer = rank_at(plane, i, j);
            if (peer != 0)
                keep(&st, pass(layout->context, plane->bytes + part.offset, bytes_of(part), peer,
                               false));
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
