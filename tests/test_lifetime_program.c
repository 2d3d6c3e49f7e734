/* ranks: 1 2 3 4 8 */
/* A program that starts and ends MPI itself and never calls tsr_init() or tsr_finalize(): when MPI
 * ends, all is released, newest first, while messages still work. */
#include "support/harness.h"

#include "base/net.h"

#include <stdio.h>

#ifdef TSR_SERIAL
int main(void)
{
    puts("skipped: a build without MPI");
    return 0;
}
#else

typedef struct object {
    tsri_live live; /* first, so that a pointer to it is one to the object */
    tsri_context *context;
    struct object *falls_with_me; /* released by this one's release */
    int number;
} object;

static int released[8], count;

static void release(tsri_live *self)
{
    object *o = (object *)self;
    CHECK_OK(tsri_context_check(o->context));
    int value = 41 + tsri_context_rank(o->context);
    CHECK_OK(tsri_net_bcast(o->context, &value, sizeof value, 0));
    CHECK_INT(value, 41);
    if (o->falls_with_me != NULL) tsri_live_remove(&o->falls_with_me->live);
    released[count++] = o->number;
}

static tsri_context *context_of(MPI_Comm comm)
{
    tsri_context *context = NULL;
    CHECK_OK(tsri_context_of(comm, &context));
    return context;
}

int main(int argc, char **argv)
{
    tsri_context *context = NULL;
    MPI_Comm dup, split, unfreed;
    object objects[5] = {{.number = 0}};

    CHECK_STATUS(tsri_context_of(MPI_COMM_WORLD, &context), TSR_ERR_STATE);
    CHECK_TEXT("MPI is not running");
    CHECK_OK(tsr_finalize()); /* nothing has begun */

    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_dup(MPI_COMM_WORLD, &unfreed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &split);
    tsri_context *const uses[] = {context_of(dup), context_of(MPI_COMM_WORLD), context_of(split),
                                  context_of(unfreed), context_of(MPI_COMM_SELF)};
    for (int i = 0; i < 5; ++i) {
        objects[i] = (object){.context = tsri_context_ref(uses[i]), .number = i};
        tsri_live_add(&objects[i].live, release);
    }
    tsri_live_remove(&objects[3].live);
    objects[4].falls_with_me = &objects[1];
    MPI_Comm_free(&dup);
    MPI_Comm_free(&split);
    MPI_Finalize();

    CHECK_INT(count, 3); /* not 3, which was removed, nor 1, which fell with 4 */
    const int order[] = {4, 2, 0};
    for (int i = 0; i < 3; ++i)
        CHECK_INT(released[i], order[i]);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    CHECK_INT(tsri_counters_read().idle_comms, 0);
    CHECK_INT(tsri_counters_read().live_blocks, 5);

    CHECK_STATUS(tsri_context_of(MPI_COMM_WORLD, &context), TSR_ERR_STATE);
    CHECK_TEXT("MPI has ended");
    CHECK_STATUS(tsr_init(NULL, NULL), TSR_ERR_STATE);
    for (int i = 0; i < 5; ++i) {
        CHECK_STATUS(tsri_context_check(uses[i]), TSR_ERR_STATE);
        CHECK_STATUS(tsri_agree(uses[i], TSR_ERR_STATE, 0), TSR_ERR_STATE);
        tsri_live_remove(&objects[i].live);
        tsri_context_unref(objects[i].context);
    }
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_OK(tsr_finalize());
    return 0;
}
#endif
