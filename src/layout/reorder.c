#include "layout/reorder.h"
#include "base/checked.h"
#include "base/nodes.h"
#include "layout/placement.h"

tsr_status tsri_context_placed(tsri_context *context, const tsri_geometry *geometry,
                               tsri_context **placed)
{
    tsri_context *const base = tsri_context_base(context);
    const tsri_nodes *nodes = NULL;
    tsr_status st = TSR_OK;
    int *place = NULL;
    uint64_t digest = 0;

    TSRI_TRY(done, tsri_nodes_of(base, &nodes));
    TSRI_ALLOC(agree, place, geometry->size);
    TSRI_TRY(agree, tsri_placement(geometry, nodes->count, nodes->of, tsri_context_places(context),
                                   place));
    digest = tsri_hash(TSRI_HASH_START, place, (size_t)geometry->size * sizeof *place);
agree:
    TSRI_TRY(done, tsri_agree(base, st, digest));
    st = tsri_context_reordered(base, place, placed);
done:
    tsri_free(place);
    return st;
}
