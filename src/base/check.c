#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/comm.h"

/* After an agreed failure one rank prints.  The others give it time, since aborting stops all. */
void tsr_check_status(tsr_status status, const char *call, const char *file, int line)
{
    if (status == TSR_OK) return;
    if (tsri_error_speaks()) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: %s: %s\n", file, line, call, tsr_status_name(status),
                tsr_error_text());
        fflush(stderr);
    } else {
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
    }
    tsri_comm_abort();
    exit(EXIT_FAILURE);
}
