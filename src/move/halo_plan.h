/* Halo plans: from a user's options and an array's boundaries to a plan. */
#ifndef TSRI_MOVE_HALO_PLAN_H
#define TSRI_MOVE_HALO_PLAN_H

#include "array/array.h"
#include "move/plan.h"

#include <tessera/move.h>

typedef enum { TSRI_UPDATE, TSRI_ACCUMULATE } tsri_direction;

/* What an exchange of arrays is asked for. */
typedef struct tsri_halo_request {
    tsri_direction direction;
    const tsr_halo_options *options; /* NULL: the defaults */
    const tsri_reach *reach; /* [arrays]: an update of what offsets reach; NULL: of what the options
                                say */
} tsri_halo_request;

/* Everything a halo plan depends on, beside the layout, in a normal form: two keys are equal when
 * their bytes are.  Widths are 0 on axes that take no part. */
typedef struct tsri_halo_key {
    tsri_direction direction;
    tsr_axes axes;
    int64_t width_lo[TSR_MAX_NDIM], width_hi[TSR_MAX_NDIM];
    unsigned char wall[TSR_MAX_NDIM][2]; /* tsri_wall */
    unsigned char faces_only;
    tsri_offsets offsets; /* only cells that these reach; none: all within the widths */
} tsri_halo_key;

/* Check a request against array `which` of it and bring it into normal form, for a public call.
 * Local. */
tsr_status tsri_halo_key_make(const char *call, const tsr_array *array,
                              const tsri_halo_request *request, int which, tsri_halo_key *key);
/* The boundary in force on one side of an axis. */
const tsr_boundary *tsri_halo_boundary(const tsr_array *array, const tsr_halo_options *options,
                                       int axis, int side);

/* Local; O(pieces). */
tsr_status tsri_halo_plan_create(const tsri_geometry *geometry, int rank, const tsri_halo_key *key,
                                 tsri_plan **plan);

/* The boxes of a rank's storage that are filled without a source: for an update, beyond walls that
 * have a value of their own, the highest axis winning; for an accumulation, all halo cells that
 * take part.  Disjoint; at most 2 * ndim.  Returns their number. */
enum { TSRI_MAX_FILLS = 2 * TSR_MAX_NDIM };
int tsri_halo_fills(const tsri_geometry *geometry, int rank, const tsri_halo_key *key,
                    tsri_fill *fills);

#endif
