/* Channels: halo exchanges of given arrays with given options, made on first use and kept with the
 * first array's storage; and the caches that find them again.
 *
 * All keys are data that every rank shares, so all ranks find, make and drop the same entries at
 * the same call. */
#ifndef TSRI_MOVE_CHANNEL_H
#define TSRI_MOVE_CHANNEL_H

#include "move/exchange.h"
#include "move/halo_plan.h"

/* What a channel needs of one array while an exchange is under way. */
typedef struct tsri_slot {
    tsr_layout *layout;
    tsri_storage *storage;
    tsr_view view;
    bool writes; /* false where another rank of the node writes the copy that they share */
    tsr_boundary boundary[TSR_MAX_NDIM][2];
} tsri_slot;

/* The handle that tsr_halo_start() gives out is the channel itself: nothing is allocated. */
struct tsr_pending {
    tsri_context *context;
    tsri_exchange *exchange;
    tsri_direction direction;
    int count;
    tsri_slot *slot;          /* [count], filled while an exchange is under way */
    uint64_t *id;             /* [count], of the storages that it is between */
    bool active;              /* started, not finished */
    bool fresh;               /* the first run: its outcome is agreed */
    bool whole;               /* nothing moves between ranks, ... */
    bool local;               /* ... and none depends on another: each has copies of its own */
    bool calls_back;          /* some array has a callback that takes part */
    bool orphaned;            /* its storage was released meanwhile: freed by the finish */
    struct tsr_pending *next; /* in the storage's list, most recently used first */
};

/* Whether no rank depends on another in an exchange of these arrays (NULL ones do not count), so
 * that there is nothing to agree on. */
bool tsri_exchange_is_local(int count, tsr_array *const *arrays);
/* Agree on an outcome of an exchange, unless it is local. */
tsr_status tsri_channel_agree(const tsr_pending *channel, tsr_status status);

/* Whether an exchange has a channel already. */
bool tsri_channel_exists(int count, tsr_array *const *arrays, const tsri_halo_request *request);

/* The channel for an exchange of arrays (which are valid and have one context).  The first use is
 * collective and agrees, as is a use with bad options. */
tsr_status tsri_channel_of(const char *call, int count, tsr_array *const *arrays,
                           const tsri_halo_request *request, tsr_pending **channel);
/* Take a channel out of its storage's cache and free it: after a first run that failed. */
void tsri_channel_drop(tsr_pending *channel, tsri_storage *storage);
void tsri_channel_free(tsr_pending *channel);

#endif
