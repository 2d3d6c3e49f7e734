/* Fault injection: one countdown per process, and a depth of suspension per thread. */
#include <stdatomic.h>

#include "base/memory.h"

static atomic_int_fast64_t countdown = -1; /* calls until the one that fails; -1: disarmed */
static atomic_bool fired;
static _Thread_local int suspended;

void tsri_fault_arm(int64_t n)
{
    atomic_store(&fired, false);
    atomic_store(&countdown, n >= 0 ? n : -1);
}

bool tsri_fault_fired(void)
{
    return atomic_load(&fired);
}

bool tsri_fault(void)
{
    if (suspended > 0) return false;
    int_fast64_t left = atomic_load_explicit(&countdown, memory_order_relaxed);
    do {
        if (left < 0) return false;
    } while (!atomic_compare_exchange_weak(&countdown, &left, left - 1));
    if (left > 0) return false;
    atomic_store(&fired, true);
    return true;
}

void tsri_fault_suspend(void)
{
    ++suspended;
}

void tsri_fault_resume(void)
{
    --suspended;
}
