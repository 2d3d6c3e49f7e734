#include "move/masking.h"

#include "base/net.h"
#include "move/redistribute.h"

#include <string.h>

/* ---- masks ----------------------------------------------------------------------------------- */

tsr_status tsri_mask_check(const char *call, const tsr_array *array, const tsr_array *mask)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, mask != NULL, TSR_ERR_VALUE, "mask is NULL");
    const tsri_geometry *g = &array->layout->geometry, *m = &mask->layout->geometry;
    TSRI_CHECK_IN(call, done, mask->dtype == TSR_BOOL, TSR_ERR_TYPE,
                  "the mask holds %s, must hold bool", tsr_dtype_name(mask->dtype));
    TSRI_CHECK_IN(call, done, g->ndim == m->ndim, TSR_ERR_VALUE,
                  "the mask has %d ax%cs and the array %d, must have the same shape", m->ndim,
                  TSRI_ES(m->ndim), g->ndim);
    for (int a = 0; a < g->ndim; ++a)
        TSRI_CHECK_IN(call, done, g->shape[a] == m->shape[a], TSR_ERR_VALUE,
                      "axis %d has length %lld in the mask and %lld in the array, must have the "
                      "same shape",
                      a, (long long)m->shape[a], (long long)g->shape[a]);
    st = tsri_numbering_check(call, array->layout->context, mask->layout->context);
done:
    return st;
}

tsr_status tsri_masking_make(const char *call, const tsr_array *array, const tsr_array *mask,
                             tsri_masking *m)
{
    const tsri_geometry *g = &array->layout->geometry;
    tsr_status st = TSR_OK;

    m->array = array;
    m->mask = mask;
    m->cut = g->ndim - 1;
    while (m->cut >= 0 && g->grid[m->cut] == 1)
        --m->cut;
    if (tsr_layout_equal(array->layout, mask->layout)) return TSR_OK;
    TSRI_TRY(done, tsri_agree(array->layout->context,
                              tsri_array_make(array->layout, TSR_BOOL, call, &m->moved), 0));
    TSRI_TRY(done, tsri_redistribute(call, mask, m->moved));
    m->mask = m->moved;
done:
    return st;
}

void tsri_masking_clear(tsri_masking *m)
{
    tsri_array_free(m->moved);
    tsri_free(m->place);
}

/* Runs of true cells of a row: every byte but 0 is true, also in memory that was adopted. */
static tsr_status visit_row(const unsigned char *row, int64_t n, int64_t line, int64_t cell,
                            tsri_mask_visit *visit, void *ctx)
{
    tsr_status st = TSR_OK;

    for (int64_t i = 0, end; st == TSR_OK && i < n; i = end) {
        for (end = i; end < n && (row[end] != 0) == (row[i] != 0);)
            ++end;
        if (row[i] != 0) st = visit(ctx, line, cell + i, end - i);
    }
    return st;
}

tsr_status tsri_masking_each(const tsri_masking *m, tsri_mask_visit *visit, void *ctx)
{
    const tsr_array *mask = m->mask;
    const unsigned char *cells = tsri_array_origin(mask);
    const int last = mask->layout->geometry.ndim - 1;
    int64_t index[TSR_MAX_NDIM] = {0}, cell = 0, row = 0, rows = 1; /* rows of a line */
    tsr_status st = TSR_OK;

    if (mask->cells == 0) return TSR_OK;
    for (int a = m->cut < 0 ? 0 : m->cut; a < last; ++a)
        rows *= mask->extent[a];
    for (int a = 0; a >= 0; ++row) {
        TSRI_TRY(done, visit_row(cells + cell, last < 0 ? 1 : mask->extent[last], row / rows, cell,
                                 visit, ctx));
        for (a = last - 1; a >= 0; --a) { /* odometer: wrap this axis, carry on */
            cell += mask->stride[a];
            if (++index[a] < mask->extent[a]) break;
            cell -= mask->extent[a] * mask->stride[a];
            index[a] = 0;
        }
    }
done:
    return st;
}

/* ---- counting -------------------------------------------------------------------------------- */

static tsr_status count_run(void *ctx, int64_t line, int64_t cell, int64_t count)
{
    int64_t *counts = ctx;
    (void)cell;
    counts[line] += count;
    return TSR_OK;
}

/* Add to n numbers those of all blocks before this one along an axis of the grid, or of all behind
 * it: each rank hears from the one 1, 2, 4, ... blocks away what that one knows. */
