#include "shm/manager.h"

#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"

#include <stddef.h>
#include <string.h>

int tsri_tree_first(const tsri_manager *manager)
{
    return manager->team->index / manager->nproc_reduce * manager->nproc_reduce;
}

int tsri_tree_size(const tsri_manager *manager)
{
    const int left = manager->team->count - tsri_tree_first(manager);
    return left < manager->nproc_reduce ? left : manager->nproc_reduce;
}

tsri_board *tsri_manager_board(const tsri_manager *manager)
{
    return tsri_segment_data(&manager->board);
}

/* What a rank puts up when it has failed: no fingerprint, in effect. */
enum { FAILED = 0 };

/* Each agreement uses the other places than the one before, so nobody who is late in reading one
 * finds the next.  All read the same, and so decide alike whether messages have to say more. */
tsr_status tsri_manager_agree(tsri_manager *m, tsr_status status, uint64_t fingerprint)
{
    tsri_notice *const notice = tsri_manager_board(m)->notice;
    const int turn = (int)(++m->agreements % 2);
    bool good = true;

    if (m->lane.nodes > 1) return tsri_agree(m->base, status, fingerprint);
    notice[m->team->index].outcome[turn] = status == TSR_OK ? fingerprint | 1 : FAILED;
    tsri_segment_barrier(&m->board);
    for (int i = 0; i < m->team->count; ++i)
        good = good && notice[i].outcome[turn] == (fingerprint | 1);
    return good ? TSR_OK : tsri_agree(m->base, status, fingerprint);
}

/* ---- freeing --------------------------------------------------------------------------------- */

/* With a rank missing nothing that has to do with others can be given back. */
static void free_communicators(tsri_manager *m)
{
    tsr_comm *const made[] = {&m->tree_root_comm, &m->tree_comm, &m->node_root_comm, &m->node_comm};

    if (m->base == NULL || tsri_gate_is_broken(m->base)) return;
    if (m->tickets != TSR_WIN_NULL) tsri_window_close(m->tickets);
    tsri_window_free(&m->tickets);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i)
        tsri_part_free(made[i]);
}

/* Takes a half-made one.  The ranks of the base have met, and all of them call it. */
static void manager_free(tsri_manager *manager)
{
    if (manager == NULL) return;
    while (manager->newest != NULL)
        tsri_shared_free(manager->newest);
    free_communicators(manager);
    tsri_segment_free(&manager->board);
    tsri_lane_free(&manager->lane);
    tsri_free(manager->ticket_counts);
    tsri_context_unref(manager->node);
    tsri_context_unref(manager->base);
    tsri_free(manager);
}

static void live_release(tsri_live *live)
{
    tsri_manager *const manager = (tsri_manager *)((char *)live - offsetof(tsri_manager, live));
    tsri_manager_delist(manager);
    manager_free(manager);
}

/* ---- making ---------------------------------------------------------------------------------- */

static const tsr_shm_options defaults;

static uint64_t fingerprint(const char *call, const tsr_shm_options *options)
{
    uint64_t hash = tsri_hash(TSRI_HASH_START, call, strlen(call));
    hash = tsri_hash(hash, &options->nproc_reduce, sizeof options->nproc_reduce);
    return tsri_hash(hash, &options->node_root, sizeof options->node_root);
}

/* Whether this rank's node has the root that is asked for. */
static tsr_status check_node(const char *call, const tsri_team *team, int root)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(call, done, root >= 0 && root < team->count, TSR_ERR_VALUE,
                  "node_root is %d, must be 0 to %d: the node of this rank has %d rank%s", root,
                  team->count - 1, team->count, TSRI_S(team->count));
done:
    return st;
}

static int clamp(int value, int most)
{
    return value < 1 ? 1 : value > most ? most : value;
}

/* All steps, whatever fails: the others wait in each of them. */
static tsr_status make_communicators(tsri_manager *m)
{
    const tsri_team *team = m->team;
    const int first = tsri_tree_first(m);
    tsr_status st = tsri_part_make(m->base, team->rank[0], &m->node_comm);

    tsri_keep(&st,
              tsri_part_make(m->base, team->index == m->node_root ? 0 : -1, &m->node_root_comm));
    tsri_keep(&st, tsri_part_make(m->base, team->rank[first], &m->tree_comm));
    tsri_keep(&st, tsri_part_make(m->base, team->index == first ? team->rank[0] : -1,
                                  &m->tree_root_comm));
    return st;
}

/* The context of the node's communicator, and a number for the manager. */
static tsr_status make_acquaintances(tsri_manager *m)
{
    tsri_context *node = NULL;
    tsr_status st = TSR_OK;

    if (m->node_comm != TSR_COMM_NULL) st = tsri_context_of(m->node_comm, &node);
    if (node != NULL) m->node = tsri_context_ref(node);
    m->number = tsri_shared_number();
    tsri_keep(&st, tsri_net_bcast(m->base, &m->number, sizeof m->number, 0));
    return st;
}

