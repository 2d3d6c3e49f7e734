/* The cells of products of axes. */
#include "move/integers.h"
#include "move/picks.h"

/* A product on its way: the axes of the other layout, and this rank's place in all but the last.
 * The cells along that one are the same in each row, so they are listed once: with the block at the
 * other end instead of a rank, and distances from the row's first cell. */
typedef struct {
    int n;
    const tsri_way *way;
    const int64_t *stride;
    const tsri_other_end *other;
    tsri_axis axis[TSR_MAX_NDIM];
    int coords[TSR_MAX_NDIM];
    tsri_picks row;
    tsri_picks *picks;
} product;

static int64_t place_of(const tsri_way *way, int64_t k)
{
    return way->places != NULL ? way->places[k] : way->place + k * way->place_step;
}

static int64_t index_of(const tsri_way *way, int64_t k)
{
    return way->indices != NULL ? way->indices[k] : way->index + k * way->index_step;
}

/* Whether the other layout has several blocks along an axis. */
static bool has_blocks(const product *p, int a)
{
    const int axis = p->way[a].axis;
    return axis != TSRI_NO_AXIS && p->other->geometry->grid[axis] > 1;
}

/* The block at the other end for step k of an axis. */
static int block_of(const product *p, int a, int64_t k)
{
    return has_blocks(p, a) ? tsri_axis_owner(&p->axis[a], index_of(&p->way[a], k)) : 0;
}

static void set_block(product *p, int a, int block)
{
    if (has_blocks(p, a)) p->coords[p->way[a].axis] = block;
}

/* How many steps from step k of the last axis on are neighbouring cells of one block; at least 1.
 */
static int64_t run_length(const product *p, int64_t k, int block)
{
    const int last = p->n - 1;
    const tsri_way *way = &p->way[last];
    const int64_t left = way->count - k;

    if (way->places != NULL || way->place_step * p->stride[last] != 1) return 1;
    if (!has_blocks(p, last)) return left;
    if (way->indices != NULL) return 1;
    if (way->index_step == 0) return left;
    return way->index_step != 1
               ? 1
               : tsri_min_i64(left, tsri_axis_cut(&p->axis[last], block + 1) - index_of(way, k));
}

int tsri_other_rank(const tsri_other_end *other, const int *coords)
{
    return other->geometry->whole ? other->rank : tsri_geometry_rank(other->geometry, coords);
}

/* Replace runs of cells by one list of their distances. */
static tsr_status list_runs(tsri_picks *picks, const tsri_pick *run, int64_t runs, int64_t cells,
                            tsri_pick *listed)
{
    int64_t *list = NULL;
    tsri_pick made = {.rank = run->rank, .count = cells};
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_picks_new_list(picks, cells, &made.list, &list));
    for (int64_t i = 0; i < runs; ++i)
        for (int64_t k = 0; k < run[i].count; ++k)
            *list++ = run[i].cell + k;
    *listed = made;
done:
    return st;
}

/* What is mostly single cells is listed: 8 bytes a cell instead of a run in every row. */
static tsr_status list_short_runs(product *p)
{
    enum { SHORT = 4 };
    tsri_picks *row = &p->row;
    int64_t made = 0, cells;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_picks_sort(row, &cells));
    for (int64_t i = 0, next; i < row->count; i = next) {
        cells = 0;
        for (next = i; next < row->count && row->item[next].rank == row->item[i].rank; ++next)
            cells += row->item[next].count;
        const int64_t runs = next - i;
        if (runs > 1 && cells < SHORT * runs)
            TSRI_TRY(done, list_runs(p->picks, &row->item[i], runs, cells, &row->item[made++]));
        else
            for (int64_t k = i; k < next; ++k)
                row->item[made++] = row->item[k];
    }
    row->count = made;
done:
    return st;
}

static tsr_status list_row(product *p)
{
    const int last = p->n - 1;
    tsr_status st = TSR_OK;

    if (p->n == 0) return tsri_picks_add(&p->row, 0, 0, 1);
    for (int64_t k = 0, n; k < p->way[last].count; k += n) {
        const int block = block_of(p, last, k);
        n = run_length(p, k, block);
        TSRI_TRY(done,
                 tsri_picks_add(&p->row, block, place_of(&p->way[last], k) * p->stride[last], n));
    }
    st = list_short_runs(p);
done:
    return st;
}

static tsr_status add_row(product *p, int64_t cell)
{
    const tsri_other_end *other = p->other;
    tsr_status st = TSR_OK;

    for (int64_t i = 0; i < p->row.count; ++i) {
        tsri_pick pick = p->row.item[i];
        if (p->n > 0) set_block(p, p->n - 1, pick.rank);
        pick.rank = tsri_other_rank(other, p->coords);
        if (other->only && pick.rank != other->rank) continue;
        pick.cell += cell;
        TSRI_TRY(done, pick.list > 0 ? tsri_picks_append(p->picks, pick)
                                     : tsri_picks_add(p->picks, pick.rank, pick.cell, pick.count));
    }
done:
    return st;
}

tsr_status tsri_picks_product(int n, const tsri_way *ways, const int64_t *stride,
                              const tsri_other_end *other, tsri_picks *picks)
{
    product p = {.n = n, .way = ways, .stride = stride, .other = other, .picks = picks};
    int64_t step[TSR_MAX_NDIM] = {0}, cell = 0;
    tsr_status st = TSR_OK;

    for (int b = 0; b < other->geometry->ndim; ++b) { /* some axis of length 1 may have no way */
        const tsri_axis axis = tsri_geometry_axis(other->geometry, b);
        p.coords[b] = axis.length > 0 ? tsri_axis_owner(&axis, 0) : 0;
    }
    for (int a = 0; a < n; ++a) {
        if (ways[a].count == 0) return TSR_OK;
        if (ways[a].axis != TSRI_NO_AXIS)
            p.axis[a] = tsri_geometry_axis(other->geometry, ways[a].axis);
        set_block(&p, a, block_of(&p, a, 0));
        if (a < n - 1) cell += place_of(&ways[a], 0) * stride[a];
    }
    TSRI_TRY(done, list_row(&p));
    for (int a = 0; a >= 0;) {
        TSRI_TRY(done, add_row(&p, cell));
        for (a = n - 2; a >= 0; --a) { /* odometer: wrap this axis, carry on */
            cell -= place_of(&ways[a], step[a]) * stride[a];
            step[a] = step[a] + 1 < ways[a].count ? step[a] + 1 : 0;
            cell += place_of(&ways[a], step[a]) * stride[a];
            set_block(&p, a, block_of(&p, a, step[a]));
            if (step[a] > 0) break;
        }
    }
done:
    tsri_picks_free(&p.row);
    return st;
}
