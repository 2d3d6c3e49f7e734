/* The halo update of a 3-D block of doubles per rank: n^3 cells and `width` halo cells on every
 * side, periodic, corners included, last axis fastest.  Every way to do it fills the halo cells of
 * a padded block of its own. */
#ifndef BENCH_HALO_H
#define BENCH_HALO_H

#include "../common.h"

typedef struct halo_problem {
    int n, width, padded; /* padded = n + 2 width */
    int grid[3], coords[3], rank;
    int owner[3][3][3]; /* the rank whose cells are seen in direction (d0 - 1, d1 - 1, d2 - 1) */
} halo_problem;

typedef struct halo_way {
    const char *name;
    bench_role role;
    const halo_problem *problem;
    double *block;             /* padded^3 cells; the owned ones are the input */
    void *state;               /* what run works on */
    void (*run)(void *state);  /* one update */
    void (*free)(void *state); /* NULL: nothing to free */
} halo_way;

/* Each appends its ways to do it, and returns how many: at most HALO_WAYS in all.  Those of
 * libraries that were not there at compile time append none. */
enum { HALO_WAYS = 16 };
int halo_tessera(const halo_problem *problem, halo_way *ways);
int halo_floor(const halo_problem *problem, halo_way *ways);
int halo_hand(const halo_problem *problem, halo_way *ways);
int halo_petsc(const halo_problem *problem, halo_way *ways);
int halo_global_arrays(const halo_problem *problem, halo_way *ways);
/* End the other libraries, before MPI ends. */
void halo_petsc_end(void);
void halo_global_arrays_end(void);

/* ---- copies inside a padded block ------------------------------------------------------------ */

typedef struct halo_box {
    int lo[3], extent[3]; /* counted from the block's first halo cell */
} halo_box;

static inline int halo_box_cells(halo_box box)
{
    return box.extent[0] * box.extent[1] * box.extent[2];
}

/* Copy cells between two places with their own strides; the last axis is contiguous in both. */
static inline void halo_copy(double *restrict dst, ptrdiff_t dst_plane, ptrdiff_t dst_row,
                             const double *restrict src, ptrdiff_t src_plane, ptrdiff_t src_row,
                             const int *extent)
{
    for (int i = 0; i < extent[0]; ++i)
        for (int j = 0; j < extent[1]; ++j) {
            double *to = dst + i * dst_plane + j * dst_row;
            const double *from = src + i * src_plane + j * src_row;
            switch (extent[2]) { /* a call for one or two cells costs more than the cells */
            case 2:
                to[1] = from[1]; /* fall through */
            case 1:
                to[0] = from[0];
                break;
            default:
                __builtin_memcpy(to, from, (size_t)extent[2] * sizeof *to);
            }
        }
}

static inline double *halo_cell(const halo_problem *p, double *block, const int *lo)
{
    return block + ((ptrdiff_t)lo[0] * p->padded + lo[1]) * p->padded + lo[2];
}

/* Cells of a box from one place of the same block to another. */
void halo_copy_within(const halo_problem *p, double *block, halo_box to, halo_box from);
void halo_pack(const halo_problem *p, double *buffer, double *block, halo_box from);
void halo_unpack(const halo_problem *p, double *block, halo_box to, const double *buffer);

/* The boxes of an update that goes axis by axis, each over the full extent of the axes before it.
 */
typedef enum { HALO_SEND_LOW, HALO_SEND_HIGH, HALO_FILL_LOW, HALO_FILL_HIGH } halo_part;
halo_box halo_axis_box(const halo_problem *p, int axis, halo_part part);
/* Fill both halos of an axis from the block itself. */
void halo_wrap_axis(const halo_problem *p, double *block, int axis);

#endif
