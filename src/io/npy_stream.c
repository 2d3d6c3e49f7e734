/* Arrays into what cannot be written at any place, such as pipes: part after part. */
#include "base/checked.h"
#include "io/npy_file.h"

#include <tessera/move.h>
#include <tessera/select.h>

/* About how many bytes rank 0 holds at a time; at least one row of the first axis. */
enum { PART_BYTES = 4 << 20 };

/* Collect a part on rank 0 and write it.  All ranks take part, whatever happened to this one. */
static tsr_status write_part(const char *call, const tsri_file *stream, const tsr_array *part)
{
    tsri_context *const context = part->layout->context;
    const size_t bytes = tsr_array_bytes(part);
    const bool root = part->layout->rank == 0;
    unsigned char *buffer = NULL;
    tsr_status st = TSR_OK;

    if (root) TSRI_ALLOC(agree, buffer, bytes);
agree:
    TSRI_TRY(done, tsri_agree(context, st, 0));
    TSRI_TRY(done, tsr_gather(part, 0, buffer));
    tsri_error_enter(call); /* no longer in the one that collected the part */
    if (root) st = tsri_file_write(stream, buffer, bytes, 0);
    st = tsri_agree(context, st, 0);
done:
    tsri_free(buffer);
    return st;
}

tsr_status tsri_npy_stream(const char *call, const tsri_file *stream, const tsr_array *array)
{
    const tsri_geometry *g = &array->layout->geometry;
    tsr_array *part = NULL;
    tsr_status st = TSR_OK;

    if (g->ndim == 0 || g->cells == 0) return write_part(call, stream, array);
    const int64_t row = g->cells / g->shape[0] * (int64_t)tsr_dtype_size(array->dtype);
    const int64_t rows = row < PART_BYTES ? PART_BYTES / row : 1;
    for (int64_t lo = 0; lo < g->shape[0] && st == TSR_OK; lo += rows) {
        const int64_t hi = lo + rows < g->shape[0] ? lo + rows : g->shape[0];
        TSRI_TRY(done, tsr_select_index(array, TSR_INDEX(TSR_SLICE(lo, hi)), &part));
        st = write_part(call, stream, part);
        tsr_array_destroy(&part);
    }
done:
    return st;
}
