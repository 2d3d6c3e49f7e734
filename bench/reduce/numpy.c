/* NumPy, asked through pipes: bench/numpy_times.py times itself and answers. */
#define _GNU_SOURCE
#include "reduce.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct reduce_numpy {
    pid_t process;
    FILE *ask, *answer;
};

static void become(const char *python, const int *questions, const int *answers)
{
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    close(questions[1]);
    close(answers[0]);
    execl(python, python, "bench/numpy_times.py", (char *)NULL);
    _exit(127);
}

reduce_numpy *reduce_numpy_start(const char *python)
{
    int questions[2], answers[2];
    char line[16] = "";
    reduce_numpy *numpy = bench_alloc(sizeof *numpy);

    signal(SIGPIPE, SIG_IGN);
    if (pipe(questions) != 0 || pipe(answers) != 0) BENCH_STOP("no pipes");
    numpy->process = fork();
    if (numpy->process == 0) become(python, questions, answers);
    close(questions[0]);
    close(answers[1]);
    numpy->ask = fdopen(questions[1], "w");
    numpy->answer = fdopen(answers[0], "r");
    if (numpy->process > 0 && fgets(line, sizeof line, numpy->answer) != NULL) return numpy;
    reduce_numpy_end(numpy);
    return NULL;
}

void reduce_numpy_end(reduce_numpy *numpy)
{
    if (numpy == NULL) return;
    fclose(numpy->ask);
    fclose(numpy->answer);
    if (numpy->process > 0) waitpid(numpy->process, NULL, 0);
    free(numpy);
}

void reduce_numpy_set(reduce_numpy *numpy, const reduce_problem *p, int64_t first)
{
    fprintf(numpy->ask, "set %s %s %" PRId64 " %" PRId64 "\n", reduce_names[p->operation],
            p->single ? "f4" : "f8", first, p->n);
}

double reduce_numpy_run(reduce_numpy *numpy, int runs, double *seconds)
{
    double value;

    fprintf(numpy->ask, "run %d\n", runs);
    fflush(numpy->ask);
    if (fscanf(numpy->answer, "%lf %lf", seconds, &value) != 2) BENCH_STOP("NumPy does not answer");
    return value;
}
