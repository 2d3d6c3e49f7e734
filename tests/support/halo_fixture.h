/* Between the model and the library: communicators of a few ranks, the layout of a model, and
 * copying and comparing whole storages. */
#ifndef TESTS_HALO_FIXTURE_H
#define TESTS_HALO_FIXTURE_H

#include "support/halo_model.h"
#include "support/harness.h"

/* What a failure's line begins with: how to reproduce it, or nothing. */
extern char fixture_case[128];
#define FIXTURE_OK(...)                                                                            \
    ((__VA_ARGS__) == TSR_OK ? (void)0                                                             \
                             : tsrt_fail(__FILE__, __LINE__, "%s%s: \"%s\"", fixture_case,         \
                                         #__VA_ARGS__, tsr_error_text()))

/* A communicator of the first `ranks` ranks; TSR_COMM_NULL on the others.  Skips the test in a run
 * of fewer.  Collective, as is its end. */
tsr_comm fixture_comm(int ranks);
void fixture_comm_end(tsr_comm comm);

/* The layout of a model; the axes in `cut` get their cuts explicitly, the others near-even. */
tsr_layout *fixture_layout(tsr_comm comm, const model_layout *m, tsr_axes cut);
/* Write the model's storage of this rank, halo cells too, into an array. */
void fixture_write(const model *m, int rank, tsr_array *array);
/* Whether a cell of this rank's storage has other bits than the model's; says which. */
bool fixture_differs(const model *m, int rank, const tsr_array *array, size_t size, char *text);
/* Every cell of this rank's storage has the model's bits. */
#define CHECK_MODEL(model, rank, array) fixture_check((model), (rank), (array), __FILE__, __LINE__)
void fixture_check(const model *m, int rank, const tsr_array *array, const char *file, int line);

/* The ways to run an exchange. */
typedef enum fixture_way { BLOCKING, MANY, STARTED, POLLED, WAYS } fixture_way;
typedef enum fixture_kind { UPDATE, ACCUMULATE } fixture_kind;
void fixture_run(fixture_way way, fixture_kind kind, int count, tsr_array *const *arrays,
                 const tsr_halo_options *options);

/* A boundary function that writes what the model expects of one. */
tsr_status fixture_callback(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                            const int64_t *hi, void *ctx);
/* Give an array its own boundaries: low and high side of each axis. */
void fixture_boundaries(tsr_array *array, const tsr_boundary *own);

/* Run an exchange in every way on an array of this shape, over the first ranks, and compare every
 * cell with the model.  `own` and `options` may be NULL.  Collective over all ranks of the run. */
void fixture_compare(fixture_kind kind, const model_layout *shape, tsr_axes cut, tsr_dtype dtype,
                     const tsr_boundary *own, const tsr_halo_options *options);

#endif
