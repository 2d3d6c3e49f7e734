/* What every test program is made of: cmocka's runner on every rank, and checks that stop all ranks
 * at the first failure, so that none is left waiting.
 *
 * A test file starts with a comment `ranks: 1 2 3 4 6 8` that names the rank counts it runs at:
 *
 *     #include "support/harness.h"
 *
 *     static void L_1_near_even(void **state) { (void)state; CHECK_OK(...); }
 *
 *     int main(int argc, char **argv)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(L_1_near_even)};
 *         return TSRT_RUN(argc, argv, tests);
 *     }
 *
 * A second comment, `timeout: SECONDS`, replaces the limit of 120.  Use the checks below rather
 * than cmocka's own: a failed assertion of cmocka ends the test on one rank only.
 *
 * A program takes a pattern of test names as its argument ("L_1*") and then runs only those. */
#ifndef TSRT_SUPPORT_HARNESS_H
#define TSRT_SUPPORT_HARNESS_H

#include "base/memory.h"

#include <tessera.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Start the library, run the tests, end it.  After each test, memory blocks, requests and
 * communicators alive must be as many as before; after the end, none. */
#define TSRT_RUN(argc, argv, tests)                                                                \
    tsrt_run((argc), (argv), (tests), sizeof(tests) / sizeof((tests)[0]))
int tsrt_run(int argc, char **argv, const struct CMUnitTest *tests, size_t count);

/* This rank and their number in TSR_COMM_WORLD. */
int tsrt_rank(void);
int tsrt_size(void);

/* Over a communicator of the harness; collective. */
void tsrt_barrier(void);
void tsrt_bcast(void *data, size_t bytes, int root);

/* A folder for files, the same on all ranks and of no other test. */
const char *tsrt_folder(void);

/* Whether this run sends messages between all ranks (TESSERA_TRANSPORT=p2p), so that they can be
 * counted; and make it so, before TSRT_RUN. */
bool tsrt_counts_messages(void);
void tsrt_count_messages(void);

/* End this test as skipped, on every rank; prints why. */
void tsrt_skip(const char *reason);

/* Sanitizers keep freed memory for a while, and map memory as they like. */
#if defined(__SANITIZE_ADDRESS__)
#define TSRT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TSRT_SANITIZED 1
#endif
#endif
#ifndef TSRT_SANITIZED
#define TSRT_SANITIZED 0
#endif

#define CHECK(...)                                                                                 \
    ((__VA_ARGS__) ? (void)0 : tsrt_fail(__FILE__, __LINE__, "CHECK(%s)", #__VA_ARGS__))
/* The call gives TSR_OK, or this status. */
#define CHECK_OK(...) tsrt_check_status((__VA_ARGS__), TSR_OK, #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_STATUS(call, expected)                                                               \
    tsrt_check_status((call), (expected), #call, __FILE__, __LINE__)
/* The last failure's text contains this. */
#define CHECK_TEXT(part) tsrt_check_text((part), __FILE__, __LINE__)
#define CHECK_INT(actual, expected)                                                                \
    tsrt_check_int((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)
/* Equal, or at most `tolerance` apart, or both NaN. */
#define CHECK_DOUBLE(actual, expected, tolerance)                                                  \
    tsrt_check_double((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
#define CHECK_STR(actual, expected)                                                                \
    tsrt_check_str((actual), (expected), #actual, __FILE__, __LINE__)
/* Every rank has this value; collective. */
#define CHECK_SAME_ON_ALL(value) tsrt_check_same((value), #value, __FILE__, __LINE__)

/* Print one line (rank, place, text) on standard error and stop all ranks. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void tsrt_fail(const char *file, int line, const char *format, ...);

void tsrt_check_status(tsr_status actual, tsr_status expected, const char *call, const char *file,
                       int line);
void tsrt_check_text(const char *part, const char *file, int line);
void tsrt_check_int(int64_t actual, int64_t expected, const char *what, const char *file, int line);
void tsrt_check_double(double actual, double expected, double tolerance, const char *what,
                       const char *file, int line);
void tsrt_check_str(const char *actual, const char *expected, const char *what, const char *file,
                    int line);
void tsrt_check_same(int value, const char *what, const char *file, int line);

#endif
