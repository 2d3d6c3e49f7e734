#include "shm/team.h"

#include <string.h>

#include "base/net.h"

/* A team with room for its members' ranks. */
typedef struct team {
    tsri_team public;
    int rank[];
} team;

static void team_free(void *kept)
{
    tsri_arena_unuse();
    tsri_free(kept);
}

static tsr_status make(const tsri_context *context, const tsri_nodes *nodes, team **out)
{
    tsr_status st = TSR_OK;
    const int me = tsri_context_rank(context), size = tsri_context_size(context);
    team *made = NULL;
    int count = 0;

    *out = NULL;
    for (int rank = 0; rank < size; ++rank)
        count += nodes->of[rank] == nodes->of[me];
    made = tsri_alloc(1, sizeof *made + (size_t)count * sizeof *made->rank);
    TSRI_CHECK(done, made != NULL, TSR_ERR_NOMEM, "no memory for the %d ranks of a node", count);
    for (int rank = 0; rank < size; ++rank) {
        if (nodes->of[rank] != nodes->of[me]) continue;
        if (rank == me) made->public.index = made->public.count;
        made->rank[made->public.count++] = rank;
    }
    made->public.rank = made->rank;
    *out = made;
done:
    return st;
}

/* ---- whether memory can be shared ------------------------------------------------------------ */

/* Give this rank's address to the member before it, and get that of the member after it; zeros
 * stand for none. */
static tsr_status pass_on(tsri_context *context, const tsri_team *t, tsri_arena_address *mine,
                          tsri_arena_address *theirs)
{
    const int after = t->rank[(t->index + 1) % t->count];
    const int before = t->rank[(t->index + t->count - 1) % t->count];
    tsri_request request[2];

    tsr_status st =
        tsri_net_irecv(context, theirs, sizeof *theirs, after, TSRI_TAG_TEAM, &request[0]);
    tsri_keep(&st, tsri_net_isend(context, mine, sizeof *mine, before, TSRI_TAG_TEAM, &request[1]));
    const tsr_status waited = tsri_net_wait(context, 2, request);
    return st == TSR_OK ? waited : st;
}

/* A piece that holds its own address, to be read by another member.  Without one, what cannot be
 * shared is no failure. */
static void *make_probe(tsri_arena_address *address)
{
    void *piece = NULL;
    tsri_fault_suspend();
    if (tsri_arena_alloc(sizeof *address, &piece) == TSR_OK) {
        *address = tsri_arena_address_of(piece);
        memcpy(piece, address, sizeof *address);
    }
    tsri_fault_resume();
    return piece;
}

static bool can_read(const tsri_arena_address *address)
{
    void *piece = NULL;
    if (address->bytes != sizeof *address) return false;
    tsri_fault_suspend();
    bool can = tsri_arena_attach(address, &piece) == TSR_OK;
    can = can && memcmp(piece, address, sizeof *address) == 0;
    tsri_arena_detach(piece);
    tsri_fault_resume();
    return can;
}

/* Every member reads the memory of the one after it.  What allows that (one system, one set of
 * process numbers, one user) holds between all of them when it holds between neighbours.  The
 * answer is one for all nodes. */
static tsr_status find_sharing(tsri_context *context, const tsri_team *t, bool *shares)
{
    tsri_arena_address mine = {0}, theirs = {0};
    void *probe = NULL;
    tsr_status st = TSR_OK;

    *shares = true;
    if (t->count > 1) {
        probe = make_probe(&mine);
        st = pass_on(context, t, &mine, &theirs);
        *shares = st == TSR_OK && can_read(&theirs);
    }
    tsri_keep(&st, tsri_net_combine(context, shares, sizeof *shares, tsri_net_and));
    tsri_arena_free(probe); /* all have read */
    if (st == TSR_OK && !*shares && tsri_context_settings(context)->transport == TSRI_TRANSPORT_SHM)
        st = TSRI_FAIL(TSR_ERR_UNSUPPORTED,
                       "TESSERA_TRANSPORT is shm, but the processes of a node cannot map each "
                       "other's memory");
    return st;
}

/* ---- the team -------------------------------------------------------------------------------- */

tsr_status tsri_team_of(tsri_context *context, const tsri_team **out)
{
    const tsri_settings *settings = tsri_context_settings(context);
    const tsri_nodes *nodes = NULL;
    team *made = NULL;
    bool shares = false;
    tsr_status st = TSR_OK;

    *out = tsri_context_team(context);
    if (*out != NULL) return TSR_OK;
    tsri_arena_use((size_t)settings->shm_limit);
    TSRI_TRY(fail, tsri_nodes_of(context, &nodes));
    TSRI_TRY(fail, tsri_agree(context, make(context, nodes, &made), 0));
    if (settings->transport != TSRI_TRANSPORT_P2P && nodes->count < tsri_context_size(context))
        TSRI_TRY(fail, tsri_agree(context, find_sharing(context, &made->public, &shares), 0));
    made->public.anyone_shares = shares;
    made->public.sharing = shares && made->public.count > 1;
    tsri_context_keep_team(context, made, team_free);
    *out = &made->public;
    return TSR_OK;

fail:
    tsri_free(made);
    tsri_arena_unuse();
    return st;
}

tsr_status tsri_team_that_shares(tsri_context *context, const tsri_team **out)
{
    *out = NULL;
    if (tsri_context_settings(context)->transport == TSRI_TRANSPORT_P2P) return TSR_OK;
    return tsri_context_size(context) == 1 ? TSR_OK : tsri_team_of(context, out);
}
