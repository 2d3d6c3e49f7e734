/* The environment variables, and what they may say. */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/checked.h"
#include "base/comm.h"

enum { DEFAULT_MESSAGE_LIMIT = 1 << 30 };
#define DEFAULT_TIMEOUT_S 30.0
#define LONGEST_S 1e9

/* The variable's value, NULL when it is not set or empty. */
static const char *variable(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* A plain decimal integer in [low, high]; *value stays when the variable is not set. */
static tsr_status read_integer(const char *name, int64_t low, int64_t high, int64_t *value)
{
    tsr_status st = TSR_OK;
    const char *text = variable(name);
    if (text == NULL) return TSR_OK;

    int64_t number = 0;
    bool valid = true;
    for (const char *c = text; *c != '\0' && valid; ++c)
        valid = *c >= '0' && *c <= '9' && tsri_mul_i64(number, 10, &number) &&
                tsri_add_i64(number, *c - '0', &number);
    TSRI_CHECK(done, valid && number >= low && number <= high, TSR_ERR_VALUE,
               "the environment variable %s is \"%.40s\", must be an integer from %lld to %lld",
               name, text, (long long)low, (long long)high);
    *value = number;
done:
    return st;
}

/* "1", "true" or "yes" in any case, with spaces around, is on; all else is off. */
static bool read_flag(const char *name)
{
    static const char *const on[] = {"1", "true", "yes"};
    const char *text = variable(name);
    size_t length = 0;

    if (text == NULL) return false;
    text += strspn(text, " \t");
    length = strcspn(text, " \t");
    if (text[length + strspn(text + length, " \t")] != '\0') return false;
    for (size_t i = 0; i < sizeof on / sizeof *on; ++i)
        if (strlen(on[i]) == length && strncasecmp(on[i], text, length) == 0) return true;
    return false;
}

/* A time in seconds, above 0, whatever the locale; *seconds stays when the variable is not set. */
static tsr_status read_seconds(const char *name, double *seconds)
{
    tsr_status st = TSR_OK;
    const char *text = variable(name);
    const char *c = text;
    double value = 0;
    if (text == NULL) return TSR_OK;

    for (; *c >= '0' && *c <= '9'; ++c)
        value = 10 * value + (*c - '0');
    if (*c == '.') ++c;
    for (double digit = 0.1; *c >= '0' && *c <= '9'; ++c, digit /= 10)
        value += digit * (*c - '0');
    TSRI_CHECK(done, *c == '\0' && value > 0 && value < LONGEST_S, TSR_ERR_VALUE,
               "the environment variable %s is \"%.40s\", must be a number of seconds above 0",
               name, text);
    *seconds = value;
done:
    return st;
}

/* One of three words; *chosen is its number, and stays when the variable is not set. */
static tsr_status read_choice(const char *name, const char *const words[3], int *chosen)
{
    const char *text = variable(name);
    if (text == NULL) return TSR_OK;
    for (int i = 0; i < 3; ++i) {
        if (strcmp(text, words[i]) != 0) continue;
        *chosen = i;
        return TSR_OK;
    }
    return TSRI_FAIL(TSR_ERR_VALUE,
                     "the environment variable %s is \"%.40s\", must be %s, %s or %s", name, text,
                     words[0], words[1], words[2]);
}

tsr_status tsri_settings_read(tsri_settings *settings)
{
    static const char *const transports[] = {"auto", "shm", "p2p"};
    static const char *const all_writers[] = {"all", "node", "one"};
    tsr_status st = TSR_OK;
    int transport = TSRI_TRANSPORT_AUTO, writers = TSRI_WRITERS_ALL;
    int64_t ranks_per_node = 0, message_limit = DEFAULT_MESSAGE_LIMIT, shm_limit = INT64_MAX;

    *settings = (tsri_settings){.message_limit = message_limit,
                                .shm_limit = shm_limit,
                                .poison = read_flag("TESSERA_POISON"),
                                .debug = read_flag("TESSERA_DEBUG"),
                                .debug_timeout_s = DEFAULT_TIMEOUT_S};
    TSRI_TRY(done, read_integer("TESSERA_RANKS_PER_NODE", 1, INT_MAX, &ranks_per_node));
    TSRI_TRY(done, read_integer("TESSERA_MESSAGE_LIMIT", 1, INT_MAX, &message_limit));
    TSRI_TRY(done, read_seconds("TESSERA_DEBUG_TIMEOUT", &settings->debug_timeout_s));
    TSRI_TRY(done, read_integer("TESSERA_SHM_LIMIT", 0, INT64_MAX, &shm_limit));
    TSRI_TRY(done, read_choice("TESSERA_TRANSPORT", transports, &transport));
    TSRI_TRY(done, read_choice("TESSERA_FILE_WRITERS", all_writers, &writers));
    settings->transport = (tsri_transport)transport;
    settings->file_writers = (tsri_file_writers)writers;
    settings->ranks_per_node = (int)ranks_per_node;
    settings->message_limit = message_limit;
    settings->shm_limit = shm_limit;
done:
    return st;
}
