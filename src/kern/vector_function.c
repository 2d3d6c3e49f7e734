#include "kern/vector_level.h"

const tsri_vector_row TSRI_AT_LEVEL(function)[] = {{.op = TSRI_VECTOR_END}};
