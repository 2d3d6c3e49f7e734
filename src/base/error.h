/* Failures: the text a thread keeps of its last one, and the macros of the error pattern.
 *
 * Every collective function that can fail has the same shape: local work, whose failures go to one
 * label; tsri_agree(); steps that depend on nothing rank-local; one cleanup label. */
#ifndef TSRI_BASE_ERROR_H
#define TSRI_BASE_ERROR_H

#include <tessera/base.h>

/* Keep the sentence "func: text [CODE, file:line]" as this thread's last failure; returns code. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
tsr_status
tsri_fail(tsr_status code, const char *func, const char *file, int line, const char *format, ...);

/* A failure at a place of a text, with what stands there.  Columns count from 1. */
#define TSRI_FAIL_AT(call, code, text, column, ...)                                                \
    tsri_fail_at((call), __FILE__, __LINE__, (code), (text), (column), __VA_ARGS__)
#if defined(__GNUC__)
__attribute__((format(printf, 7, 8)))
#endif
tsr_status
tsri_fail_at(const char *call, const char *file, int line, tsr_status code, const char *text,
             int column, const char *format, ...);

/* Room for the text of a failure, with its NUL. */
enum { TSRI_TEXT_BYTES = 512 };

/* This thread enters a public collective call (a literal): its name stands in the texts of failures
 * in functions that are not public themselves. */
void tsri_error_enter(const char *call);

/* Replace the last failure's text, as agreement does; `speaks` says whether TSR_CHECK prints it on
 * this rank. */
void tsri_error_set(const char *text, bool speaks);
bool tsri_error_speaks(void);
/* Whether the last failure's text came from an agreement, so that it names its rank already. */
bool tsri_error_shared(void);

/* The first failure of several calls that all have to be made. */
static inline void tsri_keep(tsr_status *first, tsr_status st)
{
    if (*first == TSR_OK) *first = st;
}

/* The end of a noun after a count: "%d cell%s", "%d ax%cs". */
#define TSRI_S(count) ((count) == 1 ? "" : "s")
#define TSRI_ES(count) ((count) == 1 ? 'i' : 'e')

#define TSRI_FAIL(code, ...) tsri_fail((code), __func__, __FILE__, __LINE__, __VA_ARGS__)
/* A failure of the public call that a helper works for. */
#define TSRI_FAIL_IN(call, code, ...) tsri_fail((code), (call), __FILE__, __LINE__, __VA_ARGS__)

/* All three need a variable `st` in scope and a label to go to. */
#define TSRI_TRY(label, call)                                                                      \
    do {                                                                                           \
        st = (call);                                                                               \
        if (st != TSR_OK) goto label;                                                              \
    } while (0)
#define TSRI_CHECK(label, condition, code, ...)                                                    \
    TSRI_CHECK_IN(__func__, label, condition, code, __VA_ARGS__)
#define TSRI_CHECK_IN(call, label, condition, code, ...)                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            st = TSRI_FAIL_IN((call), (code), __VA_ARGS__);                                        \
            goto label;                                                                            \
        }                                                                                          \
    } while (0)
#define TSRI_FAIL_NOMEM(count, size)                                                               \
    TSRI_FAIL(TSR_ERR_NOMEM, "no memory for %zu objects of %zu bytes", (size_t)(count), (size))
/* Zeroed memory for `count` objects of the type `pointer` points to. */
#define TSRI_ALLOC(label, pointer, count)                                                          \
    do {                                                                                           \
        (pointer) = tsri_alloc((size_t)(count), sizeof *(pointer));                                \
        if ((pointer) == NULL) {                                                                   \
            st = TSRI_FAIL_NOMEM(count, sizeof *(pointer));                                        \
            goto label;                                                                            \
        }                                                                                          \
    } while (0)
/* Room for one more of `count` objects: when there are `room`, memory for twice as many, at first
 * for `least`.  After a failure all is as it was. */
#define TSRI_GROW(label, pointer, count, room, least)                                              \
    do {                                                                                           \
        if ((count) == (room)) {                                                                   \
            const size_t tsri_room = (size_t)((room) == 0 ? (least) : 2 * (room));                 \
            void *const tsri_larger =                                                              \
                tsri_grow((pointer), (size_t)(count), tsri_room, sizeof *(pointer));               \
            if (tsri_larger == NULL) {                                                             \
                st = TSRI_FAIL_NOMEM(tsri_room, sizeof *(pointer));                                \
                goto label;                                                                        \
            }                                                                                      \
            (pointer) = tsri_larger;                                                               \
            (room) = (room) == 0 ? (least) : 2 * (room);                                           \
        }                                                                                          \
    } while (0)

#endif
