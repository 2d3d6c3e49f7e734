/* saves FILE RANK MICROSECONDS: save array after array under one name, all cells of each the same
 * number, until this rank kills itself in the midst of it. */
#define _XOPEN_SOURCE 700

#include <tessera.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { CELLS = 300000 };

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    TSR_CHECK(tsr_init(&argc, &argv));
    if (argc != 4) return 2;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(CELLS), NULL, &layout));
    for (int64_t n = 0;; ++n) {
        TSR_CHECK(tsr_full(layout, TSR_I64, tsr_i64(n), &a));
        TSR_CHECK(tsr_save(argv[1], a));
        TSR_CHECK(tsr_array_destroy(&a));
        if (n > 0 || tsr_layout_rank(layout) != atoi(argv[2])) continue;
        const struct itimerval moment = {.it_value.tv_usec = atol(argv[3])};
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &moment, NULL);
    }
}
