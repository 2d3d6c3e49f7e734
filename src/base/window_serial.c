#include "base/window.h"

static tsr_status nothing(void)
{
    return TSRI_FAIL(TSR_ERR_UNSUPPORTED, "a window needs MPI, and this build has none");
}

tsr_status tsri_window_make(const tsri_context *context, void *memory, size_t bytes, size_t unit,
                            tsr_win *window)
{
    (void)context, (void)memory, (void)bytes, (void)unit;
    *window = TSR_WIN_NULL;
    return nothing();
}

void tsri_window_free(tsr_win *window)
{
    *window = TSR_WIN_NULL;
}

tsr_status tsri_window_open(tsr_win window)
{
    (void)window;
    return nothing();
}

void tsri_window_close(tsr_win window)
{
    (void)window;
}

tsr_status tsri_window_add(tsr_win window, int rank, int i, int64_t amount, int64_t *before)
{
    (void)window, (void)rank, (void)i, (void)amount;
    *before = 0;
    return nothing();
}
