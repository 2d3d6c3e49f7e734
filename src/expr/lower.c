/* From a form to a program: steps, and as few places for their results as possible. */
#include "expr/program.h"

#include "base/memory.h"
#include "expr/types.h"

#include <string.h>

/* While the steps of one value are found. */
typedef struct lowering {
    tsri_program *program;
    tsri_level level;
    int ndim, root;
    int *last_use; /* [values]: the last value that reads it */
    int *slot;     /* [values]: where it is; registers from 0, as negative numbers from -2 down */
    bool *live;
    int *free; /* registers that hold nothing */
    int frees;
    int registers;
    size_t *register_size;
} lowering;

enum { NOWHERE = -1 };

/* Registers are numbered before it is known how many constants come before them. */
static int register_slot(int number)
{
    return -2 - number;
}

static int register_number(int slot)
{
    return -2 - slot;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The slot of a value that does not vary, or of the factors of a linear combination. */
static int constant_slot(tsri_program *p, int value)
{
    int k = 0;
    while (k < p->constants && p->constant[k] != value)
        ++k;
    if (k == p->constants) p->constant[p->constants++] = value;
    return p->form.leaves + k;
}

/* ---- liveness -------------------------------------------------------------------------------- */

static void mark(lowering *l)
{
    const tsri_form *f = &l->program->form;

    memset(l->live, 0, (size_t)f->count * sizeof *l->live);
    l->live[l->root] = true;
    for (int k = l->root; k >= 0; --k) {
        const tsri_value *v = &f->value[k];
        if (!l->live[k] || !v->varies) continue;
        for (int i = 0; i < TSRI_VECTOR_OPERANDS && v->in[i] != TSRI_NO_VALUE; ++i) {
            if (!l->live[v->in[i]]) l->last_use[v->in[i]] = k;
            l->live[v->in[i]] = true;
        }
    }
}

/* ---- registers ------------------------------------------------------------------------------- */

static bool in_register(const lowering *l, int value)
{
    return l->slot[value] <= register_slot(0);
}

static int take_register(lowering *l, size_t size)
{
    const int number = l->frees > 0 ? l->free[--l->frees] : l->registers++;
    if (size > l->register_size[number]) l->register_size[number] = size;
    return number;
}

/* An operand that is read for the last time here and may be overwritten. */
static int dying_operand(const lowering *l, int value, size_t size)
{
    const tsri_form *f = &l->program->form;
    const tsri_value *v = &f->value[value];

    if (v->kind == TSRI_VALUE_CONVERT) return NOWHERE;
    for (int i = 0; i < TSRI_VECTOR_OPERANDS && v->in[i] != TSRI_NO_VALUE; ++i)
        if (in_register(l, v->in[i]) && l->last_use[v->in[i]] == value &&
            tsr_dtype_size(f->value[v->in[i]].dtype) == size)
            return register_number(l->slot[v->in[i]]);
    return NOWHERE;
}

/* A place for a value, and those of its operands that nobody reads again are free. */
static void place(lowering *l, int value)
{
    const tsri_value *v = &l->program->form.value[value];
    const size_t size = tsr_dtype_size(v->dtype);
    int number = dying_operand(l, value, size);

    if (number == NOWHERE) number = take_register(l, size);
    for (int i = 0; i < TSRI_VECTOR_OPERANDS && v->in[i] != TSRI_NO_VALUE; ++i) {
        const int operand = v->in[i];
        if (!in_register(l, operand) || l->last_use[operand] != value) continue;
        const int held = register_number(l->slot[operand]);
        l->last_use[operand] = NOWHERE; /* free it once, even when it is read twice here */
        if (held != number) l->free[l->frees++] = held;
    }
    l->slot[value] = register_slot(number);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static int operand_slot(lowering *l, int value)
{
    const tsri_value *v = &l->program->form.value[value];

    if (!v->varies) return constant_slot(l->program, value);
    return v->kind == TSRI_VALUE_LEAF ? v->item : l->slot[value];
}

static tsr_status make_step(lowering *l, const char *call, int value, tsri_step *step)
{
    const tsri_value *values = l->program->form.value, *v = &values[value];
    tsr_dtype working = values[v->in[0]].dtype;

    *step = (tsri_step){.parts = 1};
    for (; v->in[step->operands] != TSRI_NO_VALUE; ++step->operands)
        step->in[step->operands] = operand_slot(l, v->in[step->operands]);
    if (tsri_is_linear(v->op) && v->kind == TSRI_VALUE_APPLY)
        step->in[step->operands++] = constant_slot(l->program, value);
    if (v->kind == TSRI_VALUE_CONVERT) {
        step->convert = tsri_vector_convert(l->level, v->dtype, working);
    } else {
        working = tsri_value_working(values, v);
        if (v->parts) step->parts = 2;
        step->apply = tsri_vector_find(l->level, (tsri_vector_op)v->op, working);
    }
    if (step->apply == NULL && step->convert == NULL)
        return TSRI_FAIL_IN(call, TSR_ERR_INTERNAL, "there is no kernel of %s for %s",
                            tsri_operation_of(v->op)->name, tsr_dtype_name(working));
    return TSR_OK;
}

static tsr_status make_code(lowering *l, const char *call, tsri_code *code)
{
    const tsri_form *f = &l->program->form;
    const tsri_value *root = &f->value[l->root];
    tsr_status st = TSR_OK;
    int steps = 0;

    code->size = tsr_dtype_size(root->dtype);
    mark(l);
    for (int k = 0; k <= l->root; ++k) {
        if (!l->live[k] || !f->value[k].varies) continue;
        if (f->value[k].kind == TSRI_VALUE_LEAF)
            code->leaf[code->leaves++] = f->value[k].item;
        else
            ++steps;
    }
    TSRI_ALLOC(done, code->step, steps);
    for (int k = 0; k <= l->root; ++k) {
        const tsri_value *v = &f->value[k];
        if (!l->live[k] || !v->varies || v->kind == TSRI_VALUE_LEAF) continue;
        tsri_step *step = &code->step[code->steps++];
        TSRI_TRY(done, make_step(l, call, k, step));
        place(l, k);
        step->out = l->slot[k];
    }
    code->result = operand_slot(l, l->root);
done:
    return st;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Registers follow leaves and constants; what the last step computes is the output. */
static void number_slots(const tsri_program *p, tsri_code *code)
{
    const int first = p->form.leaves + p->constants;

    for (int s = 0; s < code->steps; ++s) {
        tsri_step *step = &code->step[s];
        for (int i = 0; i < step->operands; ++i)
            if (step->in[i] <= register_slot(0)) step->in[i] = first + register_number(step->in[i]);
        step->out = first + register_number(step->out);
    }
    if (code->result > NOWHERE) return;
    code->result = tsri_output_slot(p);
    code->step[code->steps - 1].out = code->result;
}

static tsr_status lower_all(lowering *l, const char *call)
{
    tsri_program *p = l->program;
    tsr_status st = TSR_OK;

    for (int k = -1; k < p->checks; ++k) {
        tsri_code *code = k < 0 ? &p->main : &p->check[k];
        TSRI_ALLOC(done, code->leaf, p->form.leaves);
        for (int v = 0; v < p->form.count; ++v)
            l->slot[v] = l->last_use[v] = NOWHERE;
        l->frees = 0;
        for (int r = l->registers - 1; r >= 0; --r)
            l->free[l->frees++] = r;
        l->root = k < 0 ? p->form.root : p->form.exponent[k];
        TSRI_TRY(done, make_code(l, call, code));
    }
done:
    return st;
}

/* Whether a step keeps the divider of the machine busy. */
static bool divides(const tsri_form *f)
{
    for (int k = 0; k < f->count; ++k) {
        const tsri_value *v = &f->value[k];
        if (v->kind == TSRI_VALUE_APPLY && v->varies &&
            (tsri_dtype_class(v->dtype) & TSRI_F) != 0 &&
            (v->op == TSRI_VECTOR_SQRT || v->op == TSRI_VECTOR_DIVIDE ||
             v->op == TSRI_VECTOR_RECIPROCAL))
            return true;
    }
    return false;
}

/* Whether a leaf reads the rows of one before it, a few cells on. */
static bool shares_rows(const tsri_form *f, int which, int ndim)
{
    const tsri_leaf *leaf = &f->leaf[which];

    for (int k = 0; k < which; ++k)
        if (f->leaf[k].kind == TSRI_LEAF_ARRAY && leaf->kind == TSRI_LEAF_ARRAY &&
            f->leaf[k].arg == leaf->arg && ndim > 0 &&
            memcmp(f->leaf[k].shift, leaf->shift, (size_t)(ndim - 1) * sizeof *leaf->shift) == 0)
            return true;
    return false;
}

/* Sizes of what the slots hold, and blocks so long that all of them fit the first-level cache; or
 * so short that the machine works on other steps while it divides. */
static tsr_status size_slots(const lowering *l)
{
    enum { CACHE_BYTES = 32768, SHORTEST = 16, DIVIDING = 96 };
    tsri_program *p = l->program;
    tsr_status st = TSR_OK;
    size_t total = 0;

    p->registers = l->registers;
    p->slots = p->form.leaves + p->constants + p->registers + 1;
    TSRI_ALLOC(done, p->slot_size, p->slots);
    for (int k = 0; k < p->form.leaves; ++k)
        p->slot_size[k] = tsr_dtype_size(p->form.leaf[k].dtype);
    for (int k = 0; k < p->constants; ++k)
        p->slot_size[p->form.leaves + k] = tsr_dtype_size(p->form.value[p->constant[k]].dtype);
    for (int k = 0; k < p->registers; ++k)
        p->slot_size[p->form.leaves + p->constants + k] = l->register_size[k];
    p->slot_size[p->slots - 1] = p->main.size;
    for (int k = 0; k < p->checks; ++k)
        if (p->check[k].size > p->slot_size[p->slots - 1])
            p->slot_size[p->slots - 1] = p->check[k].size;
    for (int k = 0; k < p->slots; ++k)
        if (k >= p->form.leaves || !shares_rows(&p->form, k, l->ndim)) total += p->slot_size[k];
    p->block = (int64_t)(CACHE_BYTES / total) / SHORTEST * SHORTEST;
    if (p->block < SHORTEST) p->block = SHORTEST;
    const int64_t longest = divides(&p->form) ? DIVIDING : TSRI_VECTOR_BLOCK;
    if (p->block > longest) p->block = longest;
done:
    return st;
}

tsr_status tsri_program_lower(const tsri_setting *setting, tsri_program *program)
{
    const char *call = setting->call;
    const int count = program->form.count;
    lowering l = {.program = program, .level = setting->level, .ndim = setting->geometry->ndim};
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, l.last_use, count);
    TSRI_ALLOC(done, l.slot, count);
    TSRI_ALLOC(done, l.live, count);
    TSRI_ALLOC(done, l.free, count);
    TSRI_ALLOC(done, l.register_size, count);
    TSRI_ALLOC(done, program->constant, count);
    TSRI_TRY(done, lower_all(&l, call));
    TSRI_TRY(done, size_slots(&l));
    number_slots(program, &program->main);
    for (int k = 0; k < program->checks; ++k)
        number_slots(program, &program->check[k]);
done:
    tsri_free(l.last_use);
    tsri_free(l.slot);
    tsri_free(l.live);
    tsri_free(l.free);
    tsri_free(l.register_size);
    return st;
}
