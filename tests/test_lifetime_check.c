/* ranks: 1 2 */
/* TSR_CHECK in a program without MPI running: prints what failed and ends the program. */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include "base/error.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static tsr_status fails(int a, int b)
{
    return TSRI_FAIL(TSR_ERR_VALUE, "a is %d, b is %d", a, b);
}

/* What a child process prints on standard error, and its exit status. */
static int child(void (*body)(void), char *text, size_t size)
{
    int ends[2], status = 0;
    CHECK(pipe(ends) == 0);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < size - 1; length += (size_t)got)
        CHECK((got = read(ends[0], text + length, size - 1 - length)) >= 0);
    text[length] = '\0';
    close(ends[0]);
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void failing(void)
{
    TSR_CHECK(fails(1, 2));
}

static void failing_by_itself(void)
{
    TSR_CHECK(TSR_ERR_IO);
}

static void succeeding(void)
{
    TSR_CHECK(TSR_OK);
}

int main(void)
{
    char text[2000];
    CHECK_INT(child(succeeding, text, sizeof text), 0);
    CHECK_STR(text, "");
    CHECK_INT(child(failing, text, sizeof text), 1);
    CHECK(strstr(text, "test_lifetime_check.c:") != NULL);
    CHECK(strstr(text, "fails(1, 2)") != NULL);
    CHECK(strstr(text, "a is 1, b is 2 [TSR_ERR_VALUE, test_lifetime_check.c:") != NULL);
    CHECK(text[strlen(text) - 1] == '\n');
    CHECK_INT(child(failing_by_itself, text, sizeof text), 1);
    CHECK(strstr(text, "TSR_ERR_IO: file operation failed\n") != NULL);
    return 0;
}
