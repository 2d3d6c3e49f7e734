/* Random programs whose arrays each node may have one copy of. */
#ifndef TSRT_SUPPORT_NODE_PROGRAMS_H
#define TSRT_SUPPORT_NODE_PROGRAMS_H

#include "support/harness.h"

/* A test: programs give the same bits with node_shared and without. */
void node_programs(void **state);

#endif
