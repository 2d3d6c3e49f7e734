#define _POSIX_C_SOURCE 200809L

#include "support/nodes.h"

#include <math.h>

int ranks_per_node(int size)
{
    const char *text = getenv("TESSERA_RANKS_PER_NODE");
    const int ranks = text != NULL && text[0] != '\0' ? atoi(text) : size;
    return ranks < size ? ranks : size;
}

int node_size_of(int rank, int size)
{
    const int k = ranks_per_node(size), left = size - rank / k * k;
    return left < k ? left : k;
}

int nodes_among(int size)
{
    const int k = ranks_per_node(size);
    return (size + k - 1) / k;
}

int smallest_node(int size)
{
    return node_size_of(size - 1, size);
}

int next_size(int n)
{
    const int first = n + 1 < 5 ? 5 : n + 1;
    return first < tsrt_size() ? first : n < tsrt_size() ? tsrt_size() : n + 1;
}

#ifndef TSR_SERIAL
int rank_in(tsr_comm comm)
{
    int rank = -1;
    if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(tsr_comm comm)
{
    int size = 0;
    if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &size);
    return size;
}
#else
int rank_in(tsr_comm comm)
{
    return comm == TSR_COMM_NULL ? -1 : 0;
}

int size_of(tsr_comm comm)
{
    return comm == TSR_COMM_NULL ? 0 : 1;
}
#endif

tsr_shm *make_manager(tsr_comm comm, int nproc_reduce, int node_root)
{
    tsr_shm *shm = NULL;
    CHECK_OK(tsr_shm_create(comm, &(tsr_shm_options){nproc_reduce, node_root}, &shm));
    CHECK(shm != NULL);
    return shm;
}

double shared_part(const tsr_shm_array *array, int64_t i, int which)
{
    const void *data = tsr_shm_data(array);
    switch (tsr_shm_dtype(array)) {
#define READ_PART(suffix, ctype, name, components)                                                 \
    case TSR_##suffix:                                                                             \
        return which < (components) ? (double)((const ctype *)data)[(components)*i + which] : 0;
        TSR_DTYPE_LIST(READ_PART)
#undef READ_PART
    default:
        return NAN;
    }
}

void check_shared_all(const tsr_shm_array *array, double value)
{
    CHECK((uintptr_t)tsr_shm_data(array) % 64 == 0);
    for (int64_t i = 0; i < tsr_shm_cells(array); ++i) {
        CHECK_DOUBLE(shared_part(array, i, 0), value, 0);
        CHECK_DOUBLE(shared_part(array, i, 1), 0, 0);
    }
}
