#include "move/row_groups.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* ---- groups, found by rank ------------------------------------------------------------------- */

/* The place of a rank in the table, or the free one where it belongs.  `room` is a power of 2.
 * Ranks of one column of the process grid are equally far apart, often by a power of 2, too: 2^32
 * over the golden ratio spreads them over the table, as D. Knuth's multiplicative hashing does. */
static int *find(const tsri_row_groups *groups, int rank)
{
    const unsigned slots = 2 * (unsigned)groups->room, mask = slots - 1;
    const uint32_t spread = (uint32_t)rank * UINT32_C(2654435769);
    unsigned place = (unsigned)((uint64_t)spread * slots >> 32);
    while (groups->slot[place] != 0 && groups->group[groups->slot[place] - 1].rank != rank)
        place = (place + 1) & mask;
    return &groups->slot[place];
}

/* Room for twice as many groups; the table is never more than half full. */
static tsr_status grow(tsri_row_groups *groups)
{
    const int room = groups->room == 0 ? 16 : 2 * groups->room;
    tsri_row_group *group = NULL;
    int *slot = NULL;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(failed, group, room);
    TSRI_ALLOC(failed, slot, 2 * (int64_t)room);
    if (groups->count > 0) memcpy(group, groups->group, (size_t)groups->count * sizeof *group);
    tsri_free(groups->group);
    tsri_free(groups->slot);
    groups->group = group;
    groups->slot = slot;
    groups->room = room;
    for (int k = 0; k < groups->count; ++k)
        *find(groups, group[k].rank) = k + 1;
    return TSR_OK;
failed:
    tsri_free(group);
    return st;
}

static tsr_status group_of(tsri_row_groups *groups, int rank, int *number)
{
    tsr_status st = TSR_OK;
    int *slot = find(groups, rank);

    if (*slot == 0 && groups->count == groups->room) {
        TSRI_TRY(done, grow(groups));
        slot = find(groups, rank);
    }
    if (*slot == 0) {
        groups->group[groups->count] = (tsri_row_group){.rank = rank};
        *slot = ++groups->count;
    }
    *number = *slot - 1;
done:
    return st;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* The runs in the order of the rows, while they are grouped: run k is the rows start[k] ..
 * start[k + 1] - 1 and belongs to the group with number[k]. */
typedef struct listing {
    int64_t count;
    int64_t *start;
    int *number;
} listing;

/* Whether a row begins a run is as good as random: here and in list_starts() it is no branch. */
static int64_t count_runs(int64_t n, const int *owner)
{
    int64_t runs = n > 0;
    for (int64_t i = 1; i < n; ++i)
        runs += owner[i] != owner[i - 1];
    return runs;
}

static void list_starts(int64_t n, const int *owner, listing *l)
{
    int64_t next = n > 0;
    l->start[0] = 0;
    for (int64_t i = 1; i < n; ++i) {
        l->start[next] = i;
        next += owner[i] != owner[i - 1];
    }
    l->start[next] = n;
}

/* Find the groups and how many rows and runs each has. */
static tsr_status find_groups(const char *call, const int *owner, int size, const listing *l,
                              tsri_row_groups *groups)
{
    tsr_status st = TSR_OK;
    int number = 0;

    for (int64_t k = 0; k < l->count; ++k) {
        const int64_t first = l->start[k];
        const int rank = owner[first];
        TSRI_CHECK_IN(call, done, rank >= 0 && rank < size, TSR_ERR_VALUE,
                      "owner[%" PRId64 "] is %d, must be a rank, 0 to %d", first, rank, size - 1);
        if (groups->group[number].rank != rank) TSRI_TRY(done, group_of(groups, rank, &number));
        l->number[k] = number;
        groups->group[number].rows += l->start[k + 1] - first;
        groups->group[number].runs += 1;
    }
done:
    return st;
}

static void sort_runs(const listing *l, tsri_row_groups *groups, tsri_run *runs)
{
    for (int g = 0; g < groups->count; ++g) {
        groups->group[g].run = runs;
        runs += groups->group[g].runs;
        groups->group[g].runs = 0;
    }
    for (int64_t k = 0; k < l->count; ++k) {
        tsri_row_group *group = &groups->group[l->number[k]];
        group->run[group->runs++] =
            (tsri_run){.first = l->start[k], .count = l->start[k + 1] - l->start[k]};
    }
}

/* Room in the context's scratch `place`: for the runs, then for the listing. */
static tsr_status make_room(const char *call, tsri_context *context, int place, listing *l,
                            tsri_run **runs)
{
    tsr_status st = TSR_OK;
    const size_t count = (size_t)l->count;
    const size_t a_run = sizeof **runs + sizeof *l->start + sizeof *l->number;

    *runs = tsri_context_scratch(context, place, count * a_run + sizeof *l->start);
    TSRI_CHECK_IN(call, done, *runs != NULL, TSR_ERR_NOMEM,
                  "no memory for %" PRId64 " runs of neighbouring rows", l->count);
    l->start = (int64_t *)(*runs + count);
    l->number = (int *)(l->start + count + 1);
done:
    return st;
}

tsr_status tsri_row_groups_make(const char *call, tsri_context *context, int place, int64_t n,
                                const int *owner, tsri_row_groups *groups)
{
    listing l = {.count = count_runs(n, owner)};
    tsri_run *runs = NULL;
    int own = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, grow(groups));
    TSRI_TRY(done, group_of(groups, tsri_context_rank(context), &own));
    TSRI_TRY(done, make_room(call, context, place, &l, &runs));
    list_starts(n, owner, &l);
    TSRI_TRY(done, find_groups(call, owner, tsri_context_size(context), &l, groups));
    sort_runs(&l, groups, runs);
done:
    return st;
}

