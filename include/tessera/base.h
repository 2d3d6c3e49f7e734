/**
 * @file base.h
 * Start and end, error text, and the check macro for programs.
 */
#ifndef TESSERA_BASE_H
#define TESSERA_BASE_H

#include <tessera/types.h>

TSR_BEGIN_DECLS

/**
 * Start the library, and MPI unless the program already has.
 *
 * Optional for a program that starts MPI itself.  A second call does nothing; after
 * tsr_finalize(), while MPI still runs, the library begins anew.  MPI is started with
 * MPI_THREAD_SERIALIZED: calls may come from any thread, one at a time.  A program whose threads
 * work on different communicators at the same time starts MPI itself, with MPI_THREAD_MULTIPLE;
 * with a level below MPI_THREAD_SERIALIZED only MPI's main thread may call.
 *
 * @par Call
 *   Collective over all ranks.
 * @param argc,argv  the arguments of main, or NULL both; MPI may remove its own from them.
 * @return TSR_OK, or
 *   TSR_ERR_STATE  MPI has already ended,
 *   TSR_ERR_MPI    MPI could not be started.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_init(int *argc, char ***argv);

/**
 * Release all that the library still holds, in reverse order of creation, and end MPI if tsr_init()
 * started it.  Handles of objects still alive stay valid for their destroy functions alone.
 * A second call, or one after MPI has ended, does nothing.  A program that ends MPI itself need not
 * call it: MPI_Finalize() releases all the same.
 *
 * @par Call
 *   Collective over all ranks.
 * @return TSR_OK (so that `return tsr_finalize();` ends main), or TSR_ERR_MPI.
 */
TSR_API tsr_status tsr_finalize(void);

/**
 * The sentence of this thread's last failure: which rank, which call, what was asked, what is
 * allowed, where; in one line, with spaces and `?` for control characters of what it quotes.  Never
 * NULL; empty before the first failure.  Valid until the thread's next failure.  After a failed
 * collective call every rank has the same text.  Local.
 */
TSR_API const char *tsr_error_text(void);
/** The name of a status code: "TSR_ERR_VALUE".  Local. */
TSR_API const char *tsr_status_name(tsr_status status);
/** The short meaning of a status code: "impossible value".  Local. */
TSR_API const char *tsr_status_text(tsr_status status);

/** The version of the library, "0.1.0".  Local. */
TSR_API const char *tsr_version(void);
/** The flavour the library was built for: "openmpi", "mpich", "mpi" or "serial".  Local. */
TSR_API const char *tsr_flavour(void);

/**
 * For programs, not libraries: stop all ranks when a call failed.  The text is printed once, by the
 * lowest rank that failed.
 */
#define TSR_CHECK(...) tsr_check_status((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
/** What TSR_CHECK calls: returns when status is TSR_OK, else prints and aborts.  Local. */
TSR_API void tsr_check_status(tsr_status status, const char *call, const char *file, int line);

TSR_END_DECLS
#endif
