#include "files.h"

/* Rank 0 asks; the others wait. */
static void ask(const files_problem *p, const char *what, const char *path)
{
    double answer;
    if (p->rank == 0)
        bench_python_ask(p->python, 1, &answer, "%s %lld %d %s", what, (long long)p->rows,
                         FILES_COLUMNS, path);
    bench_barrier();
}

void files_numpy_save(files_problem *p)
{
    ask(p, "save_numpy", p->npy);
}

void files_numpy_load(files_problem *p)
{
    ask(p, "load_numpy", p->npy);
}

void files_h5py_save(files_problem *p)
{
    ask(p, "save_h5py", p->hdf5);
}

void files_h5py_load(files_problem *p)
{
    ask(p, "load_h5py", p->hdf5);
}

bool files_python_is_right(const files_problem *p)
{
    double right = 1;
    if (p->rank == 0)
        bench_python_ask(p->python, 1, &right, "check %lld %d -", (long long)p->rows,
                         FILES_COLUMNS);
    return right != 0;
}
