/* The index map of one axis: which block holds the cell that a position of another block's storage
 * stands for.  A plan is the product of one map per axis.
 *
 * Positions are relative to the first owned cell of a block, so halo cells before it are negative.
 * Blocks are named by their coordinate in the process grid along the axis. */
#ifndef TSRI_MOVE_AXIS_MAP_H
#define TSRI_MOVE_AXIS_MAP_H

#include "layout/geometry.h"
#include "move/reach.h"

/* What lies beyond a wall.  TSRI_WALL_FILL stands for constants and callbacks, which have no
 * source; TSRI_WALL_DROP leaves the positions out altogether. */
typedef enum {
    TSRI_WALL_LEAVE,
    TSRI_WALL_FILL,
    TSRI_WALL_DROP,
    TSRI_WALL_EDGE,
    TSRI_WALL_SYMMETRIC,
    TSRI_WALL_REFLECT
} tsri_wall;

typedef enum {
    TSRI_MAP_AFFINE,  /* indices of `to`, from indices of `from`, both in equal steps */
    TSRI_MAP_HALO,    /* the owned positions and the halo, within the widths, from their owners */
    TSRI_MAP_STORAGE, /* every position of the storage, from itself: an axis that takes no part */
} tsri_map_kind;

/* For 0 <= k < count, index to + k*to_step stands for index from + k*from_step.  All are in range,
 * but that with steps of 1 `from` may go beyond its ends, where it is wrapped, mirrored or dropped
 * as in a halo.  to_step is not 0. */
typedef struct tsri_affine {
    int64_t count;
    int64_t from, from_step;
    int64_t to, to_step;
} tsri_affine;

typedef struct tsri_axis_map {
    tsri_map_kind kind;
    tsri_axis from, to;         /* an axis of each layout; the same one for all but affine maps */
    tsri_affine affine;         /* affine */
    int64_t width_lo, width_hi; /* halo: positions taking part on each side */
    tsri_wall wall[2];          /* at the low and the high end of `from`, when not periodic */
    /* halo: keep owned positions in a segment of their own, and halo positions that some of these
     * offsets reach (NULL: all do) apart from those that only others do */
    bool split;
    const tsri_offsets *offsets;
    int axis; /* of the offsets */
} tsri_axis_map;

/* Positions in equal steps with one source. */
typedef struct tsri_segment {
    int64_t to;   /* first position in the receiving block */
    int64_t from; /* the position there in the source block */
    int64_t count;
    int64_t to_step, from_step;
    int64_t image; /* receiving block relative to the source, unwrapped, in the source's frame */
    int source;    /* coordinates of the source block and of the receiving one */
    int receiver;
    int turn; /* place in a list when that is ordered by image; set by tsri_segments_number() */
    int64_t beyond; /* split: how far outside an offset must go to reach the positions, on the low
                       side negative; owned ones 0 */
    bool twice;     /* the same once more, this far on */
    int64_t to_jump, from_jump;
} tsri_segment;

typedef struct tsri_segments {
    tsri_segment *item;
    int count, room;
} tsri_segments;
void tsri_segments_free(tsri_segments *list);
/* Append a segment; one that goes on where the last one ends makes that longer. */
tsr_status tsri_segments_add(tsri_segments *list, tsri_segment segment);
tsr_status tsri_segments_number(tsri_segments *list);

/* Whether every position of a segment stands for itself. */
bool tsri_segment_stays(const tsri_segment *segment);
/* Append to `out` the segments that stay, or those that do not; or the places of all segments, or
 * of those that do not stay, as positions of the receiving block that stand for themselves. */
typedef enum { TSRI_STAYING, TSRI_MOVED, TSRI_PLACES, TSRI_MOVED_PLACES } tsri_part;
tsr_status tsri_segments_part(const tsri_segments *all, tsri_part part, tsri_segments *out);
/* Make one of two segments that differ by where they lie only, as both sides of a halo do.  The
 * sender's list and the receiver's, which have the same segments between them, get the same ones.
 */
void tsri_segments_pair(tsri_segments *list);

/* Append the segments of receiving block `block`: the low side, owned positions, the high side,
 * outward where a side is split; none for an empty block.  With a source other than TSRI_ANY_SOURCE
 * only those from that block. */
enum { TSRI_ANY_SOURCE = -1 };
tsr_status tsri_axis_map_segments(const tsri_axis_map *map, int block, int source,
                                  tsri_segments *list);

/* Ranges of receiving blocks, disjoint and ascending, that hold every block with a segment from
 * source block `block`: as many as lie within reach, never all of a long axis. */
enum { TSRI_MAX_RANGES = 6 };
typedef struct tsri_ranges {
    int count;
    int first[TSRI_MAX_RANGES], last[TSRI_MAX_RANGES];
} tsri_ranges;
void tsri_axis_map_receivers(const tsri_axis_map *map, int block, tsri_ranges *ranges);

#endif
