/* From a text to a tree, by recursive descent; no deeper than the tree may be. */
#include "base/memory.h"
#include "expr/tokens.h"

#include <string.h>

typedef struct parser {
    const char *call;
    tsri_tree *tree;
    int room, shift_room;
    int position; /* after the token */
    tsri_token token;
    int nesting;
} parser;

static const struct {
    const char *sign;
    int precedence; /* higher binds tighter */
    int function;
} binary[] = {{"<", 1, TSRI_VECTOR_LESS},         {"<=", 1, TSRI_VECTOR_LESS_EQUAL},
              {"==", 1, TSRI_VECTOR_EQUAL},       {"!=", 1, TSRI_VECTOR_NOT_EQUAL},
              {">", 1, TSRI_VECTOR_GREATER},      {">=", 1, TSRI_VECTOR_GREATER_EQUAL},
              {"|", 2, TSRI_VECTOR_BITWISE_OR},   {"^", 3, TSRI_VECTOR_BITWISE_XOR},
              {"&", 4, TSRI_VECTOR_BITWISE_AND},  {"<<", 5, TSRI_VECTOR_LEFT_SHIFT},
              {">>", 5, TSRI_VECTOR_RIGHT_SHIFT}, {"+", 6, TSRI_VECTOR_ADD},
              {"-", 6, TSRI_VECTOR_SUBTRACT},     {"*", 7, TSRI_VECTOR_MULTIPLY},
              {"/", 7, TSRI_VECTOR_DIVIDE},       {"//", 7, TSRI_VECTOR_FLOOR_DIVIDE},
              {"%", 7, TSRI_VECTOR_REMAINDER}};
enum { BINARY = sizeof binary / sizeof *binary, COMPARISON = 1 };

static const struct {
    const char *sign;
    int function;
} unary[] = {{"-", TSRI_VECTOR_NEGATIVE}, {"+", TSRI_VECTOR_POSITIVE}, {"~", TSRI_VECTOR_INVERT}};
enum { UNARY = sizeof unary / sizeof *unary };

static tsr_status parse_binary(parser *p, int precedence, int *node);

/* ---- helpers --------------------------------------------------------------------------------- */

#define FAIL(p, column, ...)                                                                       \
    TSRI_FAIL_AT((p)->call, TSR_ERR_VALUE, (p)->tree->text, (column), __VA_ARGS__)

static tsr_status advance(parser *p)
{
    return tsri_token_next(p->call, p->tree->text, &p->position, &p->token);
}

static bool is_sign(const parser *p, const char *sign)
{
    return p->token.kind == TSRI_TOKEN_SIGN && tsri_word_is(p->token.word, sign);
}

static tsr_status expect(parser *p, const char *sign, const char *what)
{
    if (!is_sign(p, sign)) return FAIL(p, p->token.column, "expected '%s' %s", sign, what);
    return advance(p);
}

static tsr_status add_node(parser *p, tsri_node node, int *index)
{
    if (p->tree->count == p->room)
        return FAIL(p, node.column, "the expression has more than %d parts", TSRI_MAX_NODES);
    *index = p->tree->count++;
    p->tree->node[*index] = node;
    return TSR_OK;
}

static tsri_node call_node(int function, int column)
{
    tsri_node node = {.kind = TSRI_NODE_CALL, .function = function, .column = column};
    for (int k = 0; k < TSRI_MAX_PARAMETERS; ++k)
        node.child[k] = TSRI_NO_NODE;
    return node;
}

