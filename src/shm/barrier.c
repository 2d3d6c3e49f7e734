#include "shm/barrier.h"

#include "base/net.h"

/* Rounds of waiting before MPI is given a turn: longer than ranks that come together wait. */
enum { PATIENCE = 256 };

void tsri_flag_wait(const tsri_context *context, const tsri_flag *flag, uint64_t value)
{
    int round = 0;
    for (int waited = 0; !tsri_flag_is_raised(flag, value); ++waited) {
        tsri_relax(&round);
        if (waited < PATIENCE) continue;
        tsri_net_progress(context);
        waited = 0;
    }
}

void tsri_barrier_wait(const tsri_context *context, tsri_barrier *barrier, int size,
                       uint64_t *round)
{
    const uint64_t all = ++*round * (uint64_t)size;
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == all)
        tsri_flag_raise(&barrier->passed, *round);
    else
        tsri_flag_wait(context, &barrier->passed, *round);
}
