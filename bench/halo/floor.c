/* The floor: each rank copies as many bytes, in the same places, inside its own block. */
#include "halo.h"

#include <stdlib.h>

/* Rows and planes of bytes. */
static void copy_box(unsigned char *restrict to, ptrdiff_t to_plane, ptrdiff_t to_row,
                     const unsigned char *restrict from, ptrdiff_t from_plane, ptrdiff_t from_row,
                     const int *extent, size_t row_bytes)
{
    for (int i = 0; i < extent[0]; ++i)
        for (int j = 0; j < extent[1]; ++j)
            halo_copy_row(to + i * to_plane + j * to_row, from + i * from_plane + j * from_row,
                          row_bytes);
}

static ptrdiff_t row_of(const halo_problem *p)
{
    return (ptrdiff_t)p->padded[2] * p->size;
}

void halo_copy_within(const halo_problem *p, void *block, halo_box to, halo_box from)
{
    const ptrdiff_t row = row_of(p), plane = row * p->padded[1];
    copy_box(halo_cell(p, block, to.lo), plane, row, halo_cell(p, block, from.lo), plane, row,
             to.extent, (size_t)(to.extent[2] * p->size));
}

void halo_pack(const halo_problem *p, void *buffer, void *block, halo_box from)
{
    const ptrdiff_t row = row_of(p), packed = (ptrdiff_t)from.extent[2] * p->size;
    copy_box(buffer, from.extent[1] * packed, packed, halo_cell(p, block, from.lo),
             row * p->padded[1], row, from.extent, (size_t)packed);
}

void halo_unpack(const halo_problem *p, void *block, halo_box to, const void *buffer)
{
    const ptrdiff_t row = row_of(p), packed = (ptrdiff_t)to.extent[2] * p->size;
    copy_box(halo_cell(p, block, to.lo), row * p->padded[1], row, buffer, to.extent[1] * packed,
             packed, to.extent, (size_t)packed);
}

halo_box halo_axis_box(const halo_problem *p, int axis, halo_part part)
{
    const int n = p->n[axis], w = p->width[axis], from[] = {w, n, 0, n + w};
    halo_box box;
    for (int k = 0; k < HALO_AXES; ++k) {
        box.lo[k] = k < axis ? 0 : p->width[k];
        box.extent[k] = k < axis ? p->padded[k] : p->n[k];
    }
    box.lo[axis] = from[part];
    box.extent[axis] = w;
    return box;
}

void halo_wrap_axis(const halo_problem *p, void *block, int axis)
{
    halo_copy_within(p, block, halo_axis_box(p, axis, HALO_FILL_LOW),
                     halo_axis_box(p, axis, HALO_SEND_HIGH));
    halo_copy_within(p, block, halo_axis_box(p, axis, HALO_FILL_HIGH),
                     halo_axis_box(p, axis, HALO_SEND_LOW));
}

typedef struct {
    const halo_problem *problem;
    void *block;
} floor_state;

static void by_axis(void *state)
{
    const floor_state *s = state;
    for (int axis = HALO_AXES - s->problem->axes; axis < HALO_AXES; ++axis)
        halo_wrap_axis(s->problem, s->block, axis);
}

/* Where index i of a padded axis has its image. */
static int image(const halo_problem *p, int axis, int i)
{
    const int n = p->n[axis], w = p->width[axis];
    return i < w ? i + n : i < n + w ? i : i - n;
}

/* One pass over the rows: both ends of a row together, so that each cache line comes once. */
static inline void one_pass(const halo_problem *p, void *block, const size_t ends)
{
    const size_t inner = (size_t)(p->n[2] * p->size);
    for (int i = 0; i < p->padded[0]; ++i)
        for (int j = 0; j < p->padded[1]; ++j) {
            unsigned char *row = halo_cell(p, block, (int[]){i, j, 0});
            const unsigned char *from =
                halo_cell(p, block, (int[]){image(p, 0, i), image(p, 1, j), 0});
            if (row != from) memcpy(row + ends, from + ends, inner);
            memcpy(row, from + inner, ends);
            memcpy(row + inner + ends, from + ends, ends);
        }
}

static void by_row(void *state)
{
    const floor_state *s = state;
    const size_t ends = (size_t)(s->problem->width[2] * s->problem->size);
    switch (ends) { /* bytes that the compiler knows are copied without a call */
    case 4:
        one_pass(s->problem, s->block, 4);
        break;
    case 8:
        one_pass(s->problem, s->block, 8);
        break;
    case 12:
        one_pass(s->problem, s->block, 12);
        break;
    case 16:
        one_pass(s->problem, s->block, 16);
        break;
    case 24:
        one_pass(s->problem, s->block, 24);
        break;
    default:
        one_pass(s->problem, s->block, ends);
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
    floor_state *s = bench_alloc(sizeof *s);
    s->problem = problem;
    s->block = bench_alloc(halo_block_bytes(problem));
    ways[0] = (halo_way){"floor_by_axis", BENCH_FLOOR, problem, s->block, s, by_axis, release};
    ways[1] = (halo_way){"floor_by_row", BENCH_FLOOR, problem, s->block, s, by_row, NULL};
    return 2;
}
