/* Sums and products that one kernel computes together. */
#include "expr/form.h"

#include "base/memory.h"

/* Sums are worked on as chains: t0 + t1 - t2 ... from the left, whose partial sums are values of
 * the form.  A partial sum that is kept computes all terms since the one kept before it. */

enum { MAX_TERMS = 7, MAX_CHAIN = 64 };

typedef struct fusing {
    tsri_form *form;
    tsri_level level;
    int *uses;      /* [values] */
    bool *absorbed; /* [values]: part of another value now */
} fusing;

/* What is added to a chain. */
typedef struct term {
    int x;       /* the value itself, or one factor */
    int y;       /* the other: of a product of two that vary; else TSRI_NO_VALUE */
    int factor;  /* one that does not vary; TSRI_NO_VALUE: 1 */
    int product; /* the value that multiplies; TSRI_NO_VALUE */
    bool minus;
} term;

typedef struct chain {
    int sum[MAX_CHAIN]; /* sum[k]: of the terms 0 to k, from 1 */
    term term[MAX_CHAIN];
    int terms;
} chain;

/* ---- looking at values ----------------------------------------------------------------------- */

static bool is_apply(const fusing *f, int value, int op)
{
    const tsri_value *v = &f->form->value[value];
    return v->kind == TSRI_VALUE_APPLY && v->varies && !v->parts && v->op == op &&
           (tsri_dtype_class(v->dtype) & TSRI_F) != 0;
}

/* An operation whose result nothing else reads. */
static bool is_inner(const fusing *f, int value, int op)
{
    return is_apply(f, value, op) && f->uses[value] == 1;
}

static bool is_sum(const fusing *f, int value)
{
    return is_apply(f, value, TSRI_VECTOR_ADD) || is_apply(f, value, TSRI_VECTOR_SUBTRACT);
}

/* By what is needed in the end; operands come before what they are for. */
static void count_uses(fusing *f)
{
    const tsri_form *form = f->form;

    ++f->uses[form->root];
    for (int k = 0; k < form->exponents; ++k)
        ++f->uses[form->exponent[k]];
    for (int k = form->count - 1; k >= 0; --k) {
        const tsri_value *v = &form->value[k];
        for (int i = 0; f->uses[k] > 0 && v->in[i] != TSRI_NO_VALUE; ++i)
            ++f->uses[v->in[i]];
    }
}

static term make_term(const fusing *f, int value, bool minus)
{
    const tsri_value *values = f->form->value, *v = &values[value];
    term t = {.x = value,
              .y = TSRI_NO_VALUE,
              .factor = TSRI_NO_VALUE,
              .product = TSRI_NO_VALUE,
              .minus = minus};

    if (is_inner(f, value, TSRI_VECTOR_SQUARE)) {
        t.product = value;
        t.x = t.y = v->in[0];
    } else if (is_inner(f, value, TSRI_VECTOR_MULTIPLY)) {
        const bool first = values[v->in[0]].varies, second = values[v->in[1]].varies;
        t.product = value;
        t.x = v->in[first ? 0 : 1];
        if (first && second)
            t.y = v->in[1];
        else
            t.factor = v->in[first ? 1 : 0];
    }
    return t;
}

/* The chain that ends in a sum. */
static void find_chain(const fusing *f, int top, chain *c)
{
    int sums[MAX_CHAIN], count = 0, at = top;

    do {
        sums[count++] = at;
        at = f->form->value[at].in[0];
    } while (count < MAX_CHAIN - 1 && is_sum(f, at) && f->uses[at] == 1);
    c->terms = count + 1;
    c->term[0] = make_term(f, at, false);
    for (int k = 1; k <= count; ++k) {
        const tsri_value *v = &f->form->value[sums[count - k]];
        c->sum[k] = sums[count - k];
        c->term[k] = make_term(f, v->in[1], v->op == TSRI_VECTOR_SUBTRACT);
    }
}

/* ---- changing values ------------------------------------------------------------------------- */

static bool has_kernel(const fusing *f, int value, int op)
{
    return tsri_vector_find(f->level, (tsri_vector_op)op, f->form->value[value].dtype) != NULL;
}

static void become(const fusing *f, int value, int op, int count, const int *in)
{
    tsri_value *v = &f->form->value[value];

    v->op = op;
    for (int k = 0; k < TSRI_VECTOR_OPERANDS; ++k)
        v->in[k] = k < count ? in[k] : TSRI_NO_VALUE;
}

