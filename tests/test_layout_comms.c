/* ranks: 1 2 3 4 */
/* Layouts and communicators: duplicates, and communicators freed before their layouts. */
#include "support/layout_cases.h"

static const tsr_layout_options whole = {.split = TSR_WHOLE};
static const int64_t shape[] = {48, 5};

static void make(tsr_comm comm, tsr_layout **layout)
{
    *layout = NULL;
    CHECK_OK(tsr_layout_create(comm, 2, shape, &whole, layout));
    CHECK(tsr_layout_comm(*layout) == comm);
}

static void self_is_not_the_world(void **state)
{
    (void)state;
    tsr_layout *world, *again, *self;
    make(TSR_COMM_WORLD, &world);
    make(TSR_COMM_WORLD, &again);
    make(TSR_COMM_SELF, &self);
    CHECK(tsr_layout_equal(world, again));
    CHECK(tsr_layout_hash(world) == tsr_layout_hash(again));
    CHECK(!tsr_layout_equal(world, self));
    CHECK_INT(tsr_layout_size(self), 1);
    CHECK_INT(tsr_layout_rank(self), 0);
    CHECK_OK(tsr_layout_destroy(&self));
    CHECK_OK(tsr_layout_destroy(&again));
    CHECK_OK(tsr_layout_destroy(&world));
}

#ifndef TSR_SERIAL
static void a_duplicate_is_another_communicator(void **state)
{
    (void)state;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    tsr_layout *world, *layout;
    make(MPI_COMM_WORLD, &world);
    make(copy, &layout);
    CHECK(!tsr_layout_equal(world, layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&world));
    MPI_Comm_free(&copy);
}

/* A layout works on after its communicator was freed, and is not equal to one over a communicator
 * that happens to get the same handle. */
static void a_communicator_freed_before_its_layout(void **state)
{
    (void)state;
    int rank, found = -1, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 3; ++round) {
        MPI_Comm half, next;
        tsr_layout *layout, *other;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Comm_size(half, &size);
        make(half, &layout);
        MPI_Comm_free(&half);
        CHECK_INT(tsr_layout_size(layout), size);
        CHECK_INT(tsr_layout_rank(layout), rank / 2);
        CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(-1, 0), &found));
        CHECK_INT(found, 0);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &next);
        make(next, &other);
        CHECK(!tsr_layout_equal(layout, other));
        CHECK(tsr_layout_equal(layout, layout));
        CHECK_OK(tsr_layout_destroy(&layout));
        CHECK_OK(tsr_layout_destroy(&other));
        MPI_Comm_free(&next);
    }
}

static void refused_communicators(void **state)
{
    (void)state;
    tsr_layout *layout = (tsr_layout *)&layout;
    CHECK(tsr_layout_create(MPI_COMM_NULL, 2, shape, NULL, &layout) != TSR_OK);
    CHECK(layout == NULL);
}
#else
static void refused_communicators(void **state)
{
    (void)state;
    tsr_layout *layout = (tsr_layout *)&layout;
    CHECK(tsr_layout_create(TSR_COMM_NULL, 2, shape, NULL, &layout) != TSR_OK);
    CHECK(layout == NULL);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_is_not_the_world),
#ifndef TSR_SERIAL
        cmocka_unit_test(a_duplicate_is_another_communicator),
        cmocka_unit_test(a_communicator_freed_before_its_layout),
#endif
        cmocka_unit_test(refused_communicators),
    };
    return TSRT_RUN(argc, argv, tests);
}
