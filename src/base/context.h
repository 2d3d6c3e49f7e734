/* The context of a communicator: the private duplicate that carries all of the library's messages,
 * this rank's place in it, and the settings read from the environment by rank 0. */
#ifndef TSRI_BASE_CONTEXT_H
#define TSRI_BASE_CONTEXT_H

#include "base/error.h"
#include "base/machine.h"
#include "base/memory.h"

typedef enum { TSRI_TRANSPORT_AUTO, TSRI_TRANSPORT_SHM, TSRI_TRANSPORT_P2P } tsri_transport;

/* Who writes the cells of a rank into a file: itself, one rank of its node, or rank 0. */
typedef enum { TSRI_WRITERS_ALL, TSRI_WRITERS_NODE, TSRI_WRITERS_ONE } tsri_file_writers;

typedef struct tsri_settings {
    bool poison;              /* TESSERA_POISON */
    int ranks_per_node;       /* TESSERA_RANKS_PER_NODE; 0: real nodes */
    int64_t message_limit;    /* TESSERA_MESSAGE_LIMIT: largest message, in bytes */
    tsri_transport transport; /* TESSERA_TRANSPORT */
    int64_t shm_limit;        /* TESSERA_SHM_LIMIT: the most shared memory of a rank, in bytes */
    tsri_file_writers file_writers; /* TESSERA_FILE_WRITERS */
    bool debug;                     /* TESSERA_DEBUG: the debug gate is on */
    double debug_timeout_s;         /* TESSERA_DEBUG_TIMEOUT: how long it waits */
} tsri_settings;

typedef struct tsri_context tsri_context;

/* The context of a communicator.  The first call for a communicator is collective over it and
 * agrees; later ones are local.  Borrowed: take a reference to keep it. */
tsr_status tsri_context_of(tsr_comm comm, tsri_context **context);
/* The context that a communicator has already, NULL when it has none.  Local. */
tsri_context *tsri_context_find(tsr_comm comm);
/* Whether the library or MPI has ended: there are no contexts, and all that lives is released. */
bool tsri_context_ended(void);
/* For a public call that takes a communicator: its context, and into the call as by tsri_enter().
 * Without one there is nothing to agree over. */
tsr_status tsri_context_enter(tsr_comm comm, const char *call, tsri_context **context);
/* Contexts of the same ranks in other orders have one base, which has its own for one: the context
 * that others are made from.  The rank in `context` of each rank of the base; NULL: the same. */
tsri_context *tsri_context_base(tsri_context *context);
const int *tsri_context_places(const tsri_context *context);
/* The context of the ranks of a base in another order: place[r] is the new number of rank r, the
 * same array on all ranks.  Made when first asked for, and kept as long as the base.  Borrowed.
 * Collective; agrees when it is made. */
tsr_status tsri_context_reordered(tsri_context *base, const int *place, tsri_context **context);

tsri_context *tsri_context_ref(tsri_context *context);
void tsri_context_unref(tsri_context *context);

/* TSR_OK while the context can communicate; TSR_ERR_STATE after tsr_finalize() or MPI's end, or
 * from a thread that MPI's thread level forbids.  The same on all ranks. */
tsr_status tsri_context_check(const tsri_context *context);

/* A number that its ranks share, and no other context has. */
uint64_t tsri_context_name(const tsri_context *context);
int tsri_context_rank(const tsri_context *context);
int tsri_context_size(const tsri_context *context);
/* The user's communicator, TSR_COMM_NULL once it is freed. */
tsr_comm tsri_context_comm(const tsri_context *context);
const tsri_settings *tsri_context_settings(const tsri_context *context);
/* The best instruction set that every rank's machine has: with it all compute the same bits. */
tsri_level tsri_context_level(const tsri_context *context);

/* What src/shm found out about the context's ranks, kept with it and freed when its communicator
 * is, by `free`; NULL until then. */
void tsri_context_keep_team(tsri_context *context, void *team, void (*free)(void *team));
void *tsri_context_team(const tsri_context *context);

/* Memory of at least this many bytes, aligned to 64, not initialised, which the context keeps for
 * the next call that asks for the same place: a call in a loop does not get fresh pages from the
 * system each time.  Valid until then.  A block much larger than asked for is given back.  NULL
 * when there is no memory.  Local. */
enum { TSRI_SCRATCHES = 3 };
void *tsri_context_scratch(tsri_context *context, int place, size_t bytes);

/* Agree on an outcome.  Every rank gives its status (the text is the thread's last failure) and a
 * fingerprint of the arguments that must be the same on all ranks.  All get the worst status with
 * the text of the lowest rank that has it, or TSR_ERR_MISMATCH when fingerprints differ.
 * Collective. */
tsr_status tsri_agree(tsri_context *context, tsr_status status, uint64_t fingerprint);

/* Objects that hold resources beyond plain memory put one of these inside themselves, so that
 * tsr_finalize() can release the resources, newest first.  `release` frees the resources but not
 * the object, whose handle the user may still hold; it is called at most once, and never after
 * tsri_live_remove(). */
typedef struct tsri_live {
    struct tsri_live *older, *newer;
    void (*release)(struct tsri_live *self);
} tsri_live;
void tsri_live_add(tsri_live *object, void (*release)(tsri_live *self));
void tsri_live_remove(tsri_live *object);

#endif
