#define _POSIX_C_SOURCE 200809L

#include "support/fault_cases.h"

#include <stdio.h>

void stage_begin(stage *s)
{
    *s = (stage){0};
    snprintf(s->path, sizeof s->path, "%s/fault.npy", tsrt_folder());
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 5),
                               &(tsr_layout_options){.halo = {2, 1}, .periodic = TSR_AXES(0)},
                               &s->layout));
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 5),
                               &(tsr_layout_options){.split = TSR_AXIS(1)}, &s->columns));
    CHECK_OK(tsr_full(s->layout, TSR_F64, tsr_f64(2), &s->array));
    CHECK_OK(tsr_ones(s->layout, TSR_I32, &s->second));

    tsr_layout *whole = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(9),
                               &(tsr_layout_options){.split = TSR_WHOLE}, &whole));
    CHECK_OK(tsr_full(whole, TSR_F64, tsr_f64(4), &s->replicated));
    CHECK_OK(tsr_layout_destroy(&whole));

    tsr_layout *row = NULL, *line = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(4), NULL, &row));
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(30), NULL, &line));
    CHECK_OK(tsr_full(row, TSR_F64, tsr_f64(2), &s->twos));
    CHECK_OK(tsr_full(line, TSR_F64, tsr_f64(3), &s->thirty));
    CHECK_OK(tsr_ones(s->columns, TSR_BOOL, &s->mask));
    CHECK_OK(tsr_layout_destroy(&row));
    CHECK_OK(tsr_layout_destroy(&line));
}

void stage_end(stage *s)
{
    CHECK_OK(tsr_shm_destroy(&s->shm));
    CHECK_OK(tsr_array_destroy(&s->array));
    CHECK_OK(tsr_array_destroy(&s->second));
    CHECK_OK(tsr_array_destroy(&s->replicated));
    CHECK_OK(tsr_array_destroy(&s->twos));
    CHECK_OK(tsr_array_destroy(&s->thirty));
    CHECK_OK(tsr_array_destroy(&s->mask));
    CHECK_OK(tsr_layout_destroy(&s->layout));
    CHECK_OK(tsr_layout_destroy(&s->columns));
}
