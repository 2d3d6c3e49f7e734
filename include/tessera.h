/**
 * @file tessera.h
 * Tessera: distributed N-dimensional arrays over MPI, as simple as NumPy.
 *
 * This header includes the whole public interface.  Every function says whether it is Local (no
 * communication; any rank may call it alone) or Collective (every rank of the communicator calls
 * it, in the same order).  Compiles as C11 and as C++17.
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <tessera/types.h>

#include <tessera/base.h>

#include <tessera/layout.h>

#include <tessera/array.h>

#include <tessera/arg.h>

#include <tessera/shm.h>

#include <tessera/move.h>

#include <tessera/rearrange.h>

#include <tessera/select.h>

#include <tessera/expr.h>

#include <tessera/reduce.h>

#include <tessera/io.h>

#include <tessera/hdf5.h>

#endif
