/* ranks: 1 2 3 4 6 8 */
#include "support/harness.h"

#include "base/net.h"

static tsri_context *context_of(tsr_comm comm)
{
    tsri_context *context = NULL;
    CHECK_OK(tsri_context_of(comm, &context));
    CHECK(context != NULL);
    CHECK_OK(tsri_context_check(context));
    return context;
}

static void no_communicator(void **state)
{
    (void)state;
    tsri_context *context = context_of(TSR_COMM_WORLD);
    CHECK_STATUS(tsri_context_of(TSR_COMM_NULL, &context), TSR_ERR_VALUE);
    CHECK(context == NULL);
    CHECK_TEXT("TSR_COMM_NULL");
}

static void the_world_has_one_context(void **state)
{
    (void)state;
    tsri_context *context = context_of(TSR_COMM_WORLD);
    CHECK(tsri_context_comm(context) == TSR_COMM_WORLD);
    CHECK_INT(tsri_context_rank(context), tsrt_rank());
    CHECK_INT(tsri_context_size(context), tsrt_size());
    /* Known communicators are looked up locally: one rank may ask alone. */
    if (tsrt_rank() == 0) CHECK(context_of(TSR_COMM_WORLD) == context);
    CHECK(tsri_context_ref(context) == context);
    tsri_context_unref(context);
    tsri_context_unref(NULL);
    CHECK(context_of(TSR_COMM_WORLD) == context);
}

#ifndef TSR_SERIAL

/* Contexts that stay: of the world and self, and the last orphan of each set of ranks. */
enum { FEW = 16 };

static void sum_ints(void *left, const void *right)
{
    int a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    a += b;
    memcpy(left, &a, sizeof a);
}

/* Messages travel, among exactly the ranks of the communicator. */
static void check_works(tsri_context *context)
{
    int sum = tsri_context_rank(context);
    const int n = tsri_context_size(context);
    CHECK_OK(tsri_net_combine(context, &sum, sizeof sum, sum_ints));
    CHECK_INT(sum, n * (n - 1) / 2);
    CHECK_OK(tsri_agree(context, TSR_OK, 11));
}

static MPI_Comm dup_world(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
}

static MPI_Comm split(MPI_Comm parent, int colour, int key)
{
    MPI_Comm comm;
    MPI_Comm_split(parent, colour, key, &comm);
    return comm;
}

static void a_duplicate_is_another_communicator(void **state)
{
    (void)state;
    tsri_context *world = context_of(MPI_COMM_WORLD);
    MPI_Comm first = dup_world(), second;
    tsri_context *a = context_of(first);
    MPI_Comm_dup(first, &second);
    tsri_context *b = context_of(second);
    CHECK(a != world && b != a && b != world);
    CHECK(context_of(first) == a);
    check_works(b);
    MPI_Comm_free(&first);
    check_works(b);
    check_works(world);
    MPI_Comm_free(&second);
}

static void splits_and_nested_splits(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), n = tsrt_size();
    MPI_Comm reversed = split(MPI_COMM_WORLD, 0, -rank);
    MPI_Comm parity = split(MPI_COMM_WORLD, rank % 2, rank);
    MPI_Comm nested = split(parity, rank / 4, rank);
    MPI_Comm alone = split(MPI_COMM_WORLD, rank, 0);
    tsri_context *r = context_of(reversed), *p = context_of(parity), *q = context_of(nested),
                 *s = context_of(alone), *self = context_of(MPI_COMM_SELF);
    CHECK_INT(tsri_context_rank(r), n - 1 - rank);
    CHECK_INT(tsri_context_rank(p), rank / 2);
    CHECK_INT(tsri_context_size(p), (n + (rank % 2 == 0)) / 2);
    CHECK_INT(tsri_context_size(s), 1);
    CHECK_INT(tsri_context_size(self), 1);
    for (int round = 0; round < 3; ++round) {
        check_works(q);
        check_works(r);
        check_works(s);
        check_works(p);
        check_works(self);
    }
    MPI_Comm_free(&parity);
    check_works(q);
    MPI_Comm_free(&nested);
    MPI_Comm_free(&alone);
    MPI_Comm_free(&reversed);
}

/* With a reference the context outlives the user's communicator. */
static void freed_communicator_while_in_use(void **state)
{
    (void)state;
    MPI_Comm user = dup_world();
    tsri_context *context = tsri_context_ref(context_of(user));
    CHECK(tsri_context_comm(context) == user);
    MPI_Comm_free(&user);
    CHECK(tsri_context_comm(context) == MPI_COMM_NULL);
    check_works(context);
    MPI_Comm other = dup_world();
    CHECK(context_of(other) != context);
    check_works(context);
    MPI_Comm_free(&other);
    CHECK_OK(tsri_context_check(context));
    tsri_context_unref(context);
}

