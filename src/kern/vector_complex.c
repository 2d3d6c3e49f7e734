#include "kern/vector_level.h"

const tsri_vector_row TSRI_AT_LEVEL(complex)[] = {{.op = TSRI_VECTOR_END}};
