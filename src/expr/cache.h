/* Programs that were made before, kept with a layout.
 *
 * Keys are data that every rank shares, so all ranks find, make and drop the same entries at the
 * same call. */
#ifndef TSRI_EXPR_CACHE_H
#define TSRI_EXPR_CACHE_H

#include "expr/program.h"

/* Everything a program depends on, beside the layout. */
typedef struct tsri_eval_request {
    const char *call, *text;
    const tsri_tree *tree; /* of the text, NULL: not read yet */
    const tsr_arg *mask;   /* NULL: none */
    int count;
    const tsr_arg *args;
    tsr_dtype output;      /* TSR_AUTO: that of the expression */
    const tsr_array *into; /* the array that is written, NULL: none that exists */
} tsri_eval_request;

tsri_setting tsri_setting_of(const tsri_eval_request *request, const tsr_array *like);

typedef struct tsri_entry tsri_entry;

/* A program for a request over arrays of a layout: one of those kept, or a fresh one, which is to
 * be kept or dropped once the ranks have agreed.  `like` is an array of the layout.  Local. */
tsr_status tsri_program_of(const tsri_eval_request *request, const tsr_array *like,
                           tsri_entry **entry);
tsri_program *tsri_entry_program(const tsri_entry *entry);
bool tsri_entry_is_fresh(const tsri_entry *entry);
/* What must be the same on all ranks. */
uint64_t tsri_eval_request_hash(const tsri_eval_request *request);
void tsri_entry_keep(tsri_entry *entry, tsr_layout *layout);
/* Free a fresh entry; NULL and kept ones are left alone. */
void tsri_entry_drop(tsri_entry *entry);

#endif
