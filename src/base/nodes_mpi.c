#include "base/mpi_call.h"
#include "base/registry.h"

/* Split a communicator.  On failure *part is one all the same, unless MPI gave none. */
static tsr_status split_real(MPI_Comm comm, MPI_Comm *part)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(done, MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, part));
done:
    return st;
}

static tsr_status split_pretended(MPI_Comm comm, int ranks, MPI_Comm *part)
{
    tsr_status st = TSR_OK;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    TSRI_MPI(done, MPI_Comm_split(comm, rank / ranks, rank, part));
done:
    return st;
}

static tsr_status share_lowest(MPI_Comm node, int *rank)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(done, MPI_Bcast(rank, 1, MPI_INT, 0, node));
done:
    return st;
}

/* The lowest ranks on this rank's machine and on its node.  A rank on which a call fails still
 * takes part. */
static tsr_status find_lowest(const tsri_context *context, int lowest[2])
{
    const int ranks = context->settings.ranks_per_node;
    MPI_Comm part[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    tsr_status st = split_real(context->comm, &part[0]);

    if (ranks > 0 && part[0] != MPI_COMM_NULL)
        tsri_keep(&st, split_pretended(part[0], ranks, &part[1]));
    for (int i = 0; i < 2; ++i) {
        lowest[i] = i > 0 && ranks == 0 ? lowest[0] : context->rank;
        if (part[i] == MPI_COMM_NULL) continue;
        tsri_keep(&st, share_lowest(part[i], &lowest[i]));
        MPI_Comm_free(&part[i]);
    }
    return st;
}

static tsr_status share_all(const tsri_context *context, int lowest, int *all)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(done, MPI_Allgather(&lowest, 1, MPI_INT, all, 1, MPI_INT, context->comm));
done:
    return st;
}

/* From the lowest rank on each rank's node to the node's number. */
static void number(int ranks, tsri_nodes *nodes)
{
    for (int rank = 0; rank < ranks; ++rank)
        nodes->of[rank] = nodes->of[rank] == rank ? nodes->count++ : nodes->of[nodes->of[rank]];
}

tsr_status tsri_nodes_of(tsri_context *context, const tsri_nodes **nodes)
{
    tsr_status st = TSR_OK;
    tsri_nodes *made = NULL;
    int lowest[2];

    *nodes = context->nodes;
    if (context->nodes != NULL) return TSR_OK;
    TSRI_TRY(fail, tsri_context_check(context));
    st = find_lowest(context, lowest);
    made = tsri_alloc(1, sizeof *made + 2 * (size_t)context->size * sizeof *made->of);
    if (made == NULL)
        tsri_keep(&st,
                  TSRI_FAIL(TSR_ERR_NOMEM, "no memory for the nodes of %d ranks", context->size));
    TSRI_TRY(fail, tsri_agree(context, st, 0)); /* all have room for what follows */
    made->machine = made->of + context->size;
    st = share_all(context, lowest[0], made->machine);
    tsri_keep(&st, share_all(context, lowest[1], made->of));
    TSRI_TRY(fail, tsri_agree(context, st, 0));
    number(context->size, made);
    tsri_registry_keep_nodes(context, made);
    *nodes = made;
    return TSR_OK;

fail:
    tsri_free(made);
    return st;
}
