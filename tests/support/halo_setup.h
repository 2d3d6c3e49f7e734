/* From the worked examples to models and tests. */
#ifndef TESTS_HALO_SETUP_H
#define TESTS_HALO_SETUP_H

#include "support/halo_examples.h"
#include "support/halo_model.h"
#include "support/harness.h"

model_layout setup_update_layout(const halo_example *e);
model_layout setup_accumulate_layout(const accumulate_example *e);
/* The values before the call: before an update owned cells by their global index or rank, halo
 * cells by rank. */
void setup_update_values(model *m, const halo_example *example);
void setup_accumulate_values(model *m, const accumulate_example *example);

/* Run one test for each example, under its name, with the example as its state, and then more
 * tests.  A function that is NULL leaves out its examples. */
int setup_run(int argc, char **argv, CMUnitTestFunction update, CMUnitTestFunction accumulate,
              const struct CMUnitTest *more, size_t more_count);

#endif
