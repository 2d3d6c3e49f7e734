/* ranks: 1 2 3 4 8 */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include "base/comm.h"

#include <limits.h>
#include <stdio.h>

static const char *const variables[] = {"TESSERA_POISON",        "TESSERA_RANKS_PER_NODE",
                                        "TESSERA_MESSAGE_LIMIT", "TESSERA_TRANSPORT",
                                        "TESSERA_SHM_LIMIT",     "TESSERA_FILE_WRITERS"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static void unset_all(void)
{
    for (int i = 0; i < VARIABLES; ++i)
        CHECK(unsetenv(variables[i]) == 0);
}

static void defaults(void **state)
{
    (void)state;
    tsri_settings s;
    memset(&s, 0xff, sizeof s);
    unset_all();
    CHECK_OK(tsri_settings_read(&s));
    CHECK(!s.poison);
    CHECK_INT(s.ranks_per_node, 0);
    CHECK_INT(s.message_limit, INT64_C(1) << 30);
    CHECK_INT(s.shm_limit, INT64_MAX);
    CHECK(s.transport == TSRI_TRANSPORT_AUTO);
    CHECK(s.file_writers == TSRI_WRITERS_ALL);

    /* An empty variable is one that is not set. */
    for (int i = 0; i < VARIABLES; ++i)
        CHECK(setenv(variables[i], "", 1) == 0);
    CHECK_OK(tsri_settings_read(&s));
    CHECK_INT(s.message_limit, INT64_C(1) << 30);
    unset_all();
}

static void values_are_taken(void **state)
{
    (void)state;
    tsri_settings s;
    unset_all();
    setenv("TESSERA_POISON", " Yes", 1);
    setenv("TESSERA_RANKS_PER_NODE", "3", 1);
    setenv("TESSERA_MESSAGE_LIMIT", "0100", 1);
    setenv("TESSERA_TRANSPORT", "p2p", 1);
    setenv("TESSERA_SHM_LIMIT", "0", 1);
    setenv("TESSERA_FILE_WRITERS", "node", 1);
    CHECK_OK(tsri_settings_read(&s));
    CHECK(s.file_writers == TSRI_WRITERS_NODE);
    CHECK(s.poison);
    CHECK_INT(s.ranks_per_node, 3);
    CHECK_INT(s.message_limit, 100);
    CHECK(s.transport == TSRI_TRANSPORT_P2P);
    CHECK_INT(s.shm_limit, 0);

    setenv("TESSERA_POISON", "0", 1);
    setenv("TESSERA_RANKS_PER_NODE", "2147483647", 1);
    setenv("TESSERA_MESSAGE_LIMIT", "2147483647", 1);
    setenv("TESSERA_TRANSPORT", "shm", 1);
    CHECK_OK(tsri_settings_read(&s));
    CHECK(!s.poison);
    CHECK_INT(s.ranks_per_node, INT_MAX);
    CHECK_INT(s.message_limit, INT_MAX);
    CHECK(s.transport == TSRI_TRANSPORT_SHM);
    unset_all();
}

static const struct {
    const char *name, *value;
    tsr_status status;
} malformed[] = {
    {"TESSERA_RANKS_PER_NODE", "0", TSR_ERR_VALUE},
    {"TESSERA_RANKS_PER_NODE", "-1", TSR_ERR_VALUE},
    {"TESSERA_RANKS_PER_NODE", "2.0", TSR_ERR_VALUE},
    {"TESSERA_RANKS_PER_NODE", "2147483648", TSR_ERR_VALUE},
    {"TESSERA_MESSAGE_LIMIT", "0", TSR_ERR_VALUE},
    {"TESSERA_MESSAGE_LIMIT", "1k", TSR_ERR_VALUE},
    {"TESSERA_MESSAGE_LIMIT", " 1", TSR_ERR_VALUE},
    {"TESSERA_MESSAGE_LIMIT", "99999999999999999999999999999", TSR_ERR_VALUE},
    {"TESSERA_SHM_LIMIT", "-1", TSR_ERR_VALUE},
    {"TESSERA_SHM_LIMIT", "1G", TSR_ERR_VALUE},
    {"TESSERA_FILE_WRITERS", "two", TSR_ERR_VALUE},
    {"TESSERA_TRANSPORT", "AUTO", TSR_ERR_VALUE},
    {"TESSERA_TRANSPORT", "mpi", TSR_ERR_VALUE},
};
enum { MALFORMED = sizeof malformed / sizeof malformed[0] };

static void malformed_values_are_named(void **state)
{
    (void)state;
    for (int i = 0; i < MALFORMED; ++i) {
        char quoted[64];
        tsri_settings s;
        unset_all();
        setenv(malformed[i].name, malformed[i].value, 1);
        CHECK_STATUS(tsri_settings_read(&s), malformed[i].status);
        CHECK_TEXT(malformed[i].name);
        snprintf(quoted, sizeof quoted, "\"%s\"", malformed[i].value);
        CHECK_TEXT(quoted);
        CHECK_INT(s.message_limit, INT64_C(1) << 30);
        CHECK(!s.poison && s.ranks_per_node == 0);
    }
    unset_all();
}

#ifndef TSR_SERIAL
/* Rank 0's environment decides, when the communicator is first used. */
static void rank_0_decides_for_all(void **state)
{
    (void)state;
    MPI_Comm user;
    tsri_context *context = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &user);
    unset_all();
    setenv("TESSERA_MESSAGE_LIMIT", tsrt_rank() == 0 ? "77" : "nonsense", 1);
    if (tsrt_rank() == 0) setenv("TESSERA_RANKS_PER_NODE", "2", 1);
    if (tsrt_rank() == 0) setenv("TESSERA_POISON", "1", 1);
    CHECK_OK(tsri_context_of(user, &context));
    unset_all();
    CHECK_OK(tsri_context_of(user, &context));
    const tsri_settings *s = tsri_context_settings(context);
    CHECK_INT(s->message_limit, 77);
    CHECK_INT(s->ranks_per_node, 2);
    CHECK(s->poison);
    MPI_Comm_free(&user);
}

static void malformed_values_fail_on_all_ranks(void **state)
{
    (void)state;
    MPI_Comm user;
    tsri_context *context = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &user);
    for (int i = 0; i < MALFORMED; ++i) {
        unset_all();
        if (tsrt_rank() == 0) setenv(malformed[i].name, malformed[i].value, 1);
        CHECK_STATUS(tsri_context_of(user, &context), malformed[i].status);
        CHECK(context == NULL);
        CHECK_TEXT(malformed[i].name);
    }
    unset_all();
    CHECK_OK(tsri_context_of(user, &context));
    MPI_Comm_free(&user);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(values_are_taken),
        cmocka_unit_test(malformed_values_are_named),
#ifndef TSR_SERIAL
        cmocka_unit_test(rank_0_decides_for_all),
        cmocka_unit_test(malformed_values_fail_on_all_ranks),
#endif
    };
    return TSRT_RUN(argc, argv, tests);
}
