/* The list of all objects that the library holds, which finalizing releases. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "base/comm.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsri_live *newest;

/* An object is in the list while its `release` is set. */
static void unlink_locked(tsri_live *object)
{
    if (object->older != NULL) object->older->newer = object->newer;
    if (object->newer != NULL) object->newer->older = object->older;
    if (newest == object) newest = object->older;
    *object = (tsri_live){0};
}

void tsri_live_add(tsri_live *object, void (*release)(tsri_live *self))
{
    pthread_mutex_lock(&lock);
    *object = (tsri_live){.older = newest, .release = release};
    if (newest != NULL) newest->newer = object;
    newest = object;
    pthread_mutex_unlock(&lock);
}

void tsri_live_remove(tsri_live *object)
{
    pthread_mutex_lock(&lock);
    if (object->release != NULL) unlink_locked(object);
    pthread_mutex_unlock(&lock);
}

/* A release may remove other objects, so the list is read anew each time. */
void tsri_live_release_all(void)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        tsri_live *object = newest;
        void (*release)(tsri_live *) = object != NULL ? object->release : NULL;
        if (object != NULL) unlink_locked(object);
        pthread_mutex_unlock(&lock);
        if (object == NULL) return;
        release(object);
    }
}
