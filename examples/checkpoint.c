/* A run that can be killed at any moment and goes on where it was, on any number of ranks.
 *
 *     checkpoint [--steps N] [--every N] [--size N] [--file FILE.h5] [--output FILE.npy]
 *
 * Heat spreads on a square plate with a hot spot that circles.  Every so many steps the field, the
 * step and the time are saved; a run that finds the file begins there.  However often it was
 * killed, and on however many ranks it went on, the last field has the same bits. */
/* ranks: 1 2 3 4 */
/* test-args: --steps 40 --every 15 --size 24 */
#include <tessera.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    int64_t steps, every, size;
    const char *file, *output;
} settings;

static bool read_arguments(int argc, char **argv, settings *s)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--steps") == 0)
            s->steps = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--every") == 0)
            s->every = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--size") == 0)
            s->size = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--file") == 0)
            s->file = value;
        else if (strcmp(argv[i], "--output") == 0)
            s->output = value;
        else
            return false;
    }
    return argc % 2 == 1 && s->steps >= 0 && s->every > 0 && s->size > 0;
}

static void save(const char *file, tsr_array *u, int64_t step, double time)
{
    tsr_attributes attributes = {0};

    TSR_CHECK(tsr_attributes_set(&attributes, "step", tsr_i64(step)));
    TSR_CHECK(tsr_attributes_set(&attributes, "time", tsr_f64(time)));
    TSR_CHECK(tsr_checkpoint_save(file, 1, (tsr_named_array[]){{"u", u}}, &attributes));
    tsr_attributes_clear(&attributes);
}

static void load(const char *file, tsr_array *u, int64_t *step, double *time)
{
    tsr_attributes attributes = {0};
    tsr_scalar value;

    TSR_CHECK(tsr_checkpoint_load(file, 1, (tsr_named_array[]){{"u", u}}, &attributes));
    TSR_CHECK(tsr_attributes_get(&attributes, "step", &value));
    *step = tsr_to_int64(value);
    TSR_CHECK(tsr_attributes_get(&attributes, "time", &value));
    *time = tsr_to_double(value);
    tsr_attributes_clear(&attributes);
}

static tsr_layout *make_plate(int64_t size)
{
    tsr_layout *plate = NULL;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(size, size),
                                &(tsr_layout_options){.split = TSR_AXES(0, 1),
                                                      .halo = {1, 1},
                                                      .periodic = TSR_AXES(0, 1),
                                                      .allow_empty = true},
                                &plate));
    return plate;
}

/* One step: heat spreads, and the spot, whose place depends on the time, adds some. */
static void advance(tsr_array *u, tsr_array *next, int64_t size, double *time)
{
    const double n = (double)size, x = n / 2 * (1 + 0.5 * cos(*time));
    const double y = n / 2 * (1 + 0.5 * sin(*time)), width = n * n / 100;

    TSR_CHECK(tsr_eval(next,
                       "u + 0.2*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)"
                       " + exp(-((i0 - x)**2 + (i1 - y)**2)/width)",
                       TSR_ARG(u), TSR_ARG(x), TSR_ARG(y), TSR_ARG(width)));
    TSR_CHECK(tsr_array_swap(u, next));
    *time += 0.05;
}

int main(int argc, char **argv)
{
    settings s = {200, 50, 96, "checkpoint.h5", "checkpoint.npy"};
    tsr_array *u = NULL, *next = NULL;
    int64_t step = 0;
    double time = 0;
    bool found = false;

    TSR_CHECK(tsr_init(&argc, &argv));
    if (!read_arguments(argc, argv, &s)) {
        fprintf(stderr, "checkpoint: wrong arguments, see the top of examples/checkpoint.c\n");
        tsr_finalize();
        return 2;
    }
    tsr_layout *plate = make_plate(s.size);
    TSR_CHECK(tsr_zeros(plate, TSR_F64, &u));
    TSR_CHECK(tsr_zeros(plate, TSR_F64, &next));

    TSR_CHECK(tsr_checkpoint_exists(s.file, TSR_COMM_WORLD, &found));
    if (found) load(s.file, u, &step, &time);
    if (tsr_layout_rank(plate) == 0) printf("from step %lld\n", (long long)step);
    while (step < s.steps) {
        advance(u, next, s.size, &time);
        if (++step % s.every == 0) save(s.file, u, step, time);
    }
    TSR_CHECK(tsr_save(s.output, u));

    tsr_array_destroy(&u);
    tsr_array_destroy(&next);
    tsr_layout_destroy(&plate);
    return tsr_finalize();
}
