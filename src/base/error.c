#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the text that agreement may put in front: "rank 2147483647: ". */
enum { PREFIX_BYTES = 18 };

static _Thread_local struct last_failure {
    char text[TSRI_TEXT_BYTES];
    bool silent; /* another rank prints it */
    bool shared; /* all ranks of an agreement hold it */
} last;

/* The collective call that this thread entered last, for failures inside it. */
static _Thread_local const char *entered;

void tsri_error_enter(const char *call)
{
    entered = call;
}

/* Texts name what the user called: a function of ours stands for the call it works for. */
static const char *public_name(const char *func)
{
    return entered == NULL || strncmp(func, "tsr_", 4) == 0 ? func : entered;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A text is one line that does nothing to a terminal, whatever names and messages it quotes. */
static void make_one_line(char *text)
{
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '\t' || c == '\n' || c == '\r')
            *text = ' ';
        else if (c < 0x20 || c == 0x7f)
            *text = '?';
    }
}

/* A sentence too long loses its end, never the code and the place behind it. */
tsr_status tsri_fail(tsr_status code, const char *func, const char *file, int line,
                     const char *format, ...)
{
    char sentence[TSRI_TEXT_BYTES], place[128];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args); /* may quote the text it replaces */
    va_end(args);
    const int tail = snprintf(place, sizeof place, " [%s, %.60s:%d]", tsr_status_name(code),
                              file_name(file), line);
    const int room = TSRI_TEXT_BYTES - PREFIX_BYTES - 1 - tail;
    char text[TSRI_TEXT_BYTES];
    snprintf(text, (size_t)room + 1, "%s: %s", public_name(func), sentence);
    strcat(text, place);
    make_one_line(text);
    tsri_error_set(text, true);
    last.shared = false;
    return code;
}

tsr_status tsri_fail_at(const char *call, const char *file, int line, tsr_status code,
                        const char *text, int column, const char *format, ...)
{
    enum { SHOWN = 32 };
    char sentence[TSRI_TEXT_BYTES];
    const size_t length = strlen(text), before = (size_t)column - 1;
    const char *rest = text + (before < length ? before : length);
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (*rest == '\0')
        return tsri_fail(code, call, file, line, "at the end of the text (column %d): %s", column,
                         sentence);
    return tsri_fail(code, call, file, line, "column %d, at \"%.*s%s\": %s", column, SHOWN, rest,
                     strlen(rest) > SHOWN ? "..." : "", sentence);
}

void tsri_error_set(const char *text, bool speaks)
{
    snprintf(last.text, sizeof last.text, "%s", text);
    last.silent = !speaks;
    last.shared = true;
}

bool tsri_error_speaks(void)
{
    return !last.silent;
}

bool tsri_error_shared(void)
{
    return last.shared;
}

const char *tsr_error_text(void)
{
    return last.text;
}
