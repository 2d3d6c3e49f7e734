/* What contexts need from the message layer, and their insides.  For src/base alone; one
 * implementation with MPI, one without. */
#ifndef TSRI_BASE_COMM_H
#define TSRI_BASE_COMM_H

#include "base/context.h"
#include "base/net.h"
#include "base/nodes.h"

/* The numbers that another context has for the ranks of one, and after them the ranks of its
 * numbers.
 */
typedef struct tsri_numbers {
    struct tsri_numbers *older;
    int64_t other; /* serial of the other context */
    int place[];
} tsri_numbers;

struct tsri_context {
    tsri_context *older, *newer; /* in the registry */
    bool listed;                 /* whether it is there */
    tsr_comm user;               /* TSR_COMM_NULL once the user has freed it */
    tsr_comm comm;               /* the private one; TSR_COMM_NULL once freed */
    int rank, size;
    int refs;
    int64_t id;     /* chosen by rank 0: no two contexts with the same rank 0 have the same */
    uint64_t name;  /* chosen by rank 0: no two contexts have the same */
    int64_t serial; /* of all contexts of this process no two have the same */
    bool orphan;    /* the user's communicator is gone: nobody can find this context again */
    bool proposed;  /* on rank 0: a creation under way asks whether all ranks can free it */
    tsri_settings settings;
    tsri_level level;       /* that every rank has */
    const char *call;       /* the public call under way; NULL before the first */
    struct tsri_gate *gate; /* NULL: no debug gate */
    tsr_comm gate_comm;     /* the gate's own */
    tsri_nodes *nodes;      /* NULL until asked for */
    struct {
        void *block; /* NULL: none */
        size_t bytes;
    } scratch[TSRI_SCRATCHES];
    void *team; /* of src/shm; NULL until asked for */
    void (*team_free)(void *team);
    tsri_numbers *numbers; /* of other contexts of the same processes; asked for last first */
    tsri_context *base; /* the context whose ranks these are in another order; NULL: of nobody's */
    tsri_request meeting; /* at the end, of all ranks */
    tsr_comm own;         /* with a base: what users see, which is the library's to free */
    int place[];          /* with a base: the rank here of each of its ranks */
};

/* TSR_OK when this thread may call MPI.  Local. */
tsr_status tsri_comm_usable(void);
/* Check a user's communicator and find its context; NULL when it has none yet.  Local. */
tsr_status tsri_comm_find(tsr_comm user, tsri_context **context);

/* Split the private communicator off context->user.  A rank on which a call fails has one all the
 * same, to agree over, unless MPI itself gave none.  Collective. */
tsr_status tsri_comm_open(tsri_context *context);
/* One more communicator of a context's ranks, this one being `rank` in it; and free one
 * (TSR_COMM_NULL is fine).  Counted.  Collective. */
tsr_status tsri_comm_split(const tsri_context *context, int rank, tsr_comm *comm);
void tsri_comm_free(tsr_comm *comm);
/* Free the private communicator, and the one for users that is the library's.  Collective. */
void tsri_comm_close(tsri_context *context);
/* Before anything is released at the end: wait until all ranks of the listed contexts have come to
 * it, since what one rank has in shared memory others may still read.  Collective. */
void tsri_comm_meet(tsri_context *newest);

/* Let the user's communicator know its context, and forget it again.  When the user frees the
 * communicator, tsri_registry_orphan() is called.  Local. */
tsr_status tsri_comm_attach(tsri_context *context);
void tsri_comm_detach(tsri_context *context);
/* Forget what all communicators share, when no context is left.  Local. */
void tsri_comm_end(void);

/* Whether two contexts have the same ranks in the same order.  Local. */
tsr_status tsri_comm_congruent(const tsri_context *a, const tsri_context *b, bool *congruent);

/* place[r] = the rank in `to` of rank r of `from`, contexts of equal size; `same` says whether they
 * have the same processes.  Local. */
tsr_status tsri_comm_translate(const tsri_context *from, const tsri_context *to, int *place,
                               bool *same);

/* Free a list of numbers.  Local. */
void tsri_numbers_free(tsri_numbers **list);

/* End all ranks; returns when MPI is not running.  Local. */
void tsri_comm_abort(void);

/* Release all live objects, newest first. */
void tsri_live_release_all(void);

/* The settings in this process's environment; on failure the defaults. */
tsr_status tsri_settings_read(tsri_settings *settings);

/* tsri_net_bcast() in one message whatever the settings say, for the library's own records. */
tsr_status tsri_bcast_record(tsri_context *context, void *record, size_t bytes, int root);

#endif
