/* Fuzz target of the expression language, for the serial build with clang:
 *
 *     clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -ffp-contract=off -DTSR_SERIAL \
 *         -DTSRI_LEVEL_NAME=baseline -DTSRI_FLAVOUR='"serial"' -DTSRI_VERSION='"0"' -Iinclude -Isrc
 * \ tests/fuzz/fuzz_expr.c $(find src -name '*.c' | grep -v _mpi) -lm -o fuzz_expr
 *     ./fuzz_expr -max_total_time=60 -max_len=256 -dict=tests/fuzz/expr.dict
 *
 * Whatever the text, evaluation ends in a status with a sentence, and leaves nothing behind. */
#include "base/memory.h"

#include <tessera.h>

#include <stdlib.h>
#include <string.h>

static void require(bool condition)
{
    if (!condition) abort();
}

typedef struct world {
    tsr_layout *layout;
    tsr_array *a, *b, *m, *z;
} world;

static world make_world(void)
{
    world w = {0};
    require(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(3, 5),
                              &(tsr_layout_options){.halo = {1, 2}, .periodic = TSR_AXIS(0)},
                              &w.layout) == TSR_OK);
    require(tsr_ones(w.layout, TSR_F64, &w.a) == TSR_OK);
    require(tsr_ones(w.layout, TSR_I32, &w.b) == TSR_OK);
    require(tsr_ones(w.layout, TSR_BOOL, &w.m) == TSR_OK);
    require(tsr_ones(w.layout, TSR_C64, &w.z) == TSR_OK);
    return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const float row[5] = {1, 2, 3, 4, 5};
    char *text = malloc(size + 1);
    world w = make_world();
    tsr_array *c = NULL;
    const double k = 0.5;
    const int n = 3;

    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const tsr_arg args[] = {TSR_ARG_AS("a", w.a),
                            TSR_ARG_AS("b", w.b),
                            TSR_ARG_AS("m", w.m),
                            TSR_ARG_AS("z", w.z),
                            TSR_ARG(k),
                            TSR_ARG(n),
                            TSR_ARG_AS("t", tsr_u8(200)),
                            TSR_GLOBAL(row, 1, TSR_SHAPE(5))};
    const tsr_status made = tsr_eval_newv(&c, text, 8, args);
    const tsr_status written = tsr_evalv(w.a, text, 8, args);
    require((c != NULL) == (made == TSR_OK));
    require(made == TSR_OK || made == TSR_ERR_VALUE || made == TSR_ERR_TYPE);
    require(written == TSR_OK || written == TSR_ERR_VALUE || written == TSR_ERR_TYPE);
    require(made == TSR_OK || tsr_error_text()[0] != '\0');
    tsr_array_destroy(&c);
    tsr_array_destroy(&w.a);
    tsr_array_destroy(&w.b);
    tsr_array_destroy(&w.m);
    tsr_array_destroy(&w.z);
    tsr_layout_destroy(&w.layout);
    free(text);
    return 0;
}
