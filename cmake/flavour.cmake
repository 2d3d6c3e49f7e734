# Finds MPI and sets TESSERA_FLAVOUR: openmpi, mpich, mpi (another one) or serial.  The library's
# file name carries it, so that flavours install side by side.

if(TESSERA_MPI)
    find_package(MPI 3.0 COMPONENTS C)
    if(NOT MPI_C_FOUND)
        message(FATAL_ERROR "No MPI found.  Name its compiler with -DMPI_C_COMPILER=mpicc, "
                            "or build without MPI: -DTESSERA_MPI=OFF")
    endif()

    include(CheckSymbolExists)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
    check_symbol_exists(OPEN_MPI mpi.h TESSERA_MPI_IS_OPENMPI)
    check_symbol_exists(MPICH_VERSION mpi.h TESSERA_MPI_IS_MPICH)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(TESSERA_MPI_IS_OPENMPI)
        set(TESSERA_FLAVOUR openmpi)
    elseif(TESSERA_MPI_IS_MPICH)
        set(TESSERA_FLAVOUR mpich)
    else()
        set(TESSERA_FLAVOUR mpi)
    endif()

    # Where several MPIs are installed, the plain name may be another one's.
    get_filename_component(mpi_bin "${MPI_C_COMPILER}" DIRECTORY)
    find_program(TESSERA_MPIEXEC NAMES mpiexec.${TESSERA_FLAVOUR} mpiexec
                 HINTS "${mpi_bin}" DOC "Starts MPI programs, for the tests")
else()
    set(TESSERA_FLAVOUR serial)
endif()
message(STATUS "Flavour: ${TESSERA_FLAVOUR}")
