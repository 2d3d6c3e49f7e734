/* ranks: 1 2 */
#include "support/harness.h"

#include "base/context.h"

static void blocks_are_zeroed_and_counted(void **state)
{
    (void)state;
    const tsri_counters before = tsri_counters_read();
    unsigned char *a = tsri_alloc(100, 3);
    CHECK(a != NULL);
    for (int i = 0; i < 300; ++i)
        CHECK_INT(a[i], 0);
    memset(a, 1, 300);
    void *b = tsri_alloc(0, 8), *c = tsri_alloc(8, 0);
    CHECK(b != NULL && c != NULL && b != c);
    CHECK_INT(tsri_counters_read().live_blocks, before.live_blocks + 3);
    tsri_free(a);
    tsri_free(b);
    tsri_free(c);
    tsri_free(NULL);
    tsri_free_aligned(NULL);
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.live_blocks, before.live_blocks);
    CHECK_INT(after.allocations, before.allocations + 3);
}

static void aligned_blocks(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4097};
    for (int i = 0; i < 6; ++i) {
        unsigned char *p = tsri_alloc_aligned(sizes[i]);
        CHECK(p != NULL && (uintptr_t)p % 64 == 0);
        memset(p, 7, sizes[i] > 0 ? sizes[i] : 1);
        tsri_free_aligned(p);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const tsri_counters before = tsri_counters_read();
    volatile size_t huge = SIZE_MAX;
    CHECK(tsri_alloc(huge, 2) == NULL);
    CHECK(tsri_alloc(huge / 2 + 1, 2) == NULL);
    CHECK(tsri_alloc_aligned(huge) == NULL);
    CHECK(tsri_alloc_aligned(huge - 64) == NULL);
    CHECK_INT(tsri_counters_read().live_blocks, before.live_blocks);
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
}

static tsr_status allocate(void)
{
    tsr_status st = TSR_OK;
    double *p = NULL;
    TSRI_ALLOC(done, p, 25);
done:
    tsri_free(p);
    return st;
}

static void the_nth_call_fails_once(void **state)
{
    (void)state;
    for (int n = 0; n < 5; ++n) {
        tsri_fault_arm(n);
        for (int call = 0; call < 10; ++call) {
            CHECK(tsri_fault_fired() == (call > n));
            CHECK_STATUS(allocate(), call == n ? TSR_ERR_NOMEM : TSR_OK);
        }
    }
    CHECK_TEXT("allocate: no memory for 25 objects of 8 bytes [TSR_ERR_NOMEM");
    tsri_fault_arm(0);
    CHECK(!tsri_fault_fired());
    CHECK(tsri_alloc_aligned(64) == NULL);
    CHECK(tsri_fault_fired());
    tsri_fault_arm(-1);
    CHECK(!tsri_fault_fired());
    CHECK(!tsri_fault());
}

static void suspended_calls_are_not_counted(void **state)
{
    (void)state;
    tsri_fault_arm(1);
    tsri_fault_suspend();
    tsri_fault_suspend();
    for (int i = 0; i < 3; ++i)
        CHECK(!tsri_fault());
    tsri_fault_resume();
    for (int i = 0; i < 3; ++i)
        CHECK(!tsri_fault());
    tsri_fault_resume();
    CHECK(!tsri_fault());
    CHECK(tsri_fault());
    tsri_fault_arm(-1);
}

/* Live objects, newest first: the order is tested where everything ends, in test_lifetime_*. */
static void removing_an_object_that_is_not_alive(void **state)
{
    (void)state;
    tsri_live a = {0};
    tsri_live_remove(&a);
    CHECK(a.older == NULL && a.newer == NULL && a.release == NULL);
}

static void counters_add_up(void **state)
{
    (void)state;
    const tsri_counters before = tsri_counters_read();
    tsri_count(TSRI_COUNT_COPIED_BYTES, INT64_C(5000000000));
    tsri_count(TSRI_COUNT_MESSAGES, 2);
    tsri_count(TSRI_COUNT_MESSAGE_BYTES, 30);
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.copied_bytes - before.copied_bytes, INT64_C(5000000000));
    CHECK_INT(after.messages - before.messages, 2);
    CHECK_INT(after.message_bytes - before.message_bytes, 30);
    CHECK_INT(after.live_requests, before.live_requests);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_and_counted),
        cmocka_unit_test(aligned_blocks),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_nth_call_fails_once),
        cmocka_unit_test(suspended_calls_are_not_counted),
        cmocka_unit_test(removing_an_object_that_is_not_alive),
        cmocka_unit_test(counters_add_up),
    };
    return TSRT_RUN(argc, argv, tests);
}