static void absorb(const fusing *f, const term *t)
{
    if (t->product != TSRI_NO_VALUE) f->absorbed[t->product] = true;
}

static bool is_product(const term *t)
{
    return t->y != TSRI_NO_VALUE;
}

/* The first terms are two products, one of which varies on both sides. */
static bool fuse_products(const fusing *f, const chain *c)
{
    const term *a = &c->term[0], *b = &c->term[1];
    const int op = b->minus ? TSRI_VECTOR_MUL_SUB_MUL : TSRI_VECTOR_MUL_ADD_MUL;

    if (a->product == TSRI_NO_VALUE || b->product == TSRI_NO_VALUE) return false;
    if ((!is_product(a) && !is_product(b)) || !has_kernel(f, c->sum[1], op)) return false;
    become(f, c->sum[1], op, 4,
           (const int[]){is_product(a) ? a->y : a->factor, a->x, is_product(b) ? b->y : b->factor,
                         b->x});
    absorb(f, a);
    absorb(f, b);
    return true;
}

/* The sum of a product and something else. */
static bool fuse_product(const fusing *f, int sum, const term *product, int other, int op)
{
    if (!has_kernel(f, sum, op)) return false;
    become(f, sum, op, 3, (const int[]){product->x, product->y, other});
    absorb(f, product);
    return true;
}

/* Only the last term has a factor. */
static bool is_tail(const tsri_value *v, int count)
{
    for (int k = 0; k < count - 1; ++k)
        if (v->factor[k] != TSRI_NO_VALUE || (v->minus >> k & 1u) != 0) return false;
    return true;
}

/* The sum up to term `last` as a linear combination of the terms since `first`, after a partial sum
 * (TSRI_NO_VALUE: none). */
static void fuse_linear(const fusing *f, const chain *c, int before, int first, int last)
{
    tsri_value *v = &f->form->value[c->sum[last]];
    int in[TSRI_VECTOR_OPERANDS], count = 0;

    v->minus = 0;
    if (before != TSRI_NO_VALUE) {
        v->factor[count] = TSRI_NO_VALUE;
        in[count++] = before;
    }
    for (int k = first; k <= last; ++k) {
        const term *t = &c->term[k];
        v->factor[count] = t->factor;
        if (t->minus) v->minus |= 1u << count;
        in[count++] = t->x;
        absorb(f, t);
    }
    const int tail = TSRI_VECTOR_TAIL_2 + count - 2;
    const bool has_tail = is_tail(v, count) && has_kernel(f, c->sum[last], tail);
    become(f, c->sum[last], has_tail ? tail : TSRI_VECTOR_LINEAR_2 + count - 2, count, in);
}

/* The terms from `first` on that are no products, in one go if that is worth it; the next term. */
static int take_linear(const fusing *f, const chain *c, int before, int first)
{
    const int most = first + (before == TSRI_NO_VALUE ? MAX_TERMS : MAX_TERMS - 1);
    int end = first;
    bool scaled = false;

    while (end < c->terms && end < most && !is_product(&c->term[end])) {
        scaled = scaled || c->term[end].factor != TSRI_NO_VALUE;
        ++end;
    }
    const int count = end - first + (before == TSRI_NO_VALUE ? 0 : 1);
    if (count < 2) return end;
    const int op = TSRI_VECTOR_LINEAR_2 + count - 2;
    if ((count > 2 || scaled) && has_kernel(f, c->sum[end - 1], op)) {
        fuse_linear(f, c, before, first, end - 1);
        return end;
    }
    return before == TSRI_NO_VALUE ? 2 : first + 1;
}

/* The first sum of a chain; how many terms it has. */
static int start_chain(const fusing *f, const chain *c)
{
    const term *a = &c->term[0], *b = &c->term[1];

    if (fuse_products(f, c)) return 2;
    if (is_product(a) && b->product == TSRI_NO_VALUE &&
        fuse_product(f, c->sum[1], a, b->x, b->minus ? TSRI_VECTOR_MUL_SUB : TSRI_VECTOR_MUL_ADD))
        return 2;
    if (is_product(b) && a->product == TSRI_NO_VALUE &&
        fuse_product(f, c->sum[1], b, a->x, b->minus ? TSRI_VECTOR_SUB_MUL : TSRI_VECTOR_MUL_ADD))
        return 2;
    if (is_product(a) || is_product(b)) return 2;
    return take_linear(f, c, TSRI_NO_VALUE, 0);
}