static tsr_status add_operator(parser *p, int function, int column, int left, int right, int *index)
{
    tsri_node node = call_node(function, column);
    node.is_operator = true;
    node.child[0] = left;
    node.child[1] = right;
    return add_node(p, node, index);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Whether the token is a word before a single '='. */
static bool starts_keyword(const parser *p)
{
    int position = p->position;
    tsri_token next;

    return p->token.kind == TSRI_TOKEN_WORD &&
           tsri_token_next(p->call, p->tree->text, &position, &next) == TSR_OK &&
           next.kind == TSRI_TOKEN_SIGN && tsri_word_is(next.word, "=");
}

static tsr_status find_parameter(parser *p, const tsri_signature *signature, int *which)
{
    for (int k = 0; k < signature->most; ++k)
        if (signature->parameter[k] != NULL &&
            tsri_word_is(p->token.word, signature->parameter[k])) {
            *which = k;
            return TSR_OK;
        }
    return FAIL(p, p->token.column, "%s has no parameter \"%.*s\"", signature->name,
                p->token.word.length, p->token.word.start);
}

/* One parameter, by position or by name; `position` is how many came before, -1 after a name. */
static tsr_status parse_parameter(parser *p, const tsri_signature *signature, tsri_node *node,
                                  int *position)
{
    tsr_status st = TSR_OK;
    int which = *position;
    const int column = p->token.column;

    if (starts_keyword(p)) {
        TSRI_TRY(done, find_parameter(p, signature, &which));
        TSRI_TRY(done, advance(p));
        TSRI_TRY(done, advance(p));
        *position = -1;
    } else if (which < 0) {
        return FAIL(p, column, "a parameter without a name follows one with a name");
    } else if (which >= signature->most) {
        return FAIL(p, column, "%s takes at most %d parameter%s", signature->name, signature->most,
                    TSRI_S(signature->most));
    } else {
        ++*position;
    }
    if (node->child[which] != TSRI_NO_NODE)
        return FAIL(p, column, "parameter %d of %s is given twice", which + 1, signature->name);
    if (node->function == TSRI_FUNCTION_CLIP && which > 0 && p->token.kind == TSRI_TOKEN_WORD &&
        tsri_word_is(p->token.word, "None"))
        return advance(p);
    TSRI_TRY(done, parse_binary(p, COMPARISON, &node->child[which]));
done:
    return st;
}

static tsr_status parse_call(parser *p, const tsri_signature *signature, int column, int *index)
{
    tsr_status st = TSR_OK;
    tsri_node node = call_node(signature->function, column);
    int position = 0;

    TSRI_TRY(done, advance(p));
    if (!is_sign(p, ")")) {
        for (;;) {
            TSRI_TRY(done, parse_parameter(p, signature, &node, &position));
            if (!is_sign(p, ",")) break;
            TSRI_TRY(done, advance(p));
        }
    }
    TSRI_TRY(done, expect(p, ")", "or ',' after a parameter"));
    for (int k = 0; k < signature->least; ++k)
        if (node.child[k] == TSRI_NO_NODE)
            return FAIL(p, column, "%s needs %d parameter%s", signature->name, signature->least,
                        TSRI_S(signature->least));
    TSRI_TRY(done, add_node(p, node, index));
done:
    return st;
}

static tsr_status unknown_function(parser *p, tsri_word word, int column)
{
    static const char *const reductions[] = {"sum",    "prod",   "min",    "max",    "mean", "var",
                                             "std",    "all",    "any",    "dot",    "vdot", "norm",
                                             "argmin", "argmax", "cumsum", "cumprod"};
    tsri_near near = TSRI_NOTHING_NEAR;

    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; ++k)
        if (tsri_word_is(word, reductions[k]))
            return FAIL(p, column, "%s is a reduction, which has a call of its own", reductions[k]);
    tsri_near_functions(&near, word);
    if (near.name != NULL)
        return FAIL(p, column, "there is no function \"%.*s\"; the nearest is \"%s\"", word.length,
                    word.start, near.name);
    return FAIL(p, column, "there is no function \"%.*s\"", word.length, word.start);
}

/* ---- names ----------------------------------------------------------------------------------- */

