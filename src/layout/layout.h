/* The layout object: a geometry, this rank's place in it, and a context to communicate over. */
#ifndef TSRI_LAYOUT_LAYOUT_H
#define TSRI_LAYOUT_LAYOUT_H

#include "base/context.h"
#include "layout/geometry.h"

#include <stdatomic.h>

struct tsr_layout {
    atomic_int refs;
    tsri_context *context;
    int rank, size;
    tsri_geometry geometry;
    tsri_live live;
    /* Plans made for this layout, kept here by src/move, and how to free them. */
    void *plans;
    void (*plans_free)(void *plans);
    /* And programs of expressions, kept by src/expr. */
    void *programs;
    void (*programs_free)(void *programs);
};

/* What the calls that create a layout are made of; `call` is the public one.
 *
 * Local: a layout of these arguments, without a context yet, to be given to tsri_layout_finish() or
 * freed (which takes NULL), and the fingerprint of arguments that must be the same on all ranks. */
tsr_status tsri_layout_make(const char *call, tsri_context *context, int ndim, const int64_t *shape,
                            const tsr_layout_options *options, tsr_layout **layout);
void tsri_layout_free(tsr_layout *layout);
uint64_t tsri_layout_fingerprint(const char *call, const tsr_layout *layout,
                                 const tsr_layout_options *options);
/* Collective: agree on how this rank's work ended, place the ranks by node if the options ask for
 * it, and hand the layout out.  On failure `made` is freed. */
tsr_status tsri_layout_finish(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                              const tsr_layout_options *options, tsr_layout *made,
                              tsr_layout **layout);
/* tsr_layout_create() as a part of another public call, which texts then name. */
tsr_status tsri_layout_create(const char *call, tsr_comm comm, int ndim, const int64_t *shape,
                              const tsr_layout_options *options, tsr_layout **layout);
/* The options that make a layout of this geometry again; they borrow its cuts. */
tsr_layout_options tsri_layout_options_of(const tsri_geometry *geometry);
/* What NULL stands for. */
extern const tsr_layout_options tsri_layout_defaults;

tsr_layout *tsri_layout_ref(tsr_layout *layout);
void tsri_layout_unref(tsr_layout *layout);

/* Continue the fingerprint of a call: the layout and its communicator; takes NULL. */
uint64_t tsri_hash_layout(uint64_t hash, const tsr_layout *layout);
/* Whether each rank has all cells to itself, so that no call depends on another rank. */
bool tsri_layout_is_local(const tsr_layout *layout);

/* Whether a cell's index, negative entries counting from the end, is inside; for a public call. */
tsr_status tsri_layout_check_index(const char *call, const tsr_layout *layout,
                                   const int64_t *index);

/* Normalise an axis number that may be negative; false when out of range. */
bool tsri_axis_normalise(int ndim, int *axis);
/* The bits of a set of axes for ndim axes (TSR_ALL_AXES becomes all of them); false for a bit
 * beyond. */
bool tsri_axes_normalise(int ndim, tsr_axes *axes);

/* The same for an argument `name` of a public call about an `owner`, "array" or "layout"; when it
 * is wrong, a failure with this code. */
tsr_status tsri_axis_check(const char *call, tsr_status code, const char *owner, int ndim,
                           int *axis);
tsr_status tsri_axes_check(const char *call, tsr_status code, const char *name, const char *owner,
                           int ndim, tsr_axes *axes);
/* How many axes there are and which, "2 axes: 0 and 1"; and the axes of a set, "axes 0, 2". */
enum { TSRI_AXES_WORDS = 96 };
const char *tsri_axes_words(int ndim, char words[TSRI_AXES_WORDS]);
const char *tsri_axes_list(tsr_axes axes, char words[TSRI_AXES_WORDS]);

#endif
