#include "expr/tokens.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a digit in any base up to 16; 16 when it is none. */
static unsigned digit_value(char c)
{
    if (is_digit(c)) return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

/* 2, 8 or 16 after 0b, 0o, 0x. */
static unsigned base_of(const char *text)
{
    if (text[0] != '0') return 10;
    switch (text[1]) {
    case 'b':
    case 'B':
        return 2;
    case 'o':
    case 'O':
        return 8;
    case 'x':
    case 'X':
        return 16;
    default:
        return 10;
    }
}

static int skip_digits(const char *text, int k)
{
    while (is_digit(text[k]))
        ++k;
    return k;
}

/* The length of a decimal number; whether it has a point or an exponent. */
static int decimal_length(const char *text, bool *real)
{
    int k = skip_digits(text, 0);

    *real = text[k] == '.';
    if (*real) k = skip_digits(text, k + 1);
    if (text[k] == 'e' || text[k] == 'E') {
        const int sign = text[k + 1] == '+' || text[k + 1] == '-';
        const int end = skip_digits(text, k + 1 + sign);
        if (end > k + 1 + sign) {
            *real = true;
            k = end;
        }
    }
    return k;
}

/* The C library reads numbers with the point of the locale. */
static double read_real(const char *start, int length, bool *fits)
{
    enum { ROOM = 512 };
    const char *point = localeconv()->decimal_point;
    char copy[ROOM];
    int used = 0;

    *fits = length < ROOM - 16;
    for (int k = 0; *fits && k < length; ++k) {
        if (start[k] != '.')
            copy[used++] = start[k];
        else
            used += snprintf(copy + used, 8, "%.7s", point);
    }
    copy[used] = '\0';
    return strtod(copy, NULL);
}

static bool read_integer(const char *start, int length, unsigned base, uint64_t *value)
{
    *value = 0;
    for (int k = 0; k < length; ++k)
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit_value(start[k]), value))
            return false;
    return true;
}

static int based_length(const char *text, unsigned base)
{
    int k = 2;
    while (digit_value(text[k]) < base)
        ++k;
    return k;
}

static tsr_status read_number(const char *call, const char *text, tsri_token *token)
{
    const char *start = token->word.start;
    const unsigned base = base_of(start);
    bool real = false, fits = true;
    uint64_t integer = 0;
    int length = base == 10 ? decimal_length(start, &real) : based_length(start, base);

    if (base != 10) {
        if (length == 2)
            return TSRI_FAIL_AT(call, TSR_ERR_VALUE, text, token->column, "there are no digits");
        fits = read_integer(start + 2, length - 2, base, &integer);
    } else if (real || start[length] == 'j' || start[length] == 'J') {
        const double value = read_real(start, length, &fits);
        token->number = tsr_f64(value);
        if (start[length] == 'j' || start[length] == 'J') {
            token->number = tsr_c128(0, value);
            ++length;
        }
        real = true;
    } else {
        if (length > 1 && start[0] == '0' && strspn(start, "0") < (size_t)length)
            return TSRI_FAIL_AT(call, TSR_ERR_VALUE, text, token->column,
                                "an integer must not start with 0");
        fits = read_integer(start, length, base, &integer);
    }
    if (!fits)
        return TSRI_FAIL_AT(call, TSR_ERR_VALUE, text, token->column, "the number is too long: %s",
                            real ? "at most 495 digits" : "integers have at most 64 bits");
    if (!real) token->number = integer <= INT64_MAX ? tsr_i64((int64_t)integer) : tsr_u64(integer);
    token->word.length = length;
    if (tsri_word_goes_on(start[length]))
        return TSRI_FAIL_AT(call, TSR_ERR_VALUE, text, token->column + length,
                            "a number ends here, and an operator must follow");
    return TSR_OK;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static int sign_length(const char *text)
{
    static const char *const pairs[] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!="};

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k)
        if (strncmp(text, pairs[k], 2) == 0) return 2;
    return *text != '\0' && strchr("+-*/%&|^~<>()[],=", *text) != NULL ? 1 : 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

tsr_status tsri_token_next(const char *call, const char *text, int *position, tsri_token *token)
{
    tsr_status st = TSR_OK;
    int at = *position;

    while (is_space(text[at]))
        ++at;
    const char *start = text + at;
    *token = (tsri_token){.word = {start, 0}, .column = at + 1};
    if (*start == '\0') {
        token->kind = TSRI_TOKEN_END;
    } else if (tsri_word_starts(*start)) {
        token->kind = TSRI_TOKEN_WORD;
        while (tsri_word_goes_on(start[token->word.length]))
            ++token->word.length;
    } else if (is_digit(*start) || (*start == '.' && is_digit(start[1]))) {
        token->kind = TSRI_TOKEN_NUMBER;
        st = read_number(call, text, token);
    } else {
        token->kind = TSRI_TOKEN_SIGN;
        token->word.length = sign_length(start);
        if (token->word.length == 0) {
            const unsigned char c = (unsigned char)*start;
            st = c > ' ' && c < 127
                     ? TSRI_FAIL_AT(call, TSR_ERR_VALUE, text, at + 1,
                                    "'%c' has no meaning in an expression", c)
                     : TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                                    "column %d: byte 0x%02x has no meaning in an expression",
                                    at + 1, c);
        }
    }
    *position = at + token->word.length;
    return st;
}
