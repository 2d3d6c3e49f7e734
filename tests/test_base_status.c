/* ranks: 1 2 */
#include "support/harness.h"

#include "base/checked.h"
#include "base/error.h"

#include <stdio.h>

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    CHECK_INT(TSR_OK, 0);
    CHECK_STR(tsr_status_name(TSR_OK), "TSR_OK");
    CHECK_STR(tsr_status_name(TSR_ERR_VALUE), "TSR_ERR_VALUE");
    CHECK_STR(tsr_status_text(TSR_ERR_VALUE), "impossible value");
    CHECK_STR(tsr_status_name(TSR_ERR_INTERNAL), "TSR_ERR_INTERNAL");
    for (int a = 0; a < TSR_STATUS_COUNT; ++a) {
        CHECK(strncmp(tsr_status_name(a), "TSR_", 4) == 0);
        CHECK(strlen(tsr_status_text(a)) > 0);
        for (int b = 0; b < a; ++b)
            CHECK(strcmp(tsr_status_name(a), tsr_status_name(b)) != 0);
    }
    const int strange[] = {-1, TSR_STATUS_COUNT, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 4; ++i) {
        CHECK_STR(tsr_status_name(strange[i]), "unknown status");
        CHECK(tsr_status_text(strange[i]) != NULL);
    }
}

/* The order in which codes win when ranks disagree is part of the interface. */
static void codes_are_ordered_by_weight(void **state)
{
    (void)state;
    const int order[] = {TSR_OK,           TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_VALUE,
                         TSR_ERR_INDEX,    TSR_ERR_AXIS,     TSR_ERR_TYPE,  TSR_ERR_UNSUPPORTED,
                         TSR_ERR_OVERFLOW, TSR_ERR_IO,       TSR_ERR_GATE,  TSR_ERR_NOMEM,
                         TSR_ERR_MPI,      TSR_ERR_INTERNAL};
    CHECK_INT(sizeof order / sizeof order[0], TSR_STATUS_COUNT);
    for (int i = 0; i < TSR_STATUS_COUNT; ++i)
        CHECK_INT(order[i], i);
}

