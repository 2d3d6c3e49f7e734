/* Halo exchanges as other parts ask for them. */
#ifndef TSRI_MOVE_HALO_H
#define TSRI_MOVE_HALO_H

#include "move/halo_plan.h"

/* tsr_halo_start() and tsr_halo_accumulate_start(), for a public call. */
tsr_status tsri_halo_start(const char *call, int count, tsr_array *const *arrays,
                           const tsri_halo_request *request, tsr_pending **pending);

#endif
