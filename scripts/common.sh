# Shared by the scripts: sourced, not run.  Goes to the root of the source tree.

set -eu
cd "$(dirname "$0")"
until [ -f include/tessera.h ]; do cd ..; done
root=$PWD
unset MAKEFLAGS # of the make that runs this: it would make the ones below talk
jobs=$(nproc 2>/dev/null || echo 2)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # containers have no other user

have() {
    command -v "$1" >/dev/null 2>&1
}

# The flavour that an MPI compiler belongs to; nothing when it does not work.
flavour_of() {
    have "$1" || return 0
    "$1" -E -dM include/tessera/types.h 2>/dev/null | awk '
        $2 == "OPEN_MPI" { flavour = "openmpi" }
        $2 == "MPICH_VERSION" { flavour = "mpich" }
        $2 == "MPI_VERSION" && flavour == "" { flavour = "mpi" }
        END { print flavour }'
}

# The MPI compiler of a flavour; nothing when there is none.
mpi_compiler() {
    for compiler in mpicc "mpicc.$1"; do
        if [ "$(flavour_of "$compiler")" = "$1" ]; then
            echo "$compiler"
            return
        fi
    done
}

# The flavour to use when the user names none.
default_flavour() {
    for compiler in mpicc mpicc.openmpi mpicc.mpich; do
        flavour=$(flavour_of "$compiler")
        if [ -n "$flavour" ]; then
            echo "$flavour"
            return
        fi
    done
    echo serial
}

# configure FOLDER FLAVOUR [CMAKE-OPTION...]
configure() {
    folder=$1 flavour=$2
    shift 2
    if [ "$flavour" = serial ]; then
        set -- -DTESSERA_MPI=OFF "$@"
    else
        compiler=$(mpi_compiler "$flavour")
        if [ -z "$compiler" ]; then
            echo "No MPI compiler of the flavour $flavour was found." >&2
            return 1
        fi
        set -- -DTESSERA_MPI=ON -DMPI_C_COMPILER="$compiler" "$@"
    fi
    cmake -S . -B "$folder" "$@"
}

# build FOLDER FLAVOUR [CMAKE-OPTION...]
build() {
    configure "$@" && cmake --build "$1" -j "$jobs"
}

# The words that start RANKS ranks of a program of build/FLAVOUR; none in the serial flavour.
launcher() {
    [ "$1" != serial ] || return 0
    mpiexec=$(sed -n 's/^TESSERA_MPIEXEC:[A-Z]*=//p' "build/$1/CMakeCache.txt")
    case $1 in
    openmpi) echo "$mpiexec --oversubscribe -n $2" ;;
    *) echo "$mpiexec -n $2" ;;
    esac
}

# launch FLAVOUR RANKS PROGRAM [ARGUMENT...]: run what build/FLAVOUR holds.
launch() {
    words=$(launcher "$1" "$2")
    shift 2
    $words "$@"
}
