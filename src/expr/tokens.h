/* The words, numbers and signs of a text. */
#ifndef TSRI_EXPR_TOKENS_H
#define TSRI_EXPR_TOKENS_H

#include "expr/syntax.h"

typedef enum tsri_token_kind {
    TSRI_TOKEN_END,
    TSRI_TOKEN_WORD,
    TSRI_TOKEN_NUMBER,
    TSRI_TOKEN_SIGN /* one or two characters */
} tsri_token_kind;

typedef struct tsri_token {
    tsri_token_kind kind;
    tsri_word word;
    int column;
    tsr_scalar number;
} tsri_token;

/* The token at or after a position, and the position after it. */
tsr_status tsri_token_next(const char *call, const char *text, int *position, tsri_token *token);

#endif
