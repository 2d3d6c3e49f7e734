#include "common.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 32 };
static const char *known[MAX_NAMES];
static int known_count;

static bool is_known(const char *name)
{
    for (int k = 0; k < known_count; ++k)
        if (strcmp(known[k], name) == 0) return true;
    return false;
}

const char *bench_option(int argc, char **argv, const char *name, const char *otherwise)
{
    if (!is_known(name) && known_count < MAX_NAMES) known[known_count++] = name;
    for (int a = 1; a + 1 < argc; a += 2)
        if (strcmp(argv[a], name) == 0) return argv[a + 1];
    return otherwise;
}

void bench_check_options(int argc, char **argv)
{
    for (int a = 1; a < argc; a += 2) {
        if (!is_known(argv[a]))
            BENCH_STOP("there is no option %s: see the head of the source", argv[a]);
        if (a + 1 == argc) BENCH_STOP("%s needs a value", argv[a]);
    }
}

bench_list bench_numbers(int argc, char **argv, const char *name, const char *otherwise,
                         int64_t least, int64_t most)
{
    bench_list list = {0};
    for (const char *at = bench_option(argc, argv, name, otherwise); *at != '\0';) {
        char *end;
        const long long number = strtoll(at, &end, 10);
        if (end == at || (*end != ',' && *end != '\0') || number < least || number > most ||
            list.count == BENCH_NUMBERS)
            BENCH_STOP("%s needs up to %d numbers from %lld to %lld, with commas", name,
                       BENCH_NUMBERS, (long long)least, (long long)most);
        list.number[list.count++] = number;
        at = *end == ',' ? end + 1 : end;
    }
    return list;
}

bool bench_has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        if (*at == ',') ++at;
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

bench_options bench_read_options(int argc, char **argv)
{
    bench_options options = {.batch_seconds = 2e-3};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    options.rounds = (int)bench_numbers(argc, argv, "--rounds", "15", 0, 10000).number[0];
    options.only = bench_option(argc, argv, "--only", NULL);
    const char *json = bench_option(argc, argv, "--json", NULL);
    if (json != NULL && rank == 0) {
        options.json = fopen(json, "a");
        if (options.json == NULL) BENCH_STOP("cannot write %s", json);
    }
    return options;
}