static tsr_status parse_offset(parser *p, int64_t *offset)
{
    tsr_status st = TSR_OK;
    bool negative = false;

    if (is_sign(p, "-") || is_sign(p, "+")) {
        negative = is_sign(p, "-");
        TSRI_TRY(done, advance(p));
    }
    if (p->token.kind != TSRI_TOKEN_NUMBER || p->token.number.dtype != TSR_I64)
        return FAIL(p, p->token.column, "an offset must be a whole number, as in u[-1, 0]");
    *offset = negative ? -p->token.number.as.i : p->token.number.as.i;
    TSRI_TRY(done, advance(p));
done:
    return st;
}

static tsr_status parse_offsets(parser *p, tsri_node *node)
{
    tsr_status st = TSR_OK;

    node->shift = p->tree->shifts;
    TSRI_TRY(done, advance(p));
    for (;;) {
        if (node->shifts == TSR_MAX_NDIM || p->tree->shifts == p->shift_room)
            return FAIL(p, p->token.column, "there are more than %d offsets", TSR_MAX_NDIM);
        TSRI_TRY(done, parse_offset(p, &p->tree->shift[p->tree->shifts]));
        ++p->tree->shifts;
        ++node->shifts;
        if (!is_sign(p, ",")) break;
        TSRI_TRY(done, advance(p));
    }
    TSRI_TRY(done, expect(p, "]", "or ',' after an offset"));
done:
    return st;
}

static tsr_status parse_word(parser *p, int *index)
{
    tsr_status st = TSR_OK;
    const tsri_token token = p->token;
    const tsri_signature *signature = tsri_signature_find(token.word);
    const char *instead = tsri_reserved_find(token.word);
    const int axis = tsri_index_find(token.word);
    tsri_node node = {.column = token.column};

    if (instead != NULL)
        return FAIL(p, token.column, "\"%.*s\" is not in the language: %s", token.word.length,
                    token.word.start, instead);
    TSRI_TRY(done, advance(p));
    if (is_sign(p, "(")) {
        if (signature == NULL) return unknown_function(p, token.word, token.column);
        return parse_call(p, signature, token.column, index);
    }
    if (axis >= 0) {
        node.kind = TSRI_NODE_INDEX;
        node.axis = axis;
    } else if (signature != NULL) {
        return FAIL(p, token.column, "%s is a function: '(' must follow", signature->name);
    } else {
        node.kind = TSRI_NODE_NAME;
        node.name = token.word;
    }
    if (is_sign(p, "[")) {
        if (axis >= 0) return FAIL(p, p->token.column, "only arrays can be shifted");
        TSRI_TRY(done, parse_offsets(p, &node));
    }
    TSRI_TRY(done, add_node(p, node, index));
done:
    return st;
}

/* ---- the grammar ----------------------------------------------------------------------------- */

static tsr_status parse_atom(parser *p, int *index)
{
    tsr_status st = TSR_OK;
    const tsri_token token = p->token;

    if (token.kind == TSRI_TOKEN_WORD) return parse_word(p, index);
    if (token.kind == TSRI_TOKEN_NUMBER) {
        TSRI_TRY(done, add_node(p,
                                (tsri_node){.kind = TSRI_NODE_NUMBER,
                                            .column = token.column,
                                            .number = token.number},
                                index));
        return advance(p);
    }
    if (!is_sign(p, "("))
        return FAIL(p, token.column, "expected a number, a name, a function or '('");
    TSRI_TRY(done, advance(p));
    TSRI_TRY(done, parse_binary(p, COMPARISON, index));
    TSRI_TRY(done, expect(p, ")", "to close a parenthesis"));
done:
    return st;
}

