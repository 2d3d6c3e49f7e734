#include "io/named_arrays.h"

#include <string.h>

tsr_status tsri_named_array_set(tsr_named_array *entry, const tsr_named_array *given)
{
    const size_t bytes = strlen(given->name) + 1;
    char *name = NULL;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, name, bytes);
    memcpy(name, given->name, bytes);
    *entry = (tsr_named_array){.name = name};
done:
    return st;
}

void tsr_named_arrays_destroy(int *n, tsr_named_array **arrays)
{
    if (n == NULL || arrays == NULL) return;
    for (int i = 0; i < *n && *arrays != NULL; ++i) {
        tsr_array_destroy(&(*arrays)[i].array);
        tsri_free((char *)(*arrays)[i].name);
    }
    tsri_free(*arrays);
    *n = 0;
    *arrays = NULL;
}
