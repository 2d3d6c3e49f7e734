/* ranks: 2 */
/* without the variable, or with any other value, ranks do not meet: a call costs what it
 * costs. */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include "base/context.h"
#include "base/gate.h"

int main(int argc, char **argv)
{
    static const char *const off[] = {NULL, "", "0", "no", "on", "yes please", "11"};
    static const char *const on[] = {"1", "true", "YES", "  True\t"};

    CHECK_OK(tsr_init(&argc, &argv));
    for (size_t i = 0; i < sizeof off / sizeof *off + sizeof on / sizeof *on; ++i) {
        const bool is_on = i >= sizeof off / sizeof *off;
        const char *value = is_on ? on[i - sizeof off / sizeof *off] : off[i];
        tsri_context *context = NULL;
#ifdef TSR_SERIAL
        tsr_comm comm = TSR_COMM_WORLD;
#else
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#endif
        if (value == NULL)
            unsetenv("TESSERA_DEBUG");
        else
            setenv("TESSERA_DEBUG", value, 1);
        CHECK_OK(tsri_context_of(comm, &context));
        CHECK_INT(tsri_gate_is_on(context), is_on && tsri_context_size(context) > 1);
        CHECK_OK(tsri_enter(context, false, "%s", "tsr_nothing"));
#ifndef TSR_SERIAL
        MPI_Comm_free(&comm);
#endif
    }
    return tsr_finalize();
}
