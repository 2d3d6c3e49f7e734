/* Records to ranks that do not know who has one for them. */
#ifndef TSRI_BASE_SPREAD_H
#define TSRI_BASE_SPREAD_H

#include "base/net.h"

enum { TSRI_TAG_SPREAD = 64, TSRI_SPREAD_BYTES = 64 };

/* What to do with a record that arrived; false when it was the last for this rank.  A record of
 * zeros stands for one that could not be received. */
typedef bool (*tsri_take)(void *ctx, const void *record);

/* Give one record, of at most TSRI_SPREAD_BYTES, to each of the ranks first .. last but this one
 * (none when first > last), and take those that others have for this rank, in any order: none
 * unless `awaited`, then until `take` says so.  `requests` is room for last - first + 1.
 * Collective; a rank on which a call fails still takes part, and an agreement has to follow, so
 * that nobody's next record arrives in this call. */
tsr_status tsri_spread(tsri_context *context, const void *record, size_t bytes, int first, int last,
                       tsri_request *requests, bool awaited, tsri_take take, void *ctx);

#endif