static void orphans_are_freed_by_the_next_creation(void **state)
{
    (void)state;
    enum { MANY = 150 };
    MPI_Comm users[MANY];
    tsri_context *contexts[MANY];
    for (int i = 0; i < MANY; ++i) {
        users[i] = dup_world();
        contexts[i] = tsri_context_ref(context_of(users[i]));
    }
    for (int i = 0; i < MANY; ++i)
        MPI_Comm_free(&users[i]);

    /* The last rank still uses the even ones, which the others have given up. */
    const bool keeps = tsrt_rank() == tsrt_size() - 1;
    for (int i = 0; i < MANY; ++i)
        if (!keeps || i % 2 != 0) tsri_context_unref(contexts[i]);
    MPI_Comm collector;
    for (int i = 0; i < 5; ++i) {
        collector = dup_world();
        context_of(collector);
        MPI_Comm_free(&collector);
    }
    const int64_t kept = keeps ? 0 : MANY / 2;
    CHECK(tsri_counters_read().idle_comms >= kept + 1);
    CHECK(tsri_counters_read().idle_comms <= kept + FEW);
    for (int i = 0; i < MANY && keeps; i += 2)
        tsri_context_unref(contexts[i]);
    for (int i = 0; i < 5; ++i) {
        collector = dup_world();
        context_of(collector);
        MPI_Comm_free(&collector);
    }
    CHECK(tsri_counters_read().idle_comms <= FEW);
}

/* Two ways of cutting the world, in turn: groups of the same size, of other ranks. */
static void orphans_of_other_ranks_are_left_alone(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), half = (tsrt_size() + 1) / 2;
    for (int round = 0; round < 60; ++round) {
        MPI_Comm user = round % 2 == 0 ? split(MPI_COMM_WORLD, rank % 2, rank)
                                       : split(MPI_COMM_WORLD, rank / half, rank);
        check_works(context_of(user));
        MPI_Comm_free(&user);
    }
    CHECK(tsri_counters_read().idle_comms <= FEW);
}

static void intercommunicators_are_refused(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), half = tsrt_size() / 2;
    if (half == 0) tsrt_skip("an inter-communicator needs two ranks");
    MPI_Comm mine = split(MPI_COMM_WORLD, rank < half, rank), inter;
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, rank < half ? half : 0, 5, &inter);
    tsri_context *context = NULL;
    CHECK_STATUS(tsri_context_of(inter, &context), TSR_ERR_UNSUPPORTED);
    CHECK(context == NULL);
    CHECK_TEXT("inter-communicator");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&mine);
}

static int copies, deletions;

static int count_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    ++copies;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int count_deletion(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    ++deletions;
    return MPI_SUCCESS;
}

/* The private communicator has nothing of the user's but its ranks. */
static void the_users_attributes_and_handlers_stay(void **state)
{
    (void)state;
    MPI_Comm user = dup_world();
    int key = MPI_KEYVAL_INVALID;
    copies = deletions = 0;
    MPI_Errhandler before, after;
    MPI_Comm_get_errhandler(user, &before);
    MPI_Comm_create_keyval(count_copy, count_deletion, &key, NULL);
    MPI_Comm_set_attr(user, key, NULL);
    context_of(user);
    CHECK_INT(copies, 0);
    CHECK_INT(deletions, 0);
    MPI_Comm_get_errhandler(user, &after);
    CHECK(before == after);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&after);
    MPI_Comm_free(&user);
    CHECK_INT(deletions, 1);
    MPI_Comm_free_keyval(&key);
}

/* Each allocation and MPI call fails once on each rank, while there is an orphan to free. */
static void every_fault_is_everyones_error(void **state)
{
    (void)state;
    MPI_Comm user = dup_world(), orphan = dup_world();
    context_of(orphan);
    MPI_Comm_free(&orphan);
    int failures = 0;
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int64_t n = 0;; ++n) {
            tsri_context *context = NULL;
            const tsri_counters before = tsri_counters_read();
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status st = tsri_context_of(user, &context);
            bool fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            tsrt_bcast(&fired, sizeof fired, victim);
            CHECK_SAME_ON_ALL(st);
            CHECK((st != TSR_OK) == fired);
            CHECK((context != NULL) == (st == TSR_OK));
            if (!fired) break;
            CHECK(st == TSR_ERR_NOMEM || st == TSR_ERR_MPI);
            const tsri_counters after = tsri_counters_read();
            CHECK_INT(after.live_blocks, before.live_blocks);
            CHECK_INT(after.live_comms, before.live_comms);
            CHECK_INT(after.idle_comms, before.idle_comms);
            ++failures;
        }
    CHECK(failures >= 4);
    check_works(context_of(user));
    MPI_Comm_free(&user);
}
#else

static void other_communicators(void **state)
{
    (void)state;
    tsri_context *context = context_of(TSR_COMM_WORLD);
    CHECK(context_of(TSR_COMM_SELF) != context);
    CHECK(context_of(TSR_COMM_SELF) == context_of(TSR_COMM_SELF));
    CHECK_STATUS(tsri_context_of((tsr_comm)(const void *)"?", &context), TSR_ERR_VALUE);
    CHECK(context == NULL);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_communicator),
        cmocka_unit_test(the_world_has_one_context),
#ifndef TSR_SERIAL
        cmocka_unit_test(a_duplicate_is_another_communicator),
        cmocka_unit_test(splits_and_nested_splits),
        cmocka_unit_test(freed_communicator_while_in_use),
        cmocka_unit_test(orphans_are_freed_by_the_next_creation),
        cmocka_unit_test(orphans_of_other_ranks_are_left_alone),
        cmocka_unit_test(intercommunicators_are_refused),
        cmocka_unit_test(the_users_attributes_and_handlers_stay),
        cmocka_unit_test(every_fault_is_everyones_error),
#else
        cmocka_unit_test(other_communicators),
#endif
    };
    return TSRT_RUN(argc, argv, tests);
}
