/* Selections: what integers and slices pick of each axis, once they are checked against a shape. */
#ifndef TSRI_MOVE_SELECTION_H
#define TSRI_MOVE_SELECTION_H

#include "array/array.h"
#include "move/transfer.h"

#include <tessera/select.h>

typedef struct tsri_selection {
    int ndim; /* of the array */
    /* Along each axis of the array: indices start, start + step, ...; step is not 0. */
    int64_t start[TSR_MAX_NDIM], step[TSR_MAX_NDIM], count[TSR_MAX_NDIM];
    int to[TSR_MAX_NDIM]; /* the axis of the result; TSRI_NO_AXIS: an integer picks one index */
    int kept;             /* axes of the result, their lengths, and the array's axes they are */
    int64_t shape[TSR_MAX_NDIM];
    int of[TSR_MAX_NDIM];
} tsri_selection;

/* The entries of a selection as the user gave them: as a text, or one by one. */
typedef struct tsri_entries {
    bool is_text;
    const char *text;
    int count;
    const tsr_index *index;
} tsri_entries;
static inline tsri_entries tsri_entries_text(const char *text)
{
    return (tsri_entries){.is_text = true, .text = text};
}
static inline tsri_entries tsri_entries_list(int count, const tsr_index *index)
{
    return (tsri_entries){.count = count, .index = index};
}

/* Check entries against a shape.  `call` is the public function.  Local. */
tsr_status tsri_selection_make(const char *call, tsri_entries entries, int ndim,
                               const int64_t *shape, tsri_selection *selection);
/* Read a text: its entries, the column where each begins, and how many there are; of more than any
 * array takes the first ones. */
enum { TSRI_MAX_ENTRIES = TSR_MAX_NDIM + 2 };
tsr_status tsri_selection_read(const char *call, const char *text,
                               tsr_index index[TSRI_MAX_ENTRIES], int column[TSRI_MAX_ENTRIES],
                               int *count);
/* Continue the fingerprint of a call. */
uint64_t tsri_selection_hash(uint64_t hash, const tsri_selection *selection);

/* The layout of the selected part of an array, to be handed to tsri_part_create(): cut along the
 * axes that the array is split along, or, when that cannot be, whole.  Local. */
tsr_status tsri_selection_layout(const char *call, const tsr_array *array,
                                 const tsri_selection *selection, tsr_layout **layout);

/* The plan that fills the blocks of `part`, a layout of the result, from the selected cells of the
 * array; `root` as for tsri_plan_blocks().  Local. */
tsr_status tsri_plan_select(const tsr_array *array, const tsri_selection *selection,
                            tsri_blocks part, int root, tsri_plan **plan);
/* The plan that fills the selected cells from an array that broadcasts to the selection; messages
 * go by the array's numbers.  Local. */
tsr_status tsri_plan_assign(const tsr_array *value, const tsri_selection *selection,
                            const tsr_array *array, tsri_plan **plan);

#endif
