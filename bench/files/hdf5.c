#include "files.h"

#ifdef BENCH_HDF5
#include <hdf5.h>
#endif

#if !defined BENCH_HDF5 || !defined H5_HAVE_PARALLEL

bool files_has_parallel_hdf5(void)
{
    return false;
}

void files_hand_hdf5_save(files_problem *p)
{
    (void)p;
}

void files_hand_hdf5_load(files_problem *p)
{
    (void)p;
}

#else

bool files_has_parallel_hdf5(void)
{
    return true;
}

/* An identifier, or the end. */
static hid_t must(hid_t id)
{
    if (id < 0) BENCH_STOP("files: parallel HDF5 failed");
    return id;
}

typedef struct {
    hid_t access, transfer, file, place, memory, data;
} handles;

static handles prepare(const files_problem *p)
{
    const tsr_view v = tsr_local(p->array);
    const hsize_t shape[] = {(hsize_t)p->rows, FILES_COLUMNS};
    const hsize_t start[] = {(hsize_t)v.start[0], 0};
    const hsize_t count[] = {(hsize_t)v.extent[0], FILES_COLUMNS};
    handles h = {.access = must(H5Pcreate(H5P_FILE_ACCESS)),
                 .transfer = must(H5Pcreate(H5P_DATASET_XFER)),
                 .place = must(H5Screate_simple(2, shape, NULL)),
                 .memory = must(H5Screate_simple(2, count, NULL))};
    must(H5Pset_fapl_mpio(h.access, MPI_COMM_WORLD, MPI_INFO_NULL));
    must(H5Pset_dxpl_mpio(h.transfer, H5FD_MPIO_COLLECTIVE));
    must(H5Sselect_hyperslab(h.place, H5S_SELECT_SET, start, NULL, count, NULL));
    return h;
}

static void end(const handles *h)
{
    H5Dclose(h->data);
    H5Sclose(h->memory);
    H5Sclose(h->place);
    must(H5Fclose(h->file));
    H5Pclose(h->transfer);
    H5Pclose(h->access);
}

void files_hand_hdf5_save(files_problem *p)
{
    handles h = prepare(p);
    h.file = must(H5Fcreate(p->hdf5, H5F_ACC_TRUNC, H5P_DEFAULT, h.access));
    h.data = must(
        H5Dcreate2(h.file, "a", H5T_NATIVE_DOUBLE, h.place, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    must(H5Dwrite(h.data, H5T_NATIVE_DOUBLE, h.memory, h.place, h.transfer,
                  tsr_local(p->array).data));
    end(&h);
    files_sync(p, p->hdf5);
}

void files_hand_hdf5_load(files_problem *p)
{
    handles h = prepare(p);
    h.file = must(H5Fopen(p->hdf5, H5F_ACC_RDONLY, h.access));
    h.data = must(H5Dopen2(h.file, "a", H5P_DEFAULT));
    must(H5Dread(h.data, H5T_NATIVE_DOUBLE, h.memory, h.place, h.transfer,
                 tsr_local(p->array).data));
    end(&h);
    bench_barrier();
}

#endif
