/* ranks: 1 2 3 4 6 */
/* timeout: 300 */
/* Exchanges of what offsets reach: exactly those halo cells are moved, and no other one, counted
 * and compared with every cell. */
#include "move/halo.h"
#include "support/harness.h"

enum { MAX_OFFSETS = 40 };

typedef struct problem {
    int ndim;
    int64_t shape[3];
    tsr_layout_options layout;
    tsr_boundary_kind wall[3]; /* edge or leave, where an axis is not periodic */
    int count;
    int64_t offset[MAX_OFFSETS][3];
} problem;

/* ---- random problems ------------------------------------------------------------------------- */

static uint64_t random_state = 1;

static int64_t below(int64_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((random_state >> 33) % (uint64_t)n);
}

static problem random_problem(void)
{
    problem p = {.ndim = 1 + (int)below(3)};
    p.layout.allow_empty = true;
    p.layout.split = (tsr_axes)(1 + below((1 << p.ndim) - 1));
    for (int a = 0; a < p.ndim; ++a) {
        p.shape[a] = 1 + below(p.ndim == 3 ? 6 : 11);
        p.layout.halo_lo[a] = below(4);
        p.layout.halo_hi[a] = below(4);
        if (below(2) == 0) p.layout.periodic |= TSR_AXIS(a);
        p.wall[a] = below(2) == 0 ? TSR_EDGE : TSR_LEAVE;
    }
    p.count = 1 + (int)below(below(4) == 0 ? MAX_OFFSETS : 6);
    for (int k = 0; k < p.count; ++k)
        for (int a = 0; a < p.ndim; ++a)
            p.offset[k][a] =
                below(p.layout.halo_lo[a] + p.layout.halo_hi[a] + 1) - p.layout.halo_lo[a];
    return p;
}

/* ---- what is right --------------------------------------------------------------------------- */

/* How far a position is outside a block. */
static int64_t outside(int64_t at, int64_t extent)
{
    return at < 0 ? at : at >= extent ? at - extent + 1 : 0;
}

static bool is_reached(const problem *p, const tsr_view *v, const int64_t *at)
{
    for (int k = 0; k < p->count; ++k) {
        bool all = true;
        for (int a = 0; a < p->ndim; ++a) {
            const int64_t d = outside(at[a], v->extent[a]), o = p->offset[k][a];
            all = all && ((d <= 0 && o <= d) || (d >= 0 && o >= d));
        }
        if (all) return true;
    }
    return false;
}

/* Whether an update moves something to a position, and the value that it then has: that of a cell
 * is its global index, that of a halo cell -1. */
static bool is_moved(const problem *p, const tsr_view *v, const int64_t *at, double *value)
{
    bool moves = false, owned = true;
    double index = 0;

    for (int a = 0; a < p->ndim; ++a) {
        const int64_t n = p->shape[a];
        int64_t g = v->start[a] + at[a];
        const bool out = outside(at[a], v->extent[a]) != 0;
        const bool left =
            out && (g < 0 || g >= n) && !(p->layout.periodic >> a & 1u) && p->wall[a] == TSR_LEAVE;
        moves = moves || (out && !left);
        if (left) owned = false; /* from beyond the same wall, where nothing was written */
        if (p->layout.periodic >> a & 1u) g = (g % n + n) % n;
        if (g < 0) g = 0;
        if (g >= n) g = n - 1;
        index = index * (double)n + (double)g;
    }
    *value = owned ? index : -1;
    return moves && is_reached(p, v, at);
}

/* ---- every position of the storage ----------------------------------------------------------- */

static bool next_position(const tsr_view *v, int64_t *at)
{
    for (int a = v->ndim - 1; a >= 0; --a) {
        if (++at[a] < v->extent[a] + v->halo_hi[a]) return true;
        at[a] = -v->halo_lo[a];
    }
    return false;
}

static double *cell(const tsr_view *v, const int64_t *at)
{
    double *c = v->data;
    for (int a = 0; a < v->ndim; ++a)
        c += at[a] * v->stride[a];
    return c;
}

static bool is_owned(const tsr_view *v, const int64_t *at)
{
    for (int a = 0; a < v->ndim; ++a)
        if (outside(at[a], v->extent[a]) != 0) return false;
    return true;
}

static void fill(const problem *p, const tsr_view *v, int64_t *at)
{
    do {
        double index = 0;
        for (int a = 0; a < p->ndim; ++a)
            index = index * (double)p->shape[a] + (double)(v->start[a] + at[a]);
        *cell(v, at) = is_owned(v, at) ? index : -1;
    } while (next_position(v, at));
}

/* ---- the test -------------------------------------------------------------------------------- */

static int64_t cells_of(const tsri_pieces *pieces)
{
    int64_t cells = 0;
    for (int k = 0; k < pieces->count; ++k)
        cells += pieces->item[k].cells;
    return cells;
}

/* Cells that the plan of a reach brings to this rank. */
static int64_t planned_cells(tsr_array *array, const tsri_halo_request *request)
{
    tsri_halo_key key;
    tsri_plan *plan = NULL;

    CHECK_OK(tsri_halo_key_make(__func__, array, request, 0, &key));
    CHECK_OK(tsri_halo_plan_create(&array->layout->geometry, array->layout->rank, &key, &plan));
    const int64_t cells = cells_of(&plan->receive) + cells_of(&plan->copy);
    tsri_plan_unref(plan);
    return cells;
}

