/* Locks by tickets, and windows. */
#include "base/gate.h"
#include "base/net.h"
#include "shm/manager.h"

/* The numbers of the window: tickets given, and those done with. */
enum { GIVEN, SERVED };

static bool is_in_memory(const tsri_manager *m, tsr_shm_scope scope)
{
    return scope == TSR_SHM_NODE || m->lane.nodes == 1;
}

/* The window's sum of nothing reads. */
static tsr_status wait_for_window(tsri_manager *m, uint64_t *ticket)
{
    int64_t mine = 0, served = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_window_add(m->tickets, 0, GIVEN, 1, &mine));
    for (int round = 0;; tsri_relax(&round)) {
        TSRI_TRY(done, tsri_window_add(m->tickets, 0, SERVED, 0, &served));
        if (served == mine) break;
    }
    atomic_thread_fence(memory_order_acquire);
    *ticket = (uint64_t)mine;
done:
    return st;
}

static tsr_status check(const char *call, const tsr_shm *shm, tsr_shm_scope scope, bool holds,
                        tsri_manager **manager)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_manager_check(call, shm, manager));
    TSRI_CHECK_IN(call, done, scope == TSR_SHM_NODE || scope == TSR_SHM_BASE, TSR_ERR_VALUE,
                  "scope is %d, must be TSR_SHM_NODE or TSR_SHM_BASE", (int)scope);
    TSRI_CHECK_IN(call, done, (*manager)->holds[scope] == holds, TSR_ERR_STATE,
                  holds ? "this rank does not have the lock" : "this rank has the lock already");
    TSRI_CHECK_IN(call, done, is_in_memory(*manager, scope) || (*manager)->tickets != TSR_WIN_NULL,
                  TSR_ERR_UNSUPPORTED,
                  "the base has %d nodes, and MPI gave no window for the lock over them",
                  (*manager)->lane.nodes);
done:
    return st;
}

tsr_status tsr_shm_lock(tsr_shm *shm, tsr_shm_scope scope)
{
    tsr_status st = TSR_OK;
    tsri_manager *m = NULL;

    TSRI_TRY(done, check(__func__, shm, scope, false, &m));
    if (is_in_memory(m, scope)) {
        tsri_ticket_lock *const lock = &tsri_manager_board(m)->lock[scope];
        m->ticket[scope] = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
        tsri_flag_wait(m->node, &lock->served, m->ticket[scope]);
    } else {
        TSRI_TRY(done, wait_for_window(m, &m->ticket[scope]));
    }
    m->holds[scope] = true;
done:
    return st;
}

tsr_status tsr_shm_unlock(tsr_shm *shm, tsr_shm_scope scope)
{
    tsr_status st = TSR_OK;
    tsri_manager *m = NULL;
    int64_t before;

    TSRI_TRY(done, check(__func__, shm, scope, true, &m));
    if (is_in_memory(m, scope)) {
        tsri_flag_raise(&tsri_manager_board(m)->lock[scope].served, m->ticket[scope] + 1);
    } else {
        atomic_thread_fence(memory_order_release);
        TSRI_TRY(done, tsri_window_add(m->tickets, 0, SERVED, 1, &before));
    }
    m->holds[scope] = false;
done:
    return st;
}

tsr_status tsr_shm_window(tsr_shm_array *array, tsr_win *window)
{
    tsr_status st = TSR_OK;
    tsri_shared *shared = NULL;

    if (window != NULL) *window = TSR_WIN_NULL;
    TSRI_TRY(fail, tsri_shared_check(__func__, array, &shared));
    tsri_segment *const segment = &shared->segment;
    const bool shows = tsri_context_rank(segment->context) == segment->root;
    TSRI_TRY(fail, tsri_enter(segment->context, shared->window != TSR_WIN_NULL, "%s", __func__));
    TSRI_CHECK(agree, window != NULL, TSR_ERR_VALUE, "window is NULL, must point to where it goes");
agree:
    if (shared->window != TSR_WIN_NULL) {
        if (window != NULL) *window = shared->window;
        return st;
    }
    TSRI_TRY(fail, tsri_agree(segment->context, st, (uint64_t)shared->number));
    st = tsri_window_make(segment->context, tsri_segment_data(segment), shows ? shared->bytes : 0,
                          tsr_dtype_size(shared->dtype), &shared->window);
    st = tsri_agree(segment->context, st, 0);
    if (st == TSR_OK)
        *window = shared->window;
    else
        tsri_window_free(&shared->window);
fail:
    return st;
}
