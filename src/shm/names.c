/* The handles of managers, and which of them are still alive. */
#define _POSIX_C_SOURCE 200809L

#include "shm/manager.h"

#include <pthread.h>

/* Guards the lists and the names. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsri_manager *newest;
static uintptr_t last_name;
static int64_t last_number;

static tsri_manager *find_manager(uintptr_t name)
{
    tsri_manager *m = newest;
    while (m != NULL && m->name != name)
        m = m->older;
    return m;
}

static tsri_shared *find_array(uintptr_t name)
{
    for (tsri_manager *m = newest; m != NULL; m = m->older)
        for (tsri_shared *a = m->newest; a != NULL; a = a->older)
            if (a->name == name) return a;
    return NULL;
}

tsri_manager *tsri_manager_of(const tsr_shm *shm)
{
    pthread_mutex_lock(&lock);
    tsri_manager *const found = find_manager((uintptr_t)shm);
    pthread_mutex_unlock(&lock);
    return found;
}

tsri_shared *tsri_shared_of(const tsr_shm_array *array)
{
    pthread_mutex_lock(&lock);
    tsri_shared *const found = find_array((uintptr_t)array);
    pthread_mutex_unlock(&lock);
    return found;
}

tsr_shm_array *tsri_shared_handle(const tsri_shared *array)
{
    return (tsr_shm_array *)array->name;
}

tsr_shm *tsri_manager_enlist(tsri_manager *manager)
{
    pthread_mutex_lock(&lock);
    manager->name = ++last_name;
    manager->older = newest;
    if (newest != NULL) newest->newer = manager;
    newest = manager;
    pthread_mutex_unlock(&lock);
    return (tsr_shm *)manager->name;
}

void tsri_manager_delist(tsri_manager *manager)
{
    pthread_mutex_lock(&lock);
    if (manager->older != NULL) manager->older->newer = manager->newer;
    if (manager->newer != NULL) manager->newer->older = manager->older;
    if (newest == manager) newest = manager->older;
    pthread_mutex_unlock(&lock);
}

tsr_shm_array *tsri_shared_enlist(tsri_shared *array)
{
    tsri_manager *const manager = array->manager;

    pthread_mutex_lock(&lock);
    array->name = ++last_name;
    array->older = manager->newest;
    if (manager->newest != NULL) manager->newest->newer = array;
    manager->newest = array;
    pthread_mutex_unlock(&lock);
    return tsri_shared_handle(array);
}

void tsri_shared_delist(tsri_shared *array)
{
    tsri_manager *const manager = array->manager;

    pthread_mutex_lock(&lock);
    if (array->older != NULL) array->older->newer = array->newer;
    if (array->newer != NULL) array->newer->older = array->older;
    if (manager->newest == array) manager->newest = array->older;
    pthread_mutex_unlock(&lock);
}

int64_t tsri_shared_number(void)
{
    pthread_mutex_lock(&lock);
    const int64_t number = ++last_number;
    pthread_mutex_unlock(&lock);
    return number;
}

tsr_status tsri_manager_check(const char *call, const tsr_shm *shm, tsri_manager **manager)
{
    *manager = tsri_manager_of(shm);
    if (*manager != NULL) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "shm is %s",
                        shm == NULL ? "NULL" : "no manager, or one that is destroyed");
}

tsr_status tsri_shared_check(const char *call, const tsr_shm_array *array, tsri_shared **shared)
{
    *shared = tsri_shared_of(array);
    if (*shared != NULL) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is %s",
                        array == NULL ? "NULL" : "no shared array, or one that is freed");
}
