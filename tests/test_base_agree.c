/* ranks: 1 2 3 4 5 6 7 8 */
#include "support/harness.h"

#include "base/context.h"

#include <stdio.h>

static tsri_context *world(void)
{
    tsri_context *context = NULL;
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
    return context;
}

/* Every rank holds rank 0's text, and exactly one prints it. */
static void check_same_text(int speaker)
{
    char text[TSRI_TEXT_BYTES];
    snprintf(text, sizeof text, "%s", tsr_error_text());
    tsrt_bcast(text, sizeof text, 0);
    CHECK_STR(tsr_error_text(), text);
    CHECK(tsri_error_speaks() == (tsrt_rank() == speaker));
}

/* A collective function with one argument that may be wrong and one that must match. */
static tsr_status guinea_pig(int value, uint64_t shared)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK(agree, value >= 0, TSR_ERR_VALUE, "value is %d, must be >= 0", value);
agree:
    return tsri_agree(world(), st, shared);
}

static void success(void **state)
{
    (void)state;
    for (int i = 0; i < 50; ++i)
        CHECK_OK(guinea_pig(i, (uint64_t)i));
    CHECK_OK(guinea_pig(0, UINT64_MAX));
}

static void one_wrong_rank_is_everyones_error(void **state)
{
    (void)state;
    const int n = tsrt_size();
    for (int wrong = 0; wrong < n; ++wrong) {
        const int value = tsrt_rank() == wrong ? -2 - wrong : 1;
        char sentence[80];
        CHECK_STATUS(guinea_pig(value, 7), TSR_ERR_VALUE);
        snprintf(sentence, sizeof sentence, "guinea_pig: value is %d, must be >= 0 [TSR_ERR_VALUE",
                 -2 - wrong);
        CHECK_TEXT(sentence);
        snprintf(sentence, sizeof sentence, "rank %d: guinea_pig", wrong);
        if (n > 1) CHECK(strncmp(tsr_error_text(), sentence, strlen(sentence)) == 0);
        check_same_text(wrong);
        CHECK_OK(guinea_pig(1, 7));
    }
}

static void the_lowest_of_equal_failures_speaks(void **state)
{
    (void)state;
    const int n = tsrt_size(), first = n / 2;
    CHECK_STATUS(guinea_pig(tsrt_rank() >= first ? -1 - tsrt_rank() : 0, 7), TSR_ERR_VALUE);
    char sentence[40];
    snprintf(sentence, sizeof sentence, "value is %d,", -1 - first);
    CHECK_TEXT(sentence);
    check_same_text(first);
}

/* Each rank fails differently: the largest code wins, wherever it is. */
static void the_worst_status_wins(void **state)
{
    (void)state;
    const int n = tsrt_size();
    for (int shift = 0; shift < n; ++shift) {
        const tsr_status mine = TSR_ERR_STATE + (tsrt_rank() + shift) % n;
        const int worst_rank = (2 * n - 1 - shift) % n;
        TSRI_FAIL(mine, "status %d", mine);
        CHECK_STATUS(tsri_agree(world(), mine, 0), TSR_ERR_STATE + n - 1);
        CHECK_TEXT(tsr_status_name(TSR_ERR_STATE + n - 1));
        check_same_text(worst_rank);
    }
}

static void a_failure_beats_a_mismatch(void **state)
{
    (void)state;
    const int last = tsrt_size() - 1;
    CHECK_STATUS(guinea_pig(tsrt_rank() == last ? -1 : 0, (uint64_t)tsrt_rank()), TSR_ERR_VALUE);
    check_same_text(last);
}

static void mismatch_names_the_first_rank_that_differs(void **state)
{
    (void)state;
    const int n = tsrt_size();
    if (n == 1) tsrt_skip("one rank agrees with itself");
    for (int odd = 1; odd < n; ++odd)
        for (int later = 0; later < 2; ++later) {
            const bool differs = tsrt_rank() == odd || (later && tsrt_rank() > odd);
            char sentence[80];
            CHECK_STATUS(guinea_pig(0, differs ? (uint64_t)tsrt_rank() << 60 : 1),
                         TSR_ERR_MISMATCH);
            snprintf(sentence, sizeof sentence, "rank %d passed other arguments than rank 0", odd);
            CHECK_TEXT(sentence);
            CHECK_TEXT("[TSR_ERR_MISMATCH]");
            check_same_text(odd);
        }
    CHECK_STATUS(guinea_pig(0, tsrt_rank() == 0), TSR_ERR_MISMATCH);
    CHECK_TEXT("rank 1 passed");
}

/* A collective call inside another one: its text names its rank once. */
static void a_text_is_prefixed_once(void **state)
{
    (void)state;
    const int last = tsrt_size() - 1;
    const tsr_status inner = guinea_pig(tsrt_rank() == last ? -5 : 0, 0);
    char text[TSRI_TEXT_BYTES];
    snprintf(text, sizeof text, "%s", tsr_error_text());
    CHECK_STATUS(tsri_agree(world(), inner, 0), TSR_ERR_VALUE);
    CHECK_STR(tsr_error_text(), text);
    check_same_text(tsrt_size() > 1 ? 0 : last);
}

static void a_long_text_keeps_its_code(void **state)
{
    (void)state;
    tsr_status st = TSR_OK;
    if (tsrt_rank() == tsrt_size() - 1) st = TSRI_FAIL(TSR_ERR_IO, "%0900d", 7);
    CHECK_STATUS(tsri_agree(world(), st, 0), TSR_ERR_IO);
    CHECK_TEXT("[TSR_ERR_IO, test_base_agree.c:");
    CHECK(strlen(tsr_error_text()) < TSRI_TEXT_BYTES);
    CHECK(strlen(tsr_error_text()) > TSRI_TEXT_BYTES - 40);
    check_same_text(tsrt_size() - 1);
}

static void agreement_is_no_place_for_faults_and_costs_one_rank_nothing(void **state)
{
    (void)state;
    const tsri_counters before = tsri_counters_read();
    tsri_fault_arm(0);
    CHECK_OK(tsri_agree(world(), TSR_OK, 0));
    CHECK(!tsri_fault_fired());
    tsri_fault_arm(-1);
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.allocations, before.allocations);
    if (tsrt_size() == 1) CHECK_INT(after.messages, before.messages);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success),
        cmocka_unit_test(one_wrong_rank_is_everyones_error),
        cmocka_unit_test(the_lowest_of_equal_failures_speaks),
        cmocka_unit_test(the_worst_status_wins),
        cmocka_unit_test(a_failure_beats_a_mismatch),
        cmocka_unit_test(mismatch_names_the_first_rank_that_differs),
        cmocka_unit_test(a_text_is_prefixed_once),
        cmocka_unit_test(a_long_text_keeps_its_code),
        cmocka_unit_test(agreement_is_no_place_for_faults_and_costs_one_rank_nothing),
    };
    return TSRT_RUN(argc, argv, tests);
}