/* Signs before a power; the exponent may have signs of its own. */
static tsr_status parse_factor(parser *p, int *index)
{
    tsr_status st = TSR_OK;
    const int column = p->token.column;
    int operand = TSRI_NO_NODE;

    if (++p->nesting > TSRI_MAX_NESTING)
        return FAIL(p, column, "more than %d parts are nested", TSRI_MAX_NESTING);
    for (int k = 0; k < UNARY; ++k) {
        if (!is_sign(p, unary[k].sign)) continue;
        TSRI_TRY(done, advance(p));
        TSRI_TRY(done, parse_factor(p, &operand));
        TSRI_TRY(done, add_operator(p, unary[k].function, column, operand, TSRI_NO_NODE, index));
        goto done;
    }
    TSRI_TRY(done, parse_atom(p, index));
    if (is_sign(p, "**")) {
        const int sign = p->token.column;
        const int base = *index;
        TSRI_TRY(done, advance(p));
        TSRI_TRY(done, parse_factor(p, &operand));
        TSRI_TRY(done, add_operator(p, TSRI_VECTOR_POWER, sign, base, operand, index));
    }
done:
    --p->nesting;
    return st;
}

/* The operator at the token, when it binds at least so tightly; -1: there is none. */
static int operator_at(const parser *p, int precedence)
{
    for (int k = 0; k < BINARY; ++k)
        if (is_sign(p, binary[k].sign)) return binary[k].precedence >= precedence ? k : -1;
    return -1;
}

static tsr_status parse_binary(parser *p, int precedence, int *index)
{
    tsr_status st = TSR_OK;
    bool compared = false;

    TSRI_TRY(done, parse_factor(p, index));
    for (int k; (k = operator_at(p, precedence)) >= 0;) {
        const int column = p->token.column, left = *index;
        int right = TSRI_NO_NODE;
        if (compared)
            return FAIL(p, column, "comparisons cannot be chained: write (a < b) & (b < c)");
        compared = binary[k].precedence == COMPARISON;
        TSRI_TRY(done, advance(p));
        TSRI_TRY(done, parse_binary(p, binary[k].precedence + 1, &right));
        TSRI_TRY(done, add_operator(p, binary[k].function, column, left, right, index));
    }
done:
    return st;
}

static tsr_status parse_text(parser *p)
{
    tsr_status st = TSR_OK;
    int root;

    TSRI_TRY(done, advance(p));
    TSRI_TRY(done, parse_binary(p, COMPARISON, &root));
    if (p->token.kind == TSRI_TOKEN_END) return TSR_OK;
    if (is_sign(p, "="))
        return FAIL(p, p->token.column, "'=' assigns, which an expression does not: use ==");
    if (p->token.kind == TSRI_TOKEN_WORD) {
        const char *instead = tsri_reserved_find(p->token.word);
        if (instead != NULL)
            return FAIL(p, p->token.column, "\"%.*s\" is not in the language: %s",
                        p->token.word.length, p->token.word.start, instead);
    }
    return FAIL(p, p->token.column, "the expression ends here, and an operator must follow");
done:
    return st;
}

tsr_status tsri_tree_read(const char *call, const char *text, tsri_tree *tree)
{
    tsr_status st = TSR_OK;
    parser p = {.call = call, .tree = tree};

    *tree = (tsri_tree){0};
    TSRI_CHECK_IN(call, fail, text != NULL, TSR_ERR_VALUE, "the text is NULL");
    const size_t length = strlen(text);
    TSRI_CHECK_IN(call, fail, length <= TSRI_MAX_TEXT, TSR_ERR_VALUE,
                  "the text has %zu bytes, at most %d are allowed", length, TSRI_MAX_TEXT);
    p.room = length < TSRI_MAX_NODES ? (int)length + 1 : TSRI_MAX_NODES;
    p.shift_room = (int)length / 2 + 1;
    TSRI_ALLOC(fail, tree->text, length + 1);
    memcpy(tree->text, text, length + 1);
    TSRI_ALLOC(fail, tree->node, p.room);
    TSRI_ALLOC(fail, tree->shift, p.shift_room);
    TSRI_TRY(fail, parse_text(&p));
    return TSR_OK;

fail:
    tsri_tree_clear(tree);
    return st;
}

void tsri_tree_clear(tsri_tree *tree)
{
    tsri_free(tree->text);
    tsri_free(tree->node);
    tsri_free(tree->shift);
    *tree = (tsri_tree){0};
}
