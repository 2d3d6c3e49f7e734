# HDF5, optional.  Sets TESSERA_HDF5_FOUND, and hdf5_libraries to what is linked, and takes the
# sources that do not go with it out of `sources`.
#
# Files are read and written by one rank at a time, so any HDF5 will do; but a program that uses
# HDF5 itself should find one in its process, so that of this MPI comes first.

set(TESSERA_HDF5 AUTO CACHE STRING
    "HDF5: AUTO (the one of this MPI, else a serial one, else none), SERIAL or OFF")
set_property(CACHE TESSERA_HDF5 PROPERTY STRINGS AUTO SERIAL OFF)

include(CheckCSourceCompiles)
find_package(PkgConfig QUIET)

# Look for HDF5 by a name of pkg-config; it must be parallel or serial, as `kind` says.
function(tessera_find_hdf5 name kind)
    if(TESSERA_HDF5_FOUND OR NOT PKG_CONFIG_FOUND)
        return()
    endif()
    string(MAKE_C_IDENTIFIER "${name}" id)
    pkg_check_modules(${id} QUIET IMPORTED_TARGET GLOBAL ${name})
    if(NOT ${id}_FOUND)
        return()
    endif()
    find_library(TESSERA_${id}_HL hdf5_hl HINTS ${${id}_LIBRARY_DIRS})
    mark_as_advanced(TESSERA_${id}_HL)
    set(libraries ${TESSERA_${id}_HL} PkgConfig::${id})
    set(CMAKE_REQUIRED_LIBRARIES ${libraries})
    if(kind STREQUAL parallel)
        list(APPEND CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
    endif()
    check_c_source_compiles("
        #include <hdf5.h>
        #include <hdf5_hl.h>
        #ifdef H5_HAVE_PARALLEL
        #define KIND_parallel
        #else
        #define KIND_serial
        #endif
        #ifndef KIND_${kind}
        #error another kind
        #endif
        int main(void) { return H5DSis_scale(H5open()) > 0; }" TESSERA_LINKS_${id}_${kind})
    if(TESSERA_LINKS_${id}_${kind})
        set(TESSERA_HDF5_FOUND TRUE PARENT_SCOPE)
        set(hdf5_libraries ${libraries} PARENT_SCOPE)
        message(STATUS "HDF5: ${name}")
    endif()
endfunction()

set(TESSERA_HDF5_FOUND FALSE)
set(hdf5_libraries "")
if(NOT TESSERA_HDF5 STREQUAL OFF)
    if(TESSERA_MPI AND NOT TESSERA_HDF5 STREQUAL SERIAL)
        tessera_find_hdf5(hdf5-${TESSERA_FLAVOUR} parallel)
        if(TESSERA_FLAVOUR STREQUAL mpi)
            tessera_find_hdf5(hdf5 parallel)
        endif()
    endif()
    tessera_find_hdf5(hdf5-serial serial)
    tessera_find_hdf5(hdf5 serial)
endif()

if(TESSERA_HDF5_FOUND)
    list(FILTER sources EXCLUDE REGEX "/io/without_hdf5\\.c$")
else()
    message(STATUS "HDF5: none")
    list(FILTER sources EXCLUDE REGEX "/io/hdf5_[^/]*\\.c$")
endif()
