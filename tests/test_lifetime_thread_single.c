/* ranks: 1 2 */
/* MPI started for a single thread: a call from another one is an error. */
#define LEVEL MPI_THREAD_SINGLE
#include "test_lifetime_thread_level.c"
