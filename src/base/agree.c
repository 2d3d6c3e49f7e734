/* Agreement of all ranks on an outcome: the worst status wins, with its rank's text. */
#include <stdio.h>
#include <string.h>

#include "base/comm.h"
#include "base/net.h"

/* The outcome on a run of neighbouring ranks. */
typedef struct outcome {
    uint64_t fingerprint; /* of the lowest rank */
    int worst, worst_rank;
    int lowest;  /* the lowest rank */
    int differs; /* the first rank whose fingerprint differs from the lowest one's, or TSR_NO_RANK
                  */
} outcome;

static void combine(void *left, const void *right)
{
    outcome a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (b.worst > a.worst) {
        a.worst = b.worst;
        a.worst_rank = b.worst_rank;
    }
    if (a.differs == TSR_NO_RANK) a.differs = a.fingerprint != b.fingerprint ? b.lowest : b.differs;
    memcpy(left, &a, sizeof a);
}

/* Give all ranks the text of the one that failed, with its number in front. */
static tsr_status share_text(tsri_context *context, int root)
{
    const bool speaks = context->rank == root;
    char text[TSRI_TEXT_BYTES] = "";

    if (speaks && tsri_error_shared())
        snprintf(text, sizeof text, "%s", tsr_error_text());
    else if (speaks)
        snprintf(text, sizeof text, "rank %d: %.*s", root, TSRI_TEXT_BYTES - 20, tsr_error_text());
    const tsr_status st = tsri_bcast_record(context, text, sizeof text, root);
    if (st == TSR_OK) tsri_error_set(text, speaks);
    return st;
}

/* Give all ranks one text about a rank that differs from rank 0, which names its own call. */
static tsr_status share_mismatch(tsri_context *context, int differs)
{
    const char *call = context->call;
    char text[TSRI_TEXT_BYTES];

    snprintf(text, sizeof text, "%s%srank %d passed other arguments than rank 0 [%s]",
             call != NULL ? call : "", call != NULL ? ": " : "", differs,
             tsr_status_name(TSR_ERR_MISMATCH));
    const tsr_status st = tsri_bcast_record(context, text, sizeof text, 0);
    if (st == TSR_OK) tsri_error_set(text, context->rank == differs);
    return st;
}

static tsr_status agree(tsri_context *context, tsr_status status, uint64_t fingerprint)
{
    tsr_status st = TSR_OK;
    outcome all;
    memset(&all, 0, sizeof all);
    all.fingerprint = fingerprint;
    all.worst = status;
    all.worst_rank = all.lowest = context->rank;
    all.differs = TSR_NO_RANK;

    TSRI_TRY(done, tsri_net_combine(context, &all, sizeof all, combine));
    if (all.worst != TSR_OK) {
        TSRI_TRY(done, share_text(context, all.worst_rank));
        st = all.worst;
    } else if (all.differs != TSR_NO_RANK) {
        TSRI_TRY(done, share_mismatch(context, all.differs));
        st = TSR_ERR_MISMATCH;
    }
done:
    return st;
}

tsr_status tsri_agree(tsri_context *context, tsr_status status, uint64_t fingerprint)
{
    if (context->size == 1) return status;
    const tsr_status usable = tsri_context_check(context);
    if (usable != TSR_OK) return status != TSR_OK ? status : usable;
    tsri_fault_suspend();
    const tsr_status st = agree(context, status, fingerprint);
    tsri_fault_resume();
    return st;
}
