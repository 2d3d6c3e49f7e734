/* Selections as text: "2:10, ::-1, 3". */
#include "move/selection.h"

#include <string.h>

typedef struct {
    const char *call, *text;
    int position; /* columns are one more */
} reader;

#define FAIL(r, ...)                                                                               \
    TSRI_FAIL_AT((r)->call, TSR_ERR_VALUE, (r)->text, (r)->position + 1, __VA_ARGS__)

static char peek(reader *r)
{
    while (strchr(" \t\n\r", r->text[r->position]) != NULL && r->text[r->position] != '\0')
        ++r->position;
    return r->text[r->position];
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_number(char c)
{
    return is_digit(c) || c == '-' || c == '+';
}

/* Beyond 64 bits it is the nearest end: no axis is as long. */
static tsr_status read_number(reader *r, int64_t *number)
{
    const bool minus = r->text[r->position] == '-';
    int64_t n = 0;

    if (!is_digit(r->text[r->position])) ++r->position;
    if (!is_digit(peek(r))) return FAIL(r, "expected digits after the sign");
    for (; is_digit(r->text[r->position]); ++r->position) {
        const int digit = r->text[r->position] - '0';
        n = n > (INT64_MAX - digit) / 10 ? INT64_MAX : 10 * n + digit;
    }
    *number = minus ? -n : n;
    return TSR_OK;
}

/* The numbers of an integer or a slice, and the colons between them. */
static tsr_status read_range(reader *r, tsr_index *index)
{
    int64_t number[3] = {TSR_NONE, TSR_NONE, TSR_NONE};
    int colons = 0;
    tsr_status st = TSR_OK;

    for (;;) {
        if (starts_number(peek(r))) TSRI_TRY(done, read_number(r, &number[colons]));
        if (peek(r) != ':') break;
        if (colons == 2) return FAIL(r, "a slice has at most two colons, start:stop:step");
        ++colons;
        ++r->position;
    }
    *index =
        colons == 0 ? tsr_index_int(number[0]) : tsr_index_slice(number[0], number[1], number[2]);
done:
    return st;
}

static tsr_status read_entry(reader *r, tsr_index *index)
{
    const char c = peek(r);

    if (strncmp(r->text + r->position, "...", 3) == 0) {
        r->position += 3;
        *index = tsr_index_ellipsis();
        return TSR_OK;
    }
    if (c != ':' && !starts_number(c))
        return FAIL(r, "expected an integer, a slice start:stop:step or \"...\"");
    return read_range(r, index);
}

tsr_status tsri_selection_read(const char *call, const char *text,
                               tsr_index index[TSRI_MAX_ENTRIES], int column[TSRI_MAX_ENTRIES],
                               int *count)
{
    reader r = {.call = call, .text = text};
    tsr_status st = TSR_OK;

    *count = 0;
    while (peek(&r) != '\0') {
        tsr_index entry;
        const int first = r.position + 1;
        TSRI_TRY(done, read_entry(&r, &entry));
        if (*count < TSRI_MAX_ENTRIES) {
            index[*count] = entry;
            column[(*count)++] = first;
        }
        if (peek(&r) == ',')
            ++r.position;
        else if (r.text[r.position] != '\0')
            return FAIL(&r, "expected ',' or the end of the text");
    }
done:
    return st;
}
