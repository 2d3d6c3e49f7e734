#define _POSIX_C_SOURCE 200809L
#include "expressions.h"

#include "common.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *to, *from;
static pid_t child;

/* A line to the process and its answer, a number. */
static double ask(const char *format, const char *who, long long number)
{
    double answer = 0;

    fprintf(to, format, who, number);
    fflush(to);
    if (fscanf(from, "%lf", &answer) != 1) BENCH_STOP("Python ended");
    return answer;
}

bool expr_python_start(const char *python)
{
    int down[2], up[2];

    if (access(python, X_OK) != 0) return false;
    if (pipe(down) != 0 || pipe(up) != 0) BENCH_STOP("no pipe");
    child = fork();
    if (child == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execl(python, python, "bench/expressions/peers.py", (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to = fdopen(down[1], "w");
    from = fdopen(up[0], "r");
    if (child < 0 || to == NULL || from == NULL) BENCH_STOP("no process for Python");
    return true;
}

void expr_python_case(const expr_data *data)
{
    static const char *const names[EXPR_END] = {"arithmetic", "sine",      "exp",       "log",
                                                "where",      "stencil_7", "stencil_27"};
    const bool stencil = data->which >= EXPR_STENCIL_7;

    ask("type %s %lld\n", tsr_dtype_name(data->dtype), 0);
    ask("case %s %lld\n", names[data->which], (long long)(stencil ? data->extent[0] : data->cells));
}

double expr_python_sum(const char *who, int64_t step)
{
    return ask("sum %s %lld\n", who, (long long)step);
}

double expr_python_seconds(const char *who, int count)
{
    return ask("time %s %lld\n", who, count);
}

void expr_python_end(void)
{
    if (to == NULL) return;
    fclose(to);
    fclose(from);
    waitpid(child, NULL, 0);
}
