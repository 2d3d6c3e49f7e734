/* The floor: each rank copies as many bytes, in the same places, inside its own block. */
#include "halo.h"

#include <stdlib.h>
#include <string.h>

void halo_copy_within(const halo_problem *p, double *block, halo_box to, halo_box from)
{
    const ptrdiff_t row = p->padded, plane = row * row;
    halo_copy(halo_cell(p, block, to.lo), plane, row, halo_cell(p, block, from.lo), plane, row,
              to.extent);
}

void halo_pack(const halo_problem *p, double *buffer, double *block, halo_box from)
{
    const ptrdiff_t row = p->padded, plane = row * row, buffer_row = from.extent[2];
    halo_copy(buffer, from.extent[1] * buffer_row, buffer_row, halo_cell(p, block, from.lo), plane,
              row, from.extent);
}

void halo_unpack(const halo_problem *p, double *block, halo_box to, const double *buffer)
{
    const ptrdiff_t row = p->padded, plane = row * row, buffer_row = to.extent[2];
    halo_copy(halo_cell(p, block, to.lo), plane, row, buffer, to.extent[1] * buffer_row, buffer_row,
              to.extent);
}

halo_box halo_axis_box(const halo_problem *p, int axis, halo_part part)
{
    const int n = p->n, w = p->width, from[] = {w, n, 0, n + w};
    halo_box box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = k < axis ? 0 : w;
        box.extent[k] = k < axis ? p->padded : n;
    }
    box.lo[axis] = from[part];
    box.extent[axis] = w;
    return box;
}

void halo_wrap_axis(const halo_problem *p, double *block, int axis)
{
    halo_copy_within(p, block, halo_axis_box(p, axis, HALO_FILL_LOW),
                     halo_axis_box(p, axis, HALO_SEND_HIGH));
    halo_copy_within(p, block, halo_axis_box(p, axis, HALO_FILL_HIGH),
                     halo_axis_box(p, axis, HALO_SEND_LOW));
}

typedef struct {
    const halo_problem *problem;
    double *block;
} floor_state;

static void by_axis(void *state)
{
    const floor_state *s = state;
    for (int axis = 0; axis < 3; ++axis)
        halo_wrap_axis(s->problem, s->block, axis);
}

/* Where index i of a padded axis has its image. */
static int image(const halo_problem *p, int i)
{
    return i < p->width ? i + p->n : i < p->n + p->width ? i : i - p->n;
}

/* One pass over the rows: both ends of a row together, so that each cache line comes once. */
static inline void one_pass(const halo_problem *p, double *block, const int w)
{
    const ptrdiff_t n = p->n, padded = p->padded;
    for (int i = 0; i < padded; ++i)
        for (int j = 0; j < padded; ++j) {
            const ptrdiff_t from_row = (image(p, i) * padded + image(p, j)) * padded;
            double *row = block + (i * padded + j) * padded;
            const double *from = block + from_row;
            if (row != from) memcpy(row + w, from + w, (size_t)n * sizeof *row);
            for (int k = 0; k < w; ++k) {
                row[k] = from[n + k];
                row[n + w + k] = from[w + k];
            }
        }
}

static void by_row(void *state)
{
    const floor_state *s = state;
    switch (s->problem->width) { /* a width the compiler knows is copied without a loop */
    case 1:
        one_pass(s->problem, s->block, 1);
        break;
    case 2:
        one_pass(s->problem, s->block, 2);
        break;
    default:
        one_pass(s->problem, s->block, s->problem->width);
    }
}

static void release(void *state)
{
    floor_state *s = state;
    free(s->block);
    free(s);
}

int halo_floor(const halo_problem *problem, halo_way *ways)
{
    const size_t padded = (size_t)problem->padded;
    floor_state *s = bench_alloc(sizeof *s);
    s->problem = problem;
    s->block = bench_alloc(padded * padded * padded * sizeof *s->block);
    ways[0] = (halo_way){"floor_by_axis", BENCH_FLOOR, problem, s->block, s, by_axis, release};
    ways[1] = (halo_way){"floor_by_row", BENCH_FLOOR, problem, s->block, s, by_row, NULL};
    return 2;
}