static tsr_status scan_line(const tsr_layout *layout, int axis, int direction, int64_t n,
                            int64_t *sums, int64_t *incoming)
{
    const tsri_geometry *g = &layout->geometry;
    const size_t bytes = (size_t)n * sizeof *sums;
    int coords[TSR_MAX_NDIM];
    tsr_status st = TSR_OK;

    tsri_geometry_coords(g, layout->rank, coords);
    const int64_t mine = coords[axis];
    for (int64_t apart = 1; apart < g->grid[axis]; apart *= 2) {
        int peer[2] = {TSR_NO_RANK, TSR_NO_RANK}; /* to, from */
        for (int end = 0; end < 2; ++end) {
            const int64_t block = mine + (end == 0 ? direction : -direction) * apart;
            if (block < 0 || block >= g->grid[axis]) continue;
            coords[axis] = (int)block;
            peer[end] = tsri_geometry_rank(g, coords);
        }
        tsri_keep(&st, tsri_net_trade(layout->context, peer[0], sums, peer[1], incoming, bytes));
        for (int64_t i = 0; i < n && peer[1] != TSR_NO_RANK; ++i)
            sums[i] += incoming[i];
    }
    return st;
}

/* Numbers that are added up, for the lines of this rank's block. */
typedef struct counter {
    int64_t extent[TSR_MAX_NDIM]; /* of the block, also where it has no cell */
    int64_t *count;               /* of this rank, then of all on the line */
    int64_t *up, *down, *incoming;
} counter;

static tsr_status make_counter(tsri_masking *m, counter *c)
{
    int64_t start[TSR_MAX_NDIM], room = 1;
    tsr_status st = TSR_OK;

    tsri_geometry_block(&m->array->layout->geometry, m->array->layout->rank, start, c->extent);
    m->lines = 1;
    for (int a = 0; a < m->cut; ++a) {
        m->lines *= c->extent[a];
        if (m->lines > room) room = m->lines; /* fewer axes may have more lines: none of theirs */
    }
    TSRI_ALLOC(done, m->place, m->lines);
    TSRI_ALLOC(done, c->count, room);
    TSRI_ALLOC(done, c->up, room);
    TSRI_ALLOC(done, c->down, room);
    TSRI_ALLOC(done, c->incoming, room);
    st = tsri_masking_each(m, count_run, c->count);
done:
    return st;
}

/* Of the n counts: what lies before this block along an axis, in `up`, and what all blocks have. */
static tsr_status add_up(const tsri_masking *m, counter *c, int axis, int64_t n)
{
    const tsr_layout *layout = m->array->layout;
    const size_t bytes = (size_t)n * sizeof *c->count;

    memcpy(c->up, c->count, bytes);
    memcpy(c->down, c->count, bytes);
    tsr_status st = scan_line(layout, axis, 1, n, c->up, c->incoming);
    const tsr_status down = scan_line(layout, axis, -1, n, c->down, c->incoming);
    for (int64_t i = 0; i < n; ++i) {
        c->up[i] -= c->count[i];
        c->count[i] = c->up[i] + c->down[i];
    }
    return st == TSR_OK ? down : st;
}

/* From the counts of lines to those of all lines with the same indices along fewer axes. */
static tsr_status count_axis(tsri_masking *m, counter *c, int axis)
{
    int64_t outer = 1, inner = 1;
    const int64_t length = c->extent[axis];

    for (int a = 0; a < axis; ++a)
        outer *= c->extent[a];
    for (int a = axis + 1; a < m->cut; ++a)
        inner *= c->extent[a];
    for (int64_t o = 0; o < outer; ++o) {
        int64_t sum = 0;
        for (int64_t i = 0; i < length; ++i) {
            const int64_t line = o * length + i, count = c->count[line];
            for (int64_t k = 0; k < inner; ++k)
                m->place[line * inner + k] += sum;
            sum += count;
        }
        c->count[o] = sum;
    }
    const tsr_status st = add_up(m, c, axis, outer);
    for (int64_t line = 0; line < m->lines; ++line)
        m->place[line] += c->up[line / (length * inner)];
    return st;
}

static tsr_status count_lines(tsri_masking *m, counter *c)
{
    tsr_status st = TSR_OK;

    if (m->cut >= 0) {
        st = add_up(m, c, m->cut, m->lines);
        memcpy(m->place, c->up, (size_t)m->lines * sizeof *m->place);
    }
    for (int axis = m->cut - 1; axis >= 0; --axis) {
        tsri_keep(&st, count_axis(m, c, axis));
    }
    m->total = c->count[0];
    return st;
}

tsr_status tsri_masking_count(tsri_masking *m)
{
    tsri_context *const context = m->array->layout->context;
    counter c = {0};
    tsr_status st = make_counter(m, &c);

    TSRI_TRY(done, tsri_agree(context, st, 0));
    TSRI_TRY(done, tsri_agree(context, count_lines(m, &c), 0));
done:
    tsri_free(c.count);
    tsri_free(c.up);
    tsri_free(c.down);
    tsri_free(c.incoming);
    return st;
}
