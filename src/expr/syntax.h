/* From a text to a tree. */
#ifndef TSRI_EXPR_SYNTAX_H
#define TSRI_EXPR_SYNTAX_H

#include "expr/names.h"

enum {
    TSRI_MAX_TEXT = 16384, /* bytes of an expression */
    TSRI_MAX_NODES = 4096, /* numbers, names and operations */
    TSRI_MAX_NESTING = 200 /* parentheses and the like in each other */
};

typedef enum tsri_node_kind {
    TSRI_NODE_NUMBER,
    TSRI_NODE_NAME,  /* of an argument or a constant */
    TSRI_NODE_INDEX, /* global indices along an axis */
    TSRI_NODE_CALL   /* of a function, or an operator */
} tsri_node_kind;

/* Nodes come after those that they are made of. */
typedef struct tsri_node {
    tsri_node_kind kind;
    int column;                     /* from 1 */
    bool is_operator;               /* call: between numbers it gives a number, as in Python */
    int function;                   /* call */
    int child[TSRI_MAX_PARAMETERS]; /* call: TSRI_NO_NODE for those left out */
    int axis;                       /* index */
    tsr_scalar number;              /* number: bool, i64, u64, f64 or c128 */
    tsri_word name;                 /* name, in the tree's text */
    int shifts, shift;              /* name: how many offsets follow it; the first, in the tree */
} tsri_node;
enum { TSRI_NO_NODE = -1 };

typedef struct tsri_tree {
    char *text;
    tsri_node *node;
    int count; /* the last node is the root */
    int64_t *shift;
    int shifts;
} tsri_tree;

/* Local.  `call` is the public function.  tsri_tree_clear() takes a zeroed tree. */
tsr_status tsri_tree_read(const char *call, const char *text, tsri_tree *tree);
void tsri_tree_clear(tsri_tree *tree);

#endif
