#define _POSIX_C_SOURCE 200809L

#include "shm/flag.h"

#include <sched.h>

/* About two microseconds: longer than a peer that runs takes to answer, much shorter than a time
 * slice. */
enum { SPINS = 64 };

static inline void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void tsri_relax(int *round)
{
    if (*round < SPINS) {
        ++*round;
        pause_core();
    } else {
        sched_yield();
    }
}
