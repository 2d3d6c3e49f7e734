/* ranks: 1 2 3 4 */
/* Layouts that outlive the library.  A program of its own, for it ends the library early. */
#include "support/layout_cases.h"

static const int64_t shape[] = {48, 5};

static void make(const tsr_layout_options *options, tsr_layout **layout)
{
    *layout = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, shape, options, layout));
}

static int freed;

static void count_free(void *plans)
{
    freed += plans == &freed;
}

/* tsr_finalize() takes the plans of layouts still alive; their handles answer on and can be
 * destroyed.  The communicators of placed ranks go with the others. */
int main(int argc, char **argv)
{
    const tsr_layout_options whole = {.split = TSR_WHOLE};
    const tsr_layout_options placed = {.split = TSR_AXES(0, 1), .halo = {1, 1}, .reorder = true};
    tsr_layout *a, *b, *c, *refused = (tsr_layout *)&refused;
    char text[256];
    CHECK_OK(tsr_init(&argc, &argv));
    make(&whole, &a);
    make(&whole, &b);
    make(&placed, &c);
    a->plans = &freed;
    a->plans_free = count_free;
    CHECK_OK(tsr_finalize());
    CHECK_INT(freed, 1);
    CHECK(tsr_layout_equal(a, b));
    CHECK_INT(tsr_layout_cells(a), 48 * 5);
    CHECK(tsr_layout_describe(c, sizeof text, text) > 0);
    CHECK(tsr_layout_comm(c) == TSR_COMM_NULL);
    CHECK_STATUS(tsr_layout_create(TSR_COMM_WORLD, 2, shape, &whole, &refused), TSR_ERR_STATE);
    CHECK(refused == NULL);
    CHECK_STATUS(tsr_layout_create_aligned(a, 2, shape, NULL, &refused), TSR_ERR_STATE);
    CHECK(refused == NULL);
    CHECK_OK(tsr_layout_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&c));
    CHECK_INT(freed, 1);
    const tsri_counters end = tsri_counters_read();
    CHECK_INT(end.live_blocks, 0);
    CHECK_INT(end.live_comms, 0);
    CHECK_INT(end.idle_comms, 0);
    return 0;
}