static void version_and_flavour(void **state)
{
    (void)state;
    int major = -1, minor = -1, patch = -1, end = 0;
    CHECK_INT(sscanf(tsr_version(), "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
    CHECK_INT(tsr_version()[end], '\0');
#ifdef TSR_SERIAL
    CHECK_STR(tsr_flavour(), "serial");
#else
    CHECK(strcmp(tsr_flavour(), "serial") != 0 && strlen(tsr_flavour()) > 0);
#endif
}

static void a_failure_says_where(void **state)
{
    (void)state;
    char expected[200];
    const int line = __LINE__ + 1;
    CHECK_STATUS(TSRI_FAIL(TSR_ERR_AXIS, "axis is %d, must be < %d", 7, 3), TSR_ERR_AXIS);
    snprintf(expected, sizeof expected,
             "a_failure_says_where: axis is 7, must be < 3 [TSR_ERR_AXIS, test_base_status.c:%d]",
             line);
    CHECK_STR(tsr_error_text(), expected);
    CHECK(tsri_error_speaks());

    /* A text may quote the one before. */
    TSRI_FAIL(TSR_ERR_IO, "then: %s", tsr_error_text());
    CHECK_TEXT("a_failure_says_where: then: a_failure_says_where: axis is 7");
    CHECK_STATUS(tsri_fail(TSR_ERR_IO, "f", "no_folder.c", 3, "%s", "x"), TSR_ERR_IO);
    CHECK_STR(tsr_error_text(), "f: x [TSR_ERR_IO, no_folder.c:3]");
}

static void long_texts_are_cut_before_the_code(void **state)
{
    (void)state;
    char sentence[2000], func[2000];
    memset(func, 'f', sizeof func - 1);
    func[sizeof func - 1] = '\0';
    for (size_t length = 300; length < sizeof sentence; length += 7) {
        memset(sentence, 'x', length);
        sentence[length] = '\0';
        tsri_fail(TSR_ERR_VALUE, "f", "a/b.c", 12, "%s", sentence);
        const char *text = tsr_error_text();
        const char *tail = " [TSR_ERR_VALUE, b.c:12]";
        CHECK(strlen(text) < TSRI_TEXT_BYTES);
        CHECK_STR(text + strlen(text) - strlen(tail), tail);
    }
    tsri_fail(TSR_ERR_VALUE, func, func, 2147483647, "%s", sentence);
    CHECK_TEXT(":2147483647]");
}

static void a_text_is_one_line(void **state)
{
    (void)state;
    tsri_fail(TSR_ERR_IO, "f", "c.c", 3, "no '%s'", "a\x1b[31m\nb\tc\x7f\x01 \xc3\xa9");
    CHECK_STR(tsr_error_text(), "f: no 'a?[31m b c?? \xc3\xa9' [TSR_ERR_IO, c.c:3]");
}

static void success_leaves_the_text(void **state)
{
    (void)state;
    TSRI_FAIL(TSR_ERR_IO, "kept");
    CHECK_OK(tsr_init(NULL, NULL));
    CHECK_TEXT("kept");
}

static void products(void **state)
{
    (void)state;
    int64_t out = -1;
    CHECK(tsri_product_i64(0, NULL, &out));
    CHECK_INT(out, 1);
    CHECK(tsri_product_i64(3, TSR_SHAPE(2, 3, 7), &out));
    CHECK_INT(out, 42);
    CHECK(tsri_product_i64(2, TSR_SHAPE(INT64_C(1) << 31, INT64_C(1) << 31), &out));
    CHECK_INT(out, INT64_C(1) << 62);
    CHECK(tsri_product_i64(2, TSR_SHAPE(INT64_MAX, 1), &out));
    CHECK_INT(out, INT64_MAX);
    out = 5;
    CHECK(!tsri_product_i64(2, TSR_SHAPE(INT64_C(1) << 32, INT64_C(1) << 31), &out));
    CHECK(!tsri_product_i64(2, TSR_SHAPE(INT64_MAX, 2), &out));
    CHECK_INT(out, 5);
    /* An axis without cells makes an array without cells, whatever the others are. */
    CHECK(tsri_product_i64(3, TSR_SHAPE(INT64_MAX, INT64_MAX, 0), &out));
    CHECK_INT(out, 0);
    out = 5;
    CHECK(tsri_product_i64(3, TSR_SHAPE(0, INT64_MAX, INT64_MAX), &out));
    CHECK_INT(out, 0);
}

static void sums_and_hashes(void **state)
{
    (void)state;
    int64_t sum = 0;
    size_t bytes = 0;
    CHECK(tsri_add_i64(INT64_MAX - 1, 1, &sum));
    CHECK_INT(sum, INT64_MAX);
    CHECK(!tsri_add_i64(INT64_MAX, 1, &sum));
    CHECK(!tsri_add_i64(INT64_MIN, -1, &sum));
    CHECK(!tsri_mul_i64(INT64_MIN, -1, &sum));
    CHECK(tsri_mul_size(SIZE_MAX / 2, 2, &bytes) && bytes == SIZE_MAX - 1);
    CHECK(!tsri_mul_size(SIZE_MAX / 2 + 1, 2, &bytes));

    /* Published values of the 64-bit FNV-1a hash. */
    CHECK(tsri_hash(TSRI_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    CHECK(tsri_hash(TSRI_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    CHECK(tsri_hash(TSRI_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    CHECK(tsri_hash(tsri_hash(TSRI_HASH_START, "foo", 3), "bar", 3) ==
          UINT64_C(0x85944171f73967e8));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(codes_are_ordered_by_weight),
        cmocka_unit_test(version_and_flavour),
        cmocka_unit_test(a_failure_says_where),
        cmocka_unit_test(long_texts_are_cut_before_the_code),
        cmocka_unit_test(a_text_is_one_line),
        cmocka_unit_test(success_leaves_the_text),
        cmocka_unit_test(products),
        cmocka_unit_test(sums_and_hashes),
    };
    return TSRT_RUN(argc, argv, tests);
}
