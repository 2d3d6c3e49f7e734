/* Shares: what a rank knows of the result of a reduction along axes.  For each cell of its part of
 * the result a few numbers, each kind in a plane of its own, cells side by side. */
#ifndef TSRI_REDUCE_SHARES_H
#define TSRI_REDUCE_SHARES_H

#include "array/array.h"

typedef enum tsri_share_kind {
    TSRI_SHARE_TOTAL,   /* one plane: elements combined by an operation */
    TSRI_SHARE_MOMENTS, /* number (i64), mean (f64 or c128), sum of squared distances from it (f64)
                         */
    TSRI_SHARE_POSITION /* key (kern/reducers.h) and index along the axis, both i64 */
} tsri_share_kind;

enum { TSRI_MOST_PLANES = 3 };
typedef struct tsri_share_type {
    tsri_share_kind kind;
    tsr_op op; /* of totals */
    int planes;
    tsr_dtype dtype[TSRI_MOST_PLANES];
} tsri_share_type;

typedef struct tsri_shares {
    tsri_share_type type;
    int64_t cells;
    void *plane[TSRI_MOST_PLANES];
    bool borrowed; /* the first plane is somebody else's */
} tsri_shares;

tsri_share_type tsri_share_total(tsr_op op, tsr_dtype dtype);
tsri_share_type tsri_share_moments(tsr_dtype mean_dtype);
tsri_share_type tsri_share_position(void);

/* Shares of no element at all, the first plane at `first` unless that is NULL.  tsri_shares_free()
 * takes zeroed ones. */
tsr_status tsri_shares_make(const tsri_share_type *type, int64_t cells, void *first,
                            tsri_shares *shares);
void tsri_shares_free(tsri_shares *shares);
/* A plane from a cell on. */
void *tsri_shares_at(const tsri_shares *shares, int plane, int64_t cell);
/* The bytes of one cell, all planes. */
size_t tsri_share_bytes(const tsri_share_type *type);
/* left[i] = left[i] op right[i] for n cells, given by their planes. */
void tsri_shares_combine(const tsri_share_type *type, int64_t n, void *const *left,
                         void *const *right);

#endif
