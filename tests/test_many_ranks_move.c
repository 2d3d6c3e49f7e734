/* ranks: 1 */
/* variants: none */
/* What a rank of 10^3 to 10^6 does on its own before cells or rows move: selections, values,
 * lists, masks, gathered parts, padding and migration take the same pieces, peers and allocations
 * at any number of ranks whose blocks are the same.  Nothing is sent. */
#include "base/comm.h"
#include "kern/kern.h"
#include "move/listing.h"
#include "move/masking.h"
#include "move/outbox.h"
#include "move/part.h"
#include "move/row_groups.h"
#include "move/selection.h"
#include "support/cube.h"
#include "support/layout_cases.h"

#include <stdio.h>

static const char call[] = "test";

/* ---- slices ---------------------------------------------------------------------------------- */

static const char *const slices[] = {"1", "1, 1::2, ::-1, 2:-1", ":, ::-2, ::2, ::-1", "0, 1:-1"};
enum { SLICES = 4 };

static void read_slices(const cube *c, const char *text, tsri_selection *s)
{
    CHECK_OK(tsri_selection_make(call, tsri_entries_text(text), 4, c->layout->geometry.shape, s));
}

static cube_cost select_slices(cube *c, int kind)
{
    const int64_t before = cube_allocations();
    tsri_selection s;
    tsr_layout *part = NULL;
    tsri_plan *plan = NULL;
    read_slices(c, slices[kind], &s);
    CHECK_OK(tsri_selection_layout(call, &c->array, &s, &part));
    CHECK(!part->geometry.whole);
    const tsr_array to = cube_view(part);
    CHECK_OK(tsri_plan_select(&c->array, &s, tsri_blocks_of(&to), TSR_ALL_RANKS, &plan));
    const cube_cost found = cube_of_plan(plan, before);
    tsri_layout_free(part);
    return found;
}

/* The box around the rank's block goes to that rank, from 27, or to its neighbour. */
static cube_cost gather_box(cube *c, int kind)
{
    char text[160];
    const long long lo = c->middle - 2, hi = c->middle + CUBE_BLOCK + 1;
    snprintf(text, sizeof text, "1, %lld:%lld, %lld:%lld, %lld:%lld", lo, hi, lo, hi, lo, hi);
    const int64_t before = cube_allocations();
    tsri_selection s;
    tsri_plan *plan = NULL;
    int64_t stride[TSR_MAX_NDIM];
    read_slices(c, text, &s);
    tsri_geometry whole = {.ndim = s.kept, .size = c->ranks, .whole = true};
    for (int k = 0; k < s.kept; ++k) {
        whole.shape[k] = s.shape[k];
        whole.grid[k] = 1;
    }
    tsri_c_strides(s.kept, s.shape, stride);
    CHECK_OK(tsri_plan_select(&c->array, &s, (tsri_blocks){&whole, stride}, c->rank + kind, &plan));
    CHECK_INT(plan->receive.npeers, kind == 0 ? 26 : 0);
    return cube_of_plan(plan, before);
}

/* Values: of the selection's shape, of one axis that repeats along the others, and single cells;
 * the first ranks have them where there are few. */
static cube_cost assign_slices(cube *c, int kind)
{
    static const tsr_layout_options few = {.split = TSR_AXIS(0), .allow_empty = true};
    const int repeats = kind / SLICES;
    tsri_selection s;
    tsr_layout *value = NULL;
    tsri_plan *plan = NULL;
    const int64_t before = cube_allocations();
    read_slices(c, slices[kind % SLICES], &s);
    if (repeats == 0)
        CHECK_OK(tsri_selection_layout(call, &c->array, &s, &value));
    else
        CHECK_OK(tsri_layout_make(
            call, c->context, 1, repeats == 1 ? &s.shape[s.kept - 1] : TSR_SHAPE(1), &few, &value));
    value->context = c->context;
    const tsr_array from = cube_view(value);
    CHECK_OK(tsri_plan_assign(&from, &s, &c->array, &plan));
    const cube_cost found = cube_of_plan(plan, before);
    tsri_layout_free(value);
    return found;
}

/* ---- lists ----------------------------------------------------------------------------------- */

enum { LISTED = 7 };

/* Slabs of the axis that is not split, cells around the rank's block, or places of its rows. */
typedef enum listed { SLABS, POINTS, PLACES, FORMS } listed;