/* The cells that one exchange moves to this rank; every position has what it must have then. */
static int64_t check_positions(const problem *p, const tsr_view *v, int64_t *at, int number)
{
    int64_t moved = 0;

    do {
        double value = 0;
        const bool comes = is_moved(p, v, at, &value);
        moved += comes;
        if (!comes && !is_owned(v, at)) value = -1;
        if (*cell(v, at) != value)
            tsrt_fail(__FILE__, __LINE__, "problem %d: %g at %lld %lld %lld, not %g", number,
                      *cell(v, at), (long long)at[0], (long long)at[1], (long long)at[2], value);
    } while (next_position(v, at));
    return moved;
}

static int64_t check(const problem *p, int number)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    tsr_pending *pending = NULL;
    tsri_reach reach = tsri_reach_none(p->ndim);
    const tsri_halo_request request = {.direction = TSRI_UPDATE, .reach = &reach};
    int64_t at[3] = {0}, moved = 0;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, p->ndim, p->shape, &p->layout, &layout));
    CHECK_OK(tsr_empty(layout, TSR_F64, &array));
    for (int a = 0; a < p->ndim; ++a)
        CHECK_OK(
            tsr_array_set_boundary(array, TSR_AXIS(a), TSR_BOTH_SIDES, p->wall[a], tsr_f64(0)));
    for (int k = 0; k < p->count; ++k)
        tsri_reach_add(&reach, p->offset[k]);
    const tsr_view v = tsr_local(array);
    for (int a = 0; a < p->ndim; ++a)
        at[a] = -v.halo_lo[a];
    if (v.data != NULL) fill(p, &v, at);
    tsrt_barrier();
    CHECK_OK(tsri_halo_start(__func__, 1, &array, &request, &pending));
    CHECK_OK(tsr_halo_finish(&pending));
    if (v.data != NULL) moved = check_positions(p, &v, at, number);
    CHECK_INT(planned_cells(array, &request), moved);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return moved;
}

static void random_offsets(void **state)
{
    (void)state;
    const int problems = getenv("TSRT_LONG") != NULL ? 20000 : 150;
    for (int number = 0; number < problems; ++number) {
        const problem p = random_problem();
        (void)check(&p, number);
    }
}

/* A square of 12 x 12 cells on one rank, periodic: what shapes move, by hand. */
static void shapes_by_hand(void **state)
{
    (void)state;
    static const struct {
        int count;
        int64_t offset[8][2];
        int64_t cells;
    } shapes[] = {
        {1, {{0, 0}}, 0},
        {1, {{-1, 0}}, 12},
        {4, {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, 48},
        {2, {{-2, 0}, {-1, 0}}, 24},
        {1, {{-1, -1}}, 25},
        {2, {{-1, 1}, {1, -1}}, 50},
        {4, {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, 52},
        {2, {{-2, -1}, {-1, -2}}, 24 + 24 + 3},
        {3, {{-2, 0}, {0, 2}, {-1, 1}}, 24 + 24 + 1},
        {2, {{-2, 2}, {-1, 1}}, 24 + 24 + 4},
    };
    if (tsrt_size() > 1) tsrt_skip("the cells are counted for one rank");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        problem p = {.ndim = 2,
                     .shape = {12, 12},
                     .layout = {.halo = {2, 2}, .periodic = TSR_AXES(0, 1)},
                     .wall = {TSR_LEAVE, TSR_LEAVE, TSR_LEAVE},
                     .count = shapes[s].count};
        for (int k = 0; k < p.count; ++k)
            memcpy(p.offset[k], shapes[s].offset[k], sizeof shapes[s].offset[k]);
        CHECK_INT(check(&p, (int)s), shapes[s].cells);
    }
}

/* More offsets than can be listed, and longer ones: everything within the widths. */
static void offsets_without_number(void **state)
{
    (void)state;
    tsri_reach reach = tsri_reach_none(2), other = tsri_reach_none(2);

    for (int64_t k = 1; k < 200; ++k)
        tsri_reach_add(&reach, (const int64_t[]){k, k - 200});
    CHECK(reach.unlisted && tsri_reach_is_box(&reach) && !tsri_reach_is_star(&reach));
    CHECK_INT(reach.hi[0], 199);
    CHECK_INT(reach.lo[1], 199);
    CHECK_INT(reach.offsets.count, 0);
    tsri_reach_add(&other, (const int64_t[]){-3, 0});
    CHECK(tsri_reach_is_star(&other));
    tsri_reach_unite(&other, &reach);
    CHECK(other.unlisted && other.lo[0] == 3 && other.lo[1] == 199);
    other = tsri_reach_none(2);
    tsri_reach_add(&other, (const int64_t[]){0, INT64_C(1) << 40});
    CHECK(other.unlisted && other.hi[1] == INT64_C(1) << 40);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_offsets),
                                       cmocka_unit_test(shapes_by_hand),
                                       cmocka_unit_test(offsets_without_number)};
    return TSRT_RUN(argc, argv, tests);
}
