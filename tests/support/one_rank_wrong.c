#include "support/one_rank_wrong.h"

bool wrong;
stage s;

void expect_failure(tsr_status st, const places *o, const char *call, const char *file, int line)
{
    int of_first = st;
    tsrt_bcast(&of_first, sizeof of_first, 0);
    if (st != of_first)
        tsrt_fail(file, line, "%s: %s here, %s on rank 0", call, tsr_status_name(st),
                  tsr_status_name(of_first));
    if (st == TSR_OK) tsrt_fail(file, line, "%s: no error", call);
    if (o->array != NULL || o->other != NULL || o->layout != NULL || o->shm != NULL ||
        o->map != NULL || o->pending != NULL || o->list != NULL)
        tsrt_fail(file, line, "%s: an output is not NULL", call);
}

int begin_stage(void **state)
{
    (void)state;
    stage_begin(&s);
    return 0;
}

int end_stage(void **state)
{
    (void)state;
    stage_end(&s);
    return 0;
}
