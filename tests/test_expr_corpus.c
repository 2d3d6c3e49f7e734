/* ranks: 1 2 */
/* What the fuzz target of the expression language found interesting (tests/fuzz/expr_corpus.txt),
 * whole and, on one rank, cut off anywhere: each ends in a status, and leaves nothing behind. */
#include "support/expr_cases.h"

#include <stdio.h>

typedef struct stage {
    tsr_layout *layout;
    tsr_array *a, *b, *m, *z;
} stage;

static stage stage_begin(void)
{
    stage s = {0};
    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, 2, TSR_SHAPE(3, 5),
        &(tsr_layout_options){.halo = {1, 2}, .periodic = TSR_AXIS(0), .allow_empty = true},
        &s.layout));
    CHECK_OK(tsr_ones(s.layout, TSR_F64, &s.a));
    CHECK_OK(tsr_ones(s.layout, TSR_I32, &s.b));
    CHECK_OK(tsr_ones(s.layout, TSR_BOOL, &s.m));
    CHECK_OK(tsr_ones(s.layout, TSR_C64, &s.z));
    return s;
}

static void stage_end(stage *s)
{
    CHECK_OK(tsr_array_destroy(&s->a));
    CHECK_OK(tsr_array_destroy(&s->b));
    CHECK_OK(tsr_array_destroy(&s->m));
    CHECK_OK(tsr_array_destroy(&s->z));
    CHECK_OK(tsr_layout_destroy(&s->layout));
}

static bool evaluate(const stage *s, const char *text)
{
    static const float row[5] = {1, 2, 3, 4, 5};
    const double k = 0.5;
    const int n = 3;
    tsr_array *c = NULL;

    const tsr_status st =
        tsr_eval_new(&c, text, TSR_ARG_AS("a", s->a), TSR_ARG_AS("b", s->b), TSR_ARG_AS("m", s->m),
                     TSR_ARG_AS("z", s->z), TSR_ARG(k), TSR_ARG(n), TSR_ARG_AS("t", tsr_u8(200)),
                     TSR_GLOBAL(row, 1, TSR_SHAPE(5)));
    CHECK((c != NULL) == (st == TSR_OK));
    CHECK(st == TSR_OK || st == TSR_ERR_VALUE || st == TSR_ERR_TYPE);
    CHECK_OK(tsr_array_destroy(&c));
    return st == TSR_OK;
}

static void every_text(void **state)
{
    (void)state;
    char path[4096], line[512];
    stage s = stage_begin();
    int lines = 0, good = 0;

    snprintf(path, sizeof path, "%s/../fuzz/expr_corpus.txt", getenv("TSRT_ORACLE"));
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        ++lines;
        good += evaluate(&s, line);
        for (size_t end = strlen(line); tsrt_size() == 1 && end > 0; --end) {
            line[end - 1] = '\0';
            evaluate(&s, line);
        }
    }
    fclose(file);
    CHECK(lines > 500);
    CHECK(good > 50);
    stage_end(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_text)};
    return TSRT_RUN(argc, argv, tests);
}
