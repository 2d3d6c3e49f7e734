#define _GNU_SOURCE
#include "common.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct bench_python {
    pid_t process;
    FILE *ask, *answer;
    const char *program;
};

static void become(const char *python, const char *program, const int *questions,
                   const int *answers)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", BENCH_FOLDER, program);
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    close(questions[1]);
    close(answers[0]);
    execl(python, python, path, (char *)NULL);
    _exit(127);
}

/* It says so when it is ready: Python, or what the program imports, may be missing. */
bench_python *bench_python_start(const char *python, const char *program)
{
    int questions[2], answers[2];
    char line[16] = "";

    if (access(python, X_OK) != 0) return NULL;
    bench_python *p = bench_alloc(sizeof *p);
    signal(SIGPIPE, SIG_IGN);
    if (pipe(questions) != 0 || pipe(answers) != 0) BENCH_STOP("no pipes");
    p->program = program;
    p->process = fork();
    if (p->process == 0) become(python, program, questions, answers);
    close(questions[0]);
    close(answers[1]);
    p->ask = fdopen(questions[1], "w");
    p->answer = fdopen(answers[0], "r");
    if (p->process > 0 && fgets(line, sizeof line, p->answer) != NULL) return p;
    bench_python_end(p);
    return NULL;
}

void bench_python_end(bench_python *p)
{
    if (p == NULL) return;
    fclose(p->ask);
    fclose(p->answer);
    if (p->process > 0) waitpid(p->process, NULL, 0);
    free(p);
}

void bench_python_ask(bench_python *p, int count, double *answer, const char *format, ...)
{
    char line[1024], *at = line;
    va_list arguments;

    va_start(arguments, format);
    vfprintf(p->ask, format, arguments);
    va_end(arguments);
    fputc('\n', p->ask);
    fflush(p->ask);
    if (fgets(line, sizeof line, p->answer) == NULL) BENCH_STOP("%s has ended", p->program);
    for (int k = 0; k < count; ++k) {
        char *end;
        answer[k] = strtod(at, &end);
        if (end == at) BENCH_STOP("%s answers \"%s\"", p->program, line);
        at = end;
    }
}
