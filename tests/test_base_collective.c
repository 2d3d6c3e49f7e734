/* ranks: 1 2 3 4 5 6 7 8 */
#define _POSIX_C_SOURCE 200809L
#include "support/harness.h"

#include "base/net.h"

#include <stdio.h>

static tsri_context *world(void)
{
    tsri_context *context = NULL;
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
    return context;
}

/* A word over the ranks, with brackets where two were joined: neither commutative nor associative,
 * so it shows the order. */
typedef struct word {
    char text[64];
} word;

static void join(void *left, const void *right)
{
    word joined;
    snprintf(joined.text, sizeof joined.text, "(%.30s%.30s)", ((word *)left)->text,
             ((const word *)right)->text);
    *(word *)left = joined;
}

static void combine_is_a_binomial_tree_in_rank_order(void **state)
{
    (void)state;
    static const char *const expected[] = {"",
                                           "0",
                                           "(01)",
                                           "((01)2)",
                                           "((01)(23))",
                                           "(((01)(23))4)",
                                           "(((01)(23))(45))",
                                           "(((01)(23))((45)6))",
                                           "(((01)(23))((45)(67)))"};
    CHECK(tsrt_size() <= 8);
    for (int repeat = 0; repeat < 20; ++repeat) {
        word mine = {{(char)('0' + tsrt_rank()), '\0'}};
        CHECK_OK(tsri_net_combine(world(), &mine, sizeof mine, join));
        CHECK_STR(mine.text, expected[tsrt_size()]);
    }
}

enum { LARGE = 10007 };

static void add_all(void *left, const void *right)
{
    int32_t *a = left;
    const int32_t *b = right;
    for (int i = 0; i < LARGE; ++i)
        a[i] += b[i];
}

static void combine_takes_records_of_any_size(void **state)
{
    (void)state;
    int32_t *record = malloc(LARGE * sizeof *record);
    CHECK(record != NULL);
    for (int i = 0; i < LARGE; ++i)
        record[i] = i + tsrt_rank();
    CHECK_OK(tsri_net_combine(world(), record, LARGE * sizeof *record, add_all));
    const int n = tsrt_size();
    for (int i = 0; i < LARGE; ++i)
        CHECK_INT(record[i], n * i + n * (n - 1) / 2);
    free(record);
}

static void bcast_from_every_root(void **state)
{
    (void)state;
    unsigned char data[1000];
    for (int root = 0; root < tsrt_size(); ++root)
        for (size_t bytes = 0; bytes <= sizeof data; bytes = bytes * 3 + 1) {
            for (size_t i = 0; i < bytes; ++i)
                data[i] = (unsigned char)(tsrt_rank() == root ? i + (size_t)root : 0xee);
            CHECK_OK(tsri_net_bcast(world(), data, bytes, root));
            for (size_t i = 0; i < bytes; ++i)
                CHECK_INT(data[i], (i + (size_t)root) & 0xff);
        }
}

/* What all ranks together send: a tree over P ranks has P - 1 edges. */
static void messages_are_counted(void **state)
{
    (void)state;
    const int64_t n = tsrt_size();
    int64_t sent[2] = {0, 0};
    unsigned char data[100] = {0};
    word mine = {""};

    tsri_counters before = tsri_counters_read();
    CHECK_OK(tsri_net_bcast(world(), data, sizeof data, 0));
    CHECK_OK(tsri_net_combine(world(), &mine, sizeof mine, join));
    tsri_counters after = tsri_counters_read();
    CHECK_INT(after.allocations, before.allocations);
    for (int r = 0; r < n; ++r) {
        int64_t theirs[2] = {after.messages - before.messages,
                             after.message_bytes - before.message_bytes};
        tsrt_bcast(theirs, sizeof theirs, r);
        sent[0] += theirs[0];
        sent[1] += theirs[1];
    }
    CHECK_INT(sent[0], 3 * (n - 1));
    CHECK_INT(sent[1], (n - 1) * (int64_t)(sizeof data + 2 * sizeof mine));
}

/* Each call that may fail fails once on each rank; the others get through, and so does the next
 * call. */
static void a_failing_rank_takes_part_to_the_end(void **state)
{
    (void)state;
    int32_t *record = calloc(LARGE, sizeof *record);
    CHECK(record != NULL);
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int64_t n = 0;; ++n) {
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status combined =
                tsri_net_combine(world(), record, LARGE * sizeof *record, add_all);
            const tsr_status sent = tsri_net_bcast(world(), record, 64, tsrt_size() - 1);
            bool fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            CHECK((combined != TSR_OK || sent != TSR_OK) == fired);
            tsrt_bcast(&fired, sizeof fired, victim);
            int value = tsrt_rank();
            CHECK_OK(tsri_net_bcast(world(), &value, sizeof value, 0));
            CHECK_INT(value, 0);
            if (!fired) break;
        }
    free(record);
}

#ifndef TSR_SERIAL
static void persistent_messages(void **state)
{
    (void)state;
    const int n = tsrt_size(), left = (tsrt_rank() + n - 1) % n, right = (tsrt_rank() + 1) % n;
    int64_t in = -1, out = -1;
    tsri_request requests[3] = {TSRI_REQUEST_NULL, TSRI_REQUEST_NULL, TSRI_REQUEST_NULL};
    const tsri_counters before = tsri_counters_read();

    CHECK_OK(tsri_net_recv_init(world(), &in, sizeof in, left, TSRI_TAG_EXCHANGE, &requests[0]));
    CHECK_OK(tsri_net_send_init(world(), &out, sizeof out, right, TSRI_TAG_EXCHANGE, &requests[1]));
    CHECK_INT(tsri_counters_read().live_requests, before.live_requests + 2);
    for (int round = 0; round < 100; ++round) {
        bool done = false;
        out = 1000 * round + tsrt_rank();
        CHECK_OK(tsri_net_start(world(), 2, requests));
        while (round % 2 == 0 && !done)
            CHECK_OK(tsri_net_test(world(), 2, requests, &done));
        CHECK_OK(tsri_net_wait(world(), 2, requests));
        CHECK_INT(in, 1000 * round + left);
    }
    tsri_net_free(3, requests);
    CHECK(requests[0] == TSRI_REQUEST_NULL && requests[1] == TSRI_REQUEST_NULL);
    CHECK_INT(tsri_counters_read().live_requests, before.live_requests);

    CHECK_STATUS(tsri_net_send_init(world(), &out, SIZE_MAX, right, TSRI_TAG_EXCHANGE, requests),
                 TSR_ERR_OVERFLOW);
    CHECK(requests[0] == TSRI_REQUEST_NULL);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combine_is_a_binomial_tree_in_rank_order),
        cmocka_unit_test(combine_takes_records_of_any_size),
        cmocka_unit_test(bcast_from_every_root),
        cmocka_unit_test(messages_are_counted),
        cmocka_unit_test(a_failing_rank_takes_part_to_the_end),
#ifndef TSR_SERIAL
        cmocka_unit_test(persistent_messages),
#endif
    };
    unsetenv("TESSERA_MESSAGE_LIMIT"); /* what is counted is not cut */
    return TSRT_RUN(argc, argv, tests);
}