static void make_list(const cube *c, listed form, int64_t *index, tsri_listing *l)
{
    for (int k = 0; k < LISTED; ++k) {
        int64_t *cell = &index[form == POINTS ? 4 * k : k];
        cell[0] = form == PLACES ? c->middle + 2 * k % CUBE_BLOCK : k % 3 == 0 ? -1 : 0;
        for (int a = 1; form == POINTS && a < 4; ++a)
            cell[a] = c->middle + (k * a) % (CUBE_BLOCK + 2) - 1;
    }
    const tsri_list list = {
        .points = form == POINTS, .axis = form == PLACES ? 3 : 0, .count = LISTED, .index = index};
    CHECK_OK(tsri_listing_make(call, &c->array, &list, l));
}

static cube_cost move_listed(cube *c, int kind)
{
    const bool out = kind % 2 != 0;
    const listed form = (listed)(kind / 2);
    const tsr_layout_options few = {.split = TSR_AXIS(0), .allow_empty = true};
    const tsr_layout_options slabs = {.split = cube_axes};
    int64_t index[4 * LISTED];
    tsri_listing l;
    tsri_picks of_array = {0}, of_part = {0};
    tsr_layout *layout = NULL;
    const int64_t before = cube_allocations();
    make_list(c, form, index, &l);
    CHECK_OK(tsri_layout_make(call, c->context, l.ndim, l.shape, form == SLABS ? &slabs : &few,
                              &layout));
    layout->context = c->context;
    const tsr_array part = cube_view(layout);
    CHECK_OK(tsri_listing_picks(&l, &part, out, &of_array, &of_part));
    if (form == PLACES)
        CHECK_INT(of_array.count, 2 * CUBE_BLOCK * CUBE_BLOCK); /* one a row, whatever is listed */
    const cube_cost found = cube_of_picks(&of_array, &of_part, before);
    tsri_picks_free(&of_array);
    tsri_picks_free(&of_part);
    tsri_listing_clear(&l);
    tsri_layout_free(layout);
    return found;
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Every other cell along the last axis is true: the places of a line follow from where it is. */
static cube_cost list_masked(cube *c, int kind)
{
    bool cells[2 * CUBE_BLOCK * CUBE_BLOCK * CUBE_BLOCK];
    tsri_masking m = {0};
    tsri_picks of_array = {0}, places = {0};
    tsr_layout *layout = NULL;
    tsr_array mask = c->array;
    const int64_t before = cube_allocations(), n = c->n, total = n * n * n;

    for (size_t k = 0; k < sizeof cells; ++k)
        cells[k] = k % 2 == 0;
    c->storage.memory = cells;
    mask.storage = &c->storage;
    mask.dtype = TSR_BOOL;
    CHECK_OK(tsri_masking_make(call, &c->array, &mask, &m));
    m.total = total;
    m.lines = (int64_t)2 * CUBE_BLOCK * CUBE_BLOCK;
    m.place = tsri_alloc((size_t)m.lines, sizeof *m.place);
    for (int64_t line = 0; line < m.lines; ++line) {
        const int64_t i = line / (CUBE_BLOCK * CUBE_BLOCK),
                      j = c->middle + line / CUBE_BLOCK % CUBE_BLOCK,
                      k = c->middle + line % CUBE_BLOCK;
        m.place[line] = (((i * n + j) * n + k) * n + c->middle) / 2;
    }
    CHECK_OK(tsri_part_layout(call, c->context, 1, &m.total, TSR_AXIS(0), &layout));
    CHECK(!layout->geometry.whole);
    layout->context = c->context;
    const tsr_array part = cube_view(layout);
    CHECK_OK(tsri_masking_list(&m, &part, kind == 0, &of_array, &places));
    const cube_cost found = cube_of_picks(&of_array, &places, before);
    tsri_picks_free(&of_array);
    tsri_picks_free(&places);
    tsri_masking_clear(&m);
    tsri_layout_free(layout);
    return found;
}

/* ---- padding --------------------------------------------------------------------------------- */

/* Half the cube on every side: a block of the result is two of the array's along each axis. */
static cube_cost pad(cube *c, int kind)
{
    static const tsri_wall walls[] = {TSRI_WALL_DROP, TSRI_WALL_EDGE, TSRI_WALL_SYMMETRIC,
                                      TSRI_WALL_REFLECT, TSRI_WALL_LEAVE};
    const int64_t before = cube_allocations(), wide = 2 * c->n;
    const tsr_layout_options options = {.split = cube_axes, .process_grid = {1, c->e, c->e, c->e}};
    tsr_layout *layout = NULL;
    tsri_plan_request request;
    tsri_plan *plan = NULL;

    CHECK_OK(
        tsri_layout_make(call, c->context, 4, TSR_SHAPE(2, wide, wide, wide), &options, &layout));
    layout->context = c->context;
    const tsr_array to = cube_view(layout);
    CHECK_OK(tsri_request_between(&c->array, &to, &request));
    tsri_plan_request_add_same(&request, 0, 0);
    for (int a = 1; a < 4; ++a) {
        tsri_plan_request_add(
            &request, a, a,
            (tsri_affine){.count = wide, .from = -c->n / 2, .from_step = 1, .to_step = 1});
        tsri_axis_map *map = &request.factor[a].map;
        map->from.periodic = walls[kind] == TSRI_WALL_LEAVE;
        map->wall[0] = map->wall[1] = walls[kind];
    }
    CHECK_OK(tsri_plan_create(&request, &plan));
    const cube_cost found = cube_of_plan(plan, before);
    tsri_layout_free(layout);
    return found;
}

/* ---- migration ------------------------------------------------------------------------------- */

/* Rows around the rank's block, in no order: for 27 ranks. */
static cube_cost migrate(cube *c, int kind)
{
    enum { ROWS = 2000 };
    static int64_t cells[ROWS][4];
    static int owner[ROWS];
    tsri_row_groups groups = {0};
    tsri_outbox box;
    uint64_t seed = 3;
    const int64_t before = cube_allocations();

    for (int k = 0; k < ROWS; ++k) {
        cells[k][0] = kind == TSR_WRAP ? -1 : 1;
        for (int a = 1; a < 4; ++a)
            cells[k][a] = c->middle - 1 + tsrt_random(&seed, CUBE_BLOCK + 2);
    }
    CHECK_OK(tsr_layout_owners(c->layout, ROWS, cells[0], (tsr_outside)kind, owner));
    CHECK_OK(tsri_row_groups_make(call, c->context, 0, ROWS, owner, &groups));
    CHECK_INT(groups.count, 27);
    CHECK_OK(tsri_outbox_open(c->context, NULL, 1, groups.count - 1, ROWS, &box));
    cube_cost found = {.pieces = groups.room, .sends = groups.count - 1};
    for (int k = 1; k < groups.count; ++k) {
        tsri_note note = {.rank = groups.group[k].rank, .number = groups.group[k].rows};
        tsri_outbox_add(&box, (size_t)note.number, &note);
        found.pieces += groups.group[k].runs;
        found.cells += note.number;
    }
    found.receives = (int64_t)box.end;
    tsri_outbox_close(&box);
    tsri_row_groups_clear(&groups);
    found.allocations = cube_allocations() - before;
    return found;
}

/* Columns of a grid of 2^15 x 2^15 ranks: every rank of one is found at once, which shows in the
 * time that this takes. */
static void ranks_far_apart_are_found_at_once(void **state)
{
    (void)state;
    enum { RANKS = 1 << 15, TIMES = 4 };
    static int owner[TIMES * RANKS];
    tsri_context *context = lone_context(0, RANKS * (RANKS - 1));
    for (int apart = 1; apart < RANKS; apart *= 2) {
        tsri_row_groups groups = {0};
        for (int k = 0; k < TIMES * RANKS; ++k)
            owner[k] = k % (RANKS - 1) * apart;
        CHECK_OK(tsri_row_groups_make(call, context, 0, (int64_t)TIMES * RANKS, owner, &groups));
        CHECK_INT(groups.count, RANKS - 1);
        tsri_row_groups_clear(&groups);
    }
    lone_context_free(context);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void selections_do_not_see_the_ranks(void **state)
{
    (void)state;
    cube_check_constant(select_slices, SLICES);
    cube_check_constant(gather_box, 2);
}

static void values_do_not_see_the_ranks(void **state)
{
    (void)state;
    cube_check_constant(assign_slices, 3 * SLICES);
}

static void lists_do_not_see_the_ranks(void **state)
{
    (void)state;
    cube_check_constant(move_listed, 2 * FORMS);
}

static void masks_do_not_see_the_ranks(void **state)
{
    (void)state;
    cube_check_constant(list_masked, 2);
}

static void padding_does_not_see_the_ranks(void **state)
{
    (void)state;
    cube_check_constant(pad, 5);
}

static void migration_does_not_see_the_ranks(void **state)
{
    (void)state;
    cube_check_constant(migrate, TSR_WRAP + 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_do_not_see_the_ranks),
        cmocka_unit_test(values_do_not_see_the_ranks),
        cmocka_unit_test(lists_do_not_see_the_ranks),
        cmocka_unit_test(masks_do_not_see_the_ranks),
        cmocka_unit_test(padding_does_not_see_the_ranks),
        cmocka_unit_test(migration_does_not_see_the_ranks),
        cmocka_unit_test(ranks_far_apart_are_found_at_once),
    };
    return TSRT_RUN(argc, argv, tests);
}
