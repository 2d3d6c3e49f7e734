/* Arrays in memory of the caller. */
#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "shm/team.h"

/* Whether memory of the caller can hold an array's storage of `needed` bytes. */
static tsr_status check_storage(const char *call, const tsr_array *array, const void *storage,
                                size_t bytes, size_t needed)
{
    const size_t parts = array->dtype >= TSR_C64 ? 2 : 1;
    const size_t alignment = tsr_dtype_size(array->dtype) / parts;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, bytes >= needed, TSR_ERR_VALUE,
                  "the storage has %zu bytes, must have at least %zu: %lld cell%s, halo included, "
                  "of %s",
                  bytes, needed, (long long)array->cells, TSRI_S(array->cells),
                  tsr_dtype_name(array->dtype));
    TSRI_CHECK_IN(call, done, storage != NULL || needed == 0, TSR_ERR_VALUE,
                  "storage is NULL, must point to %zu bytes", needed);
    TSRI_CHECK_IN(call, done, (uintptr_t)storage % alignment == 0, TSR_ERR_VALUE,
                  "storage is not aligned for %s: its address must be a multiple of %zu",
                  tsr_dtype_name(array->dtype), alignment);
done:
    return st;
}

tsr_status tsr_adopt(tsr_layout *layout, tsr_dtype dtype, void *storage, size_t bytes,
                     tsr_array **array)
{
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;
    const tsri_team *team = NULL; /* found here: what moves cells expects it of every array */
    size_t needed = 0;
    uint64_t fingerprint = TSRI_HASH_START;

    if (array != NULL) *array = NULL;
    if (layout == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "layout is NULL");
    TSRI_TRY(fail, tsri_enter(layout->context, false, "%s", __func__));
    TSRI_TRY(fail, tsri_team_that_shares(layout->context, &team));

    TSRI_CHECK(agree, array != NULL, TSR_ERR_VALUE,
               "array is NULL, must point to where the handle goes");
    TSRI_CHECK(agree, !layout->geometry.node_shared, TSR_ERR_VALUE,
               "the layout has node_shared, must not: memory of one rank is not that of its node");
    TSRI_TRY(agree, tsri_array_make_bare(layout, dtype, __func__, &made, &needed));
    TSRI_TRY(agree, check_storage(__func__, made, storage, bytes, needed));
    TSRI_TRY(agree,
             tsri_storage_adopt(layout, needed > 0 ? storage : NULL, needed, &made->storage));
    fingerprint = tsri_hash(fingerprint, __func__, sizeof __func__);
    fingerprint = tsri_hash(fingerprint, &dtype, sizeof dtype);
    fingerprint ^= tsri_geometry_hash(&layout->geometry);
agree:
    TSRI_TRY(fail, tsri_agree(layout->context, st, fingerprint));
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}