void tsri_row_groups_clear(tsri_row_groups *groups)
{
    tsri_free(groups->group);
    tsri_free(groups->slot);
    memset(groups, 0, sizeof *groups);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Most runs are short where rows are well mixed, and how long the next one is cannot be foreseen.
 * So at least this many rows are copied, where that does no harm: without a branch, which costs
 * more than the rows. */
enum { AT_ONCE = 4 };

/* Sizes of a row, in bytes, for which the copy of so many is a few moves. */
#define SMALL_ROWS(X) X(4) X(8) X(12) X(16) X(24) X(32) X(40) X(48)

/* Runs behind whose first row there are at least AT_ONCE rows of the group. */
static int64_t runs_with_rows_behind(const tsri_row_group *group)
{
    int64_t runs = group->runs, rows = 0;
    while (runs > 0 && rows < AT_ONCE)
        rows += group->run[--runs].count;
    return rows < AT_ONCE ? 0 : runs + 1;
}

/* Runs one after another, of which the first `wide` may be copied with rows that the next ones
 * write over; `bytes` is a constant where this is expanded. */
static inline unsigned char *copy_runs(unsigned char *to, const tsri_row_group *group,
                                       const unsigned char *rows, size_t bytes, int64_t wide)
{
    for (int64_t k = 0; k < group->runs; ++k) {
        const unsigned char *from = rows + (size_t)group->run[k].first * bytes;
        const size_t count = (size_t)group->run[k].count;
        const size_t once = k < wide ? AT_ONCE : 0;
        if (once > 0) memcpy(to, from, AT_ONCE * bytes);
        if (count > once) memcpy(to + once * bytes, from + once * bytes, (count - once) * bytes);
        to += count * bytes;
    }
    return to;
}

unsigned char *tsri_row_group_copy(unsigned char *to, const tsri_row_group *group,
                                   const unsigned char *rows, size_t bytes)
{
    const int64_t wide = runs_with_rows_behind(group);
    switch (bytes) {
#define COPY(size)                                                                                 \
    case size:                                                                                     \
        return copy_runs(to, group, rows, size, wide);
        SMALL_ROWS(COPY)
#undef COPY
    default:
        return copy_runs(to, group, rows, bytes, 0);
    }
}

/* Move a run to row `first`, up or down, of an array in which the rows between its old place and
 * its new one are free.  When it goes far enough, AT_ONCE rows that begin with it (down) or end
 * with it (up) are copied, of which the others land on free rows that are written later. */
static inline void move_run(const tsri_run *run, unsigned char *rows, size_t bytes, int64_t first,
                            bool wide)
{
    const int64_t distance = first - run->first;
    unsigned char *to = rows + (size_t)first * bytes, *from = rows + (size_t)run->first * bytes;
    const size_t length = (size_t)run->count * bytes, once = AT_ONCE * bytes;

    if (distance == 0) return;
    if (wide && distance <= -AT_ONCE) {
        memcpy(to, from, once);
        if (length > once) memmove(to + once, from + once, length - once);
    } else if (wide && distance >= AT_ONCE) {
        if (length > once) memmove(to, from, length);
        if (length <= once) memcpy(to + length - once, from + length - once, once);
    } else {
        memmove(to, from, length);
    }
}

/* Runs that move up, the first `up` ones, last to first; the others first to last. */
static inline void move_runs(const tsri_row_group *group, unsigned char *rows, size_t bytes,
                             int64_t first, int64_t up, int64_t wide)
{
    int64_t to = first;
    for (int64_t k = 0; k < up; ++k)
        to += group->run[k].count;
    int64_t down = to;
    for (int64_t k = up - 1; k >= 0; --k) {
        const tsri_run *run = &group->run[k];
        to -= run->count;
        move_run(run, rows, bytes, to, wide > 0 && run->first + run->count >= AT_ONCE);
    }
    for (int64_t k = up; k < group->runs; ++k) {
        move_run(&group->run[k], rows, bytes, down, k < wide);
        down += group->run[k].count;
    }
}

/* Rows never move farther down than the rows before them: those that move up are the first ones.
 * No run is written over one that has not moved yet. */
void tsri_row_group_move(const tsri_row_group *group, unsigned char *rows, size_t bytes,
                         int64_t first)
{
    const int64_t wide = runs_with_rows_behind(group);
    int64_t up = 0;

    for (int64_t to = first; up < group->runs && group->run[up].first < to; ++up)
        to += group->run[up].count;
    switch (bytes) {
#define MOVE(size)                                                                                 \
    case size:                                                                                     \
        move_runs(group, rows, size, first, up, wide);                                             \
        break;
        SMALL_ROWS(MOVE)
#undef MOVE
    default:
        move_runs(group, rows, bytes, first, up, 0);
    }
}