/* Zeroed by the root before the agreement that follows. */
static tsr_status make_board(tsri_manager *m)
{
    const size_t bytes = sizeof(tsri_board) + (size_t)m->team->count * sizeof(tsri_notice);
    const tsr_status st = tsri_segment_make(m->node, m->node_root, bytes, &m->board);

    if (st == TSR_OK && m->team->index == m->node_root)
        memset(tsri_segment_data(&m->board), 0, bytes);
    return st;
}

/* What the lock of a base of several nodes needs; an MPI that gives no window goes without it. */
static void make_tickets(tsri_manager *m)
{
    if (m->lane.nodes == 1) return;
    tsri_fault_suspend();
    tsr_status st = tsri_window_make(m->base, m->ticket_counts, 2 * sizeof *m->ticket_counts,
                                     sizeof *m->ticket_counts, &m->tickets);
    st = tsri_agree(m->base, st, 0);
    if (st == TSR_OK) st = tsri_agree(m->base, tsri_window_open(m->tickets), 0);
    if (st != TSR_OK) tsri_window_free(&m->tickets);
    tsri_fault_resume();
}

static tsr_status create(const char *call, tsri_context *base, const tsr_shm_options *options,
                         tsri_manager *m)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_team_of(base, &m->team));
    st = check_node(call, m->team, options->node_root);
    TSRI_TRY(done, tsri_agree(base, st, 0));

    m->nproc_reduce = clamp(options->nproc_reduce, m->team->count);
    m->node_root = options->node_root;
    st = make_communicators(m);
    tsri_keep(&st, tsri_lane_find(base, m->team, &m->lane));
    TSRI_TRY(done, tsri_agree(base, st, 0));
    TSRI_TRY(done, tsri_agree(base, make_acquaintances(m), 0));
    TSRI_TRY(done, tsri_agree(base, make_board(m), 0));
    make_tickets(m);
done:
    return st;
}

tsr_status tsr_shm_create(tsr_comm comm, const tsr_shm_options *options, tsr_shm **shm)
{
    tsr_status st = TSR_OK;
    tsri_context *base = NULL;
    tsri_manager *made = NULL;

    if (shm != NULL) *shm = NULL;
    if (options == NULL) options = &defaults;
    TSRI_TRY(fail, tsri_context_enter(comm, __func__, &base));

    TSRI_CHECK(agree, shm != NULL, TSR_ERR_VALUE,
               "shm is NULL, must point to where the handle goes");
    TSRI_ALLOC(agree, made, 1);
    TSRI_ALLOC(agree, made->ticket_counts, 2);
    made->base = tsri_context_ref(base);
    made->tickets = TSR_WIN_NULL;
    made->node_comm = made->node_root_comm = made->tree_comm = made->tree_root_comm = TSR_COMM_NULL;
agree:
    TSRI_TRY(fail, tsri_agree(base, st, fingerprint(__func__, options)));
    TSRI_TRY(fail, create(__func__, base, options, made));
    tsri_live_add(&made->live, live_release);
    *shm = tsri_manager_enlist(made);
    return TSR_OK;

fail:
    manager_free(made);
    return st;
}

tsr_status tsr_shm_destroy(tsr_shm **shm)
{
    tsr_status st = TSR_OK;
    tsri_manager *manager = NULL;

    if (shm == NULL || *shm == NULL) return TSR_OK;
    if (tsri_context_ended()) {
        *shm = NULL;
        return TSR_OK;
    }
    TSRI_TRY(fail, tsri_manager_check(__func__, *shm, &manager));
    TSRI_TRY(fail, tsri_enter(manager->base, false, "%s", __func__));
    TSRI_TRY(fail, tsri_agree(manager->base, TSR_OK, (uint64_t)manager->number));
    tsri_live_remove(&manager->live);
    tsri_manager_delist(manager);
    manager_free(manager);
    *shm = NULL;
fail:
    return st;
}

/* ---- questions ------------------------------------------------------------------------------- */

/* What a manager answers, and what a handle that is none gives. */
#define QUESTION(type, name, none, answer)                                                         \
    type tsr_shm_##name(const tsr_shm *shm)                                                        \
    {                                                                                              \
        const tsri_manager *m = tsri_manager_of(shm);                                              \
        return m == NULL ? (none) : (answer);                                                      \
    }
QUESTION(tsr_comm, comm, TSR_COMM_NULL, tsri_context_comm(m->base))
QUESTION(tsr_comm, node_comm, TSR_COMM_NULL, m->node_comm)
QUESTION(int, node_rank, 0, m->team->index)
QUESTION(int, node_size, 0, m->team->count)
QUESTION(int, node_root, 0, m->node_root)
QUESTION(int, nodes, 0, m->lane.nodes)
QUESTION(tsr_comm, node_root_comm, TSR_COMM_NULL, m->node_root_comm)
QUESTION(int, nproc_reduce, 0, m->nproc_reduce)
QUESTION(tsr_comm, tree_comm, TSR_COMM_NULL, m->tree_comm)
QUESTION(int, tree_rank, 0, m->team->index - tsri_tree_first(m))
QUESTION(int, tree_size, 0, tsri_tree_size(m))
QUESTION(tsr_comm, tree_root_comm, TSR_COMM_NULL, m->tree_root_comm)
#undef QUESTION

int tsr_shm_tree_root(const tsr_shm *shm)
{
    (void)shm;
    return 0;
}