static void fuse_chain(const fusing *f, int top)
{
    chain c;

    find_chain(f, top, &c);
    for (int k = 1; k < c.terms - 1; ++k)
        f->absorbed[c.sum[k]] = true; /* done here, whether kept or not */
    for (int at = start_chain(f, &c); at < c.terms;) {
        const int before = c.sum[at - 1];
        if (is_product(&c.term[at])) {
            fuse_product(f, c.sum[at], &c.term[at], before,
                         c.term[at].minus ? TSRI_VECTOR_SUB_MUL : TSRI_VECTOR_MUL_ADD);
            ++at;
        } else {
            at = take_linear(f, &c, before, at);
        }
    }
}

/* Two terms of which the second is a sum with a factor for the last one at most. */
static void fuse_star(const fusing *f, int value)
{
    tsri_value *v = &f->form->value[value];
    const tsri_value *tail = &f->form->value[v->in[1]];
    int in[TSRI_VECTOR_OPERANDS] = {v->in[0]}, count = 1;

    if (f->uses[v->in[1]] != 1 || tail->kind != TSRI_VALUE_APPLY || tail->op < TSRI_VECTOR_TAIL_2 ||
        tail->op > TSRI_VECTOR_TAIL_7)
        return;
    for (int k = 0; tail->in[k] != TSRI_NO_VALUE; ++k)
        in[count++] = tail->in[k];
    const int op = TSRI_VECTOR_STAR_3 + count - 3;
    if (!has_kernel(f, value, op)) return;
    for (int k = 2; k < count; ++k) {
        v->factor[k] = tail->factor[k - 1];
        v->minus |= (tail->minus >> (k - 1) & 1u) << k;
    }
    become(f, value, op, count, in);
}

/* A choice by a comparison of its own type. */
static void fuse_choice(const fusing *f, int value)
{
    const tsri_value *v = &f->form->value[value], *c = &f->form->value[v->in[0]];
    int op, in[4] = {0, 0, v->in[1], v->in[2]};

    if (c->kind != TSRI_VALUE_APPLY || f->uses[v->in[0]] != 1 || !c->varies) return;
    const bool mirrored = c->op == TSRI_VECTOR_GREATER || c->op == TSRI_VECTOR_GREATER_EQUAL;
    switch (c->op) {
    case TSRI_VECTOR_LESS:
    case TSRI_VECTOR_GREATER:
        op = TSRI_VECTOR_SELECT_LESS;
        break;
    case TSRI_VECTOR_LESS_EQUAL:
    case TSRI_VECTOR_GREATER_EQUAL:
        op = TSRI_VECTOR_SELECT_LESS_EQUAL;
        break;
    case TSRI_VECTOR_EQUAL:
    case TSRI_VECTOR_NOT_EQUAL:
        op = TSRI_VECTOR_SELECT_EQUAL;
        break;
    default:
        return;
    }
    if (f->form->value[c->in[0]].dtype != v->dtype || !has_kernel(f, value, op)) return;
    in[0] = c->in[mirrored ? 1 : 0];
    in[1] = c->in[mirrored ? 0 : 1];
    if (c->op == TSRI_VECTOR_NOT_EQUAL) {
        in[2] = v->in[2];
        in[3] = v->in[1];
    }
    f->absorbed[v->in[0]] = true;
    become(f, value, op, 4, in);
}

tsr_status tsri_form_fuse(tsri_form *form, tsri_level level)
{
    fusing f = {.form = form, .level = level};
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, f.uses, form->count);
    TSRI_ALLOC(done, f.absorbed, form->count);
    count_uses(&f);
    for (int k = form->count - 1; k >= 0; --k) {
        if (f.uses[k] == 0 || f.absorbed[k]) continue;
        if (is_sum(&f, k)) fuse_chain(&f, k);
        if (is_apply(&f, k, TSRI_VECTOR_WHERE)) fuse_choice(&f, k);
    }
    for (int k = form->count - 1; k >= 0; --k)
        if (is_apply(&f, k, TSRI_VECTOR_LINEAR_2) || is_apply(&f, k, TSRI_VECTOR_TAIL_2))
            fuse_star(&f, k);
done:
    tsri_free(f.uses);
    tsri_free(f.absorbed);
    return st;
}
