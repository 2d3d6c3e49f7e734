/* The end of a program whose call failed: TSR_CHECK(). */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/comm.h"

/* The last failure's text, unless the status comes from somewhere else. */
static const char *text_of(tsr_status status)
{
    const char *text = tsr_error_text();
    return strstr(text, tsr_status_name(status)) != NULL ? text : tsr_status_text(status);
}

/* After an agreed failure one rank prints.  The others give it time, since aborting stops all. */
void tsr_check_status(tsr_status status, const char *call, const char *file, int line)
{
    if (status == TSR_OK) return;
    if (tsri_error_speaks()) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, text_of(status));
        fflush(stderr);
    } else {
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
    }
    tsri_comm_abort();
    exit(EXIT_FAILURE);
}
