#include "base/notes.h"

/* There is nobody to give a note to, or to get one from. */
tsr_status tsri_notes_exchange(tsri_context *context, int count, const tsri_note *notes,
                               size_t more, tsri_notes *received)
{
    (void)count, (void)notes, (void)more, (void)received;
    return tsri_context_check(context);
}
