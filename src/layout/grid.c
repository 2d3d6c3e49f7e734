/* Process grids: the automatic one, and the search for the one of least surface that fits.
 *
 * The search never lists all grids (16 axes and a million ranks have billions).  It works from the
 * last axis to the first and keeps, for every divisor of the number of ranks, only the splittings
 * of the axes from here on that no other one beats in both of the two numbers that matter: the
 * cells of the largest block and its surface, each over these axes alone. */
#include "base/checked.h"
#include "base/memory.h"
#include "layout/divisors.h"
#include "layout/geometry.h"

#include <math.h>

void tsri_grid_automatic(int size, int ndim, tsr_axes split, int *grid)
{
    int left = size, unplaced = 0;
    for (int a = 0; a < ndim; ++a) {
        unplaced += (int)(split >> a & 1u);
    }
    for (int a = 0; a < ndim; ++a) {
        grid[a] = 1;
        if ((split >> a & 1u) == 0) continue;
        int ranks = (int)round(pow(left, 1.0 / unplaced));
        while (left % ranks != 0) {
            --ranks;
        }
        grid[a] = ranks;
        left /= ranks;
        --unplaced;
    }
}

/* The largest block over some of the axes: its cells, and the sum of its faces on cut axes. */
typedef struct shape_cost {
    int64_t cells, surface;
} shape_cost;

/* The costs worth keeping for one axis and one number of ranks, a range of search.kept. */
typedef struct cost_list {
    size_t first, count;
} cost_list;

typedef struct search {
    int ndim;
    const int64_t *shape;
    tsr_axes split;
    tsri_divisors divisors; /* of the number of ranks */
    cost_list *lists;       /* [ndim + 1][divisors] */
    shape_cost *kept;
    size_t kept_count, kept_room;
} search;

/* a * b and a + b for values >= 0, held at the largest number: only shapes whose number of cells
 * does not fit, which no layout has, come there. */
static int64_t product(int64_t a, int64_t b)
{
    int64_t result;
    return tsri_mul_i64(a, b, &result) ? result : INT64_MAX;
}
static int64_t sum(int64_t a, int64_t b)
{
    int64_t result;
    return tsri_add_i64(a, b, &result) ? result : INT64_MAX;
}

/* The cost over some axes and one more, which is cut over `ranks`. */
static shape_cost extended(const search *s, shape_cost others, int axis, int ranks)
{
    const int64_t block = s->shape[axis] / ranks + (s->shape[axis] % ranks != 0);
    return (shape_cost){
        .cells = product(others.cells, block),
        .surface = sum(product(others.surface, block), ranks > 1 ? others.cells : 0),
    };
}

static int64_t most_ranks(const search *s, int axis)
{
    return (s->split >> axis & 1u) != 0 ? s->shape[axis] : 1;
}

static cost_list *list_of(const search *s, int axis, int ranks)
{
    return &s->lists[(size_t)axis * (size_t)s->divisors.count +
                     (size_t)tsri_divisors_index(&s->divisors, ranks)];
}

/* Add a cost to the list at the end of s->kept, unless one there is no worse; drop those it beats.
 */
static tsr_status keep(search *s, cost_list *list, shape_cost cost)
{
    tsr_status st = TSR_OK;
    TSRI_GROW(done, s->kept, s->kept_count, s->kept_room, 256);
    shape_cost *kept = &s->kept[list->first];
    size_t count = 0;
    for (size_t i = 0; i < list->count; ++i) {
        if (kept[i].cells <= cost.cells && kept[i].surface <= cost.surface) return TSR_OK;
    }
    for (size_t i = 0; i < list->count; ++i) {
        if (kept[i].cells < cost.cells || kept[i].surface < cost.surface) kept[count++] = kept[i];
    }
    kept[count++] = cost;
    list->count = count;
    s->kept_count = list->first + count;
done:
    return st;
}

/* Fill the list of an axis and a number of ranks from the lists of the next axis. */
static tsr_status fill_list(search *s, int axis, int ranks)
{
    const int64_t most = most_ranks(s, axis);
    cost_list *list = list_of(s, axis, ranks);
    list->first = s->kept_count;
    for (int i = 0; i < s->divisors.count && s->divisors.value[i] <= most; ++i) {
        const int here = s->divisors.value[i];
        if (ranks % here != 0) continue;
        const cost_list rest = *list_of(s, axis + 1, ranks / here);
        for (size_t k = rest.first; k < rest.first + rest.count; ++k) {
            const tsr_status st = keep(s, list, extended(s, s->kept[k], axis, here));
            if (st != TSR_OK) return st;
        }
    }
    return TSR_OK;
}

static tsr_status fill_lists(search *s)
{
    tsr_status st = TSR_OK;
    TSRI_ALLOC(fail, s->lists, (size_t)(s->ndim + 1) * (size_t)s->divisors.count);
    TSRI_TRY(fail, keep(s, list_of(s, s->ndim, 1), (shape_cost){.cells = 1}));
    for (int a = s->ndim - 1; a >= 0; --a) {
        for (int i = a > 0 ? 0 : s->divisors.count - 1; i < s->divisors.count; ++i) {
            TSRI_TRY(fail, fill_list(s, a, s->divisors.value[i]));
        }
    }
fail:
    return st;
}

/* The least surface that the axes from `axis` on can give to what stands before them; INT64_MAX
 * also when no splitting fits. */
static int64_t least_surface(const search *s, shape_cost before, int axis, int ranks)
{
    const cost_list list = *list_of(s, axis, ranks);
    int64_t least = INT64_MAX;
    for (size_t k = list.first; k < list.first + list.count; ++k) {
        const shape_cost rest = s->kept[k];
        const int64_t surface =
            sum(product(before.surface, rest.cells), product(before.cells, rest.surface));
        if (surface < least) least = surface;
    }
    return least;
}

/* The lexicographically smallest of the grids of least surface: on each axis in turn the fewest
 * ranks with which the least surface can still be had. */
static void read_grid(const search *s, int size, int *grid)
{
    shape_cost before = {.cells = 1};
    const int64_t least = least_surface(s, before, 0, size);
    int left = size;
    for (int a = 0; a < s->ndim; ++a) {
        for (int i = 0; s->divisors.value[i] <= most_ranks(s, a); ++i) {
            const int here = s->divisors.value[i];
            if (left % here != 0) continue;
            if (list_of(s, a + 1, left / here)->count == 0) continue;
            const shape_cost with_axis = extended(s, before, a, here);
            if (least_surface(s, with_axis, a + 1, left / here) > least) continue;
            grid[a] = here;
            before = with_axis;
            left /= here;
            break;
        }
    }
}

tsr_status tsri_grid_fitting(int size, int ndim, const int64_t *shape, tsr_axes split, int *grid,
                             bool *found)
{
    tsr_status st = TSR_OK;
    search s = {.ndim = ndim, .shape = shape, .split = split};
    *found = false;
    TSRI_TRY(done, tsri_divisors_find(size, &s.divisors));
    TSRI_TRY(done, fill_lists(&s));
    *found = list_of(&s, 0, size)->count > 0;
    if (*found) read_grid(&s, size, grid);
done:
    tsri_divisors_free(&s.divisors);
    tsri_free(s.lists);
    tsri_free(s.kept);
    return st;
}
