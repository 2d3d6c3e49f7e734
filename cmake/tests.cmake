# Test programs and the runs of each.
#
# A source's first lines carry comments that say how it runs:
#
#     /* ranks: 1 2 3 4 6 8 */    rank counts, 1 2 3 when not given
#     /* spinning: 2 */           the most ranks on MPIs that spin, 3 when not given
#     /* timeout: 300 */          seconds, 120 when not given
#     /* test-args: --size 32 */  arguments (examples)
#     /* variants: none */        no variants
#     /* disk: 512 */             in a file system of so many KiB, where the user may mount one
#
# Open MPI runs every count named.  Other MPIs run those up to 3: they spin when ranks outnumber
# cores.  The serial flavour runs one.  Each test also runs in variants, all at one rank count, the
# largest named up to 4 (2 with other MPIs):
#
#     poison           TESSERA_POISON=1
#     pieces           TESSERA_MESSAGE_LIMIT=64, at two ranks, of programs that move much data
#     nodes-of-K       TESSERA_RANKS_PER_NODE=K for K = 1, 2, 3, of programs that see nodes; with
#                      more than one rank only, since one rank is one node whatever K is
#     p2p              TESSERA_TRANSPORT=p2p, of programs that move data: ranks of a node use shared
#                      memory otherwise
#     short            TESSERA_SHM_LIMIT: some arrays and exchanges find no shared memory
#
# -DTESSERA_TEST_MAX_RANKS=N leaves out runs of more than N ranks, -DTESSERA_TEST_ONE_COUNT=ON all
# counts but the largest, -DTESSERA_TEST_NODES=OFF runs with pretended nodes.  Other MPIs leave out
# poison, which Open MPI and the serial flavour run.  What is left out is printed.

find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

set(TESSERA_TEST_MAX_RANKS 8 CACHE STRING "Largest number of ranks of a test")
option(TESSERA_TEST_ONE_COUNT "Run each test at its largest number of ranks alone" OFF)
if(TESSERA_TEST_ONE_COUNT)
    message(STATUS "Tests are not run at fewer ranks than their largest number")
endif()
option(TESSERA_TEST_NODES "Run tests with pretended nodes too" ON)
if(NOT TESSERA_TEST_NODES)
    message(STATUS "Tests are not run with pretended nodes")
endif()

set(TESSERA_PYTHON ${PROJECT_SOURCE_DIR}/build/venv/bin/python CACHE FILEPATH
    "A Python with what tests/oracle/requirements.txt names; scripts/oracles makes the default")

set(test_environment
    UBSAN_OPTIONS=print_stacktrace=1
    TSRT_PYTHON=${TESSERA_PYTHON}
    TSRT_ORACLE=${PROJECT_SOURCE_DIR}/tests/oracle)
set(TESSERA_VARIANT_LIMIT 4)
if(TESSERA_FLAVOUR STREQUAL serial)
    set(TESSERA_TEST_LIMIT 1)
else()
    # MPI libraries keep memory to the end; the tests' own counters judge leaks.
    list(APPEND test_environment "ASAN_OPTIONS=detect_leaks=0")
    if(TESSERA_FLAVOUR STREQUAL openmpi)
        set(TESSERA_TEST_LIMIT ${TESSERA_TEST_MAX_RANKS})
        list(APPEND test_environment
            OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
            # More ranks than cores, and several programs at once: no pinning, no spinning.
            OMPI_MCA_rmaps_base_oversubscribe=1
            OMPI_MCA_hwloc_base_binding_policy=none
            OMPI_MCA_mpi_yield_when_idle=1
            # Containers often forbid the system call that this is about.
            OMPI_MCA_btl_vader_single_copy_mechanism=none
            # Without which this kind of window is not to be had.
            OMPI_MCA_osc=^rdma)
    else()
        set(TESSERA_TEST_LIMIT 3)
        set(TESSERA_VARIANT_LIMIT 2)
        message(STATUS "Tests are not run with TESSERA_POISON=1 on ${TESSERA_FLAVOUR}")
    endif()
endif()

# Programs whose ranks may be placed by node, or whose data move between nodes.
string(CONCAT tests_of_nodes "^test_(layout|shm|halo|random_halo|base_context|gather|scatter|heat"
                             "|redistribute|replicated|node_shared)"
                             "|^example_skymap$")

# Programs whose messages and file accesses are cut in pieces in a variant.
string(CONCAT tests_in_pieces "^test_(halo|random|gather|scatter|redistribute|select|assign"
    "|rearrange|join|from_local|reduce|replicated|npy|png|migrate|hdf5)")

# Programs whose data move by messages in a variant, and with little shared memory in another.
set(tests_of_transports
    "^test_(halo_(update|accumulate|async|errors)|random_halo|gather|scatter|redistribute)$"
    "^test_(from_local_(pieces|fault)|fault_matrix|select_numpy)$")
list(JOIN tests_of_transports "|" tests_of_transports)
set(tests_of_limits "^test_(halo_update|random_halo|redistribute)$")

# The value of a `/* KEY: VALUE */` comment of a source, or the default.
function(tessera_comment source key default out)
    file(STRINGS ${source} line REGEX "^/\\* ${key}: .*\\*/" LIMIT_COUNT 1)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    if(line)
        string(REGEX REPLACE "^/\\* ${key}: +([^*]*[^* ]) *\\*/.*" "\\1" default "${line}")
    endif()
    set(${out} "${default}" PARENT_SCOPE)
endfunction()

# One run: in an empty folder of its own, with further environment variables.
function(tessera_add_run name target ranks timeout arguments)
    set(launch ${PROJECT_SOURCE_DIR}/tests/support/in-folder)
    if(disk)
        set(launch ${PROJECT_SOURCE_DIR}/tests/support/on-small-disk ${disk})
    endif()
    list(APPEND launch ${PROJECT_BINARY_DIR}/tests/run/${name})
    if(TESSERA_MPI)
        list(APPEND launch ${TESSERA_MPIEXEC} -n ${ranks})
    endif()
    # Ranks of Open MPI yield while they wait, so that two share a core; others spin.
    set(cores ${ranks})
    if(TESSERA_FLAVOUR STREQUAL openmpi)
        math(EXPR cores "(${ranks} + 1) / 2")
    endif()
    add_test(NAME ${name} COMMAND ${launch} $<TARGET_FILE:${target}> ${arguments})
    set_tests_properties(${name} PROPERTIES
        PROCESSORS ${cores}
        TIMEOUT ${timeout}
        ENVIRONMENT "${test_environment};${ARGN}")
endfunction()

# All runs of a program.
function(tessera_add_runs name target source arguments)
    tessera_comment(${source} ranks "1 2 3" ranks)
    tessera_comment(${source} timeout 120 timeout)
    tessera_comment(${source} spinning 3 spinning)
    tessera_comment(${source} disk "" disk)
    set(limit ${TESSERA_TEST_LIMIT})
    if(TESSERA_MPI AND NOT TESSERA_FLAVOUR STREQUAL openmpi AND limit GREATER spinning)
        set(limit ${spinning})
    endif()
    separate_arguments(ranks)

    set(most 1)
    set(variant_ranks 1)
    set(left_out "")
    foreach(n IN LISTS ranks)
        if(n GREATER limit)
            list(APPEND left_out ${n})
            continue()
        endif()
        set(most ${n})
        if(NOT TESSERA_TEST_ONE_COUNT)
            tessera_add_run(${name}.n${n} ${target} ${n} ${timeout} "${arguments}")
        endif()
        if(n LESS_EQUAL TESSERA_VARIANT_LIMIT AND n GREATER variant_ranks)
            set(variant_ranks ${n})
        endif()
    endforeach()
    if(TESSERA_TEST_ONE_COUNT AND (most IN_LIST ranks))
        tessera_add_run(${name}.n${most} ${target} ${most} ${timeout} "${arguments}")
    endif()
    if(left_out AND TESSERA_MPI)
        list(JOIN left_out " " left_out)
        message(STATUS "${name}: not run at ${left_out} ranks (limit ${limit})")
    endif()

    tessera_comment(${source} variants "all" variants)
    if(variants STREQUAL none)
        return()
    endif()

    if(2 IN_LIST ranks AND TESSERA_MPI AND name MATCHES "${tests_in_pieces}")
        tessera_add_run(${name}.n2.pieces ${target} 2 ${timeout} "${arguments}"
                        TESSERA_MESSAGE_LIMIT=64)
    endif()
    set(n ${variant_ranks})
    if(NOT TESSERA_MPI OR TESSERA_FLAVOUR STREQUAL openmpi)
        tessera_add_run(${name}.n${n}.poison ${target} ${n} ${timeout} "${arguments}"
                        TESSERA_POISON=1)
    endif()
    if(n GREATER 1 AND name MATCHES "${tests_of_transports}")
        tessera_add_run(${name}.n${n}.p2p ${target} ${n} ${timeout} "${arguments}"
                        TESSERA_TRANSPORT=p2p)
    endif()
    if(n GREATER 1 AND name MATCHES "${tests_of_limits}")
        tessera_add_run(${name}.n${n}.short ${target} ${n} ${timeout} "${arguments}"
                        TESSERA_SHM_LIMIT=40000)
    endif()
    if(n GREATER 1 AND TESSERA_TEST_NODES AND name MATCHES "${tests_of_nodes}")
        foreach(k RANGE 1 3)
            tessera_add_run(${name}.n${n}.nodes-of-${k} ${target} ${n} ${timeout} "${arguments}"
                            TESSERA_RANKS_PER_NODE=${k})
        endforeach()
    endif()
endfunction()

function(tessera_add_tests)
    file(GLOB support CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/tests/support/*.c ${PROJECT_SOURCE_DIR}/bench/scale/*.c)
    add_library(test_support STATIC ${support} ${objects})
    target_include_directories(test_support
        PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/bench)
    target_link_libraries(test_support
        PUBLIC tessera_usage tessera_options PkgConfig::cmocka ${private_libraries})

    file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.c)
    if(TESSERA_HDF5_FOUND)
        list(FILTER tests EXCLUDE REGEX "/test_without_hdf5\\.c$")
    else()
        message(STATUS "Tests of HDF5 are not run without it")
        list(FILTER tests EXCLUDE REGEX "/test_hdf5_[^/]*$")
    endif()
    foreach(source IN LISTS tests)
        get_filename_component(name ${source} NAME_WE)
        add_executable(${name} ${source})
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        target_link_libraries(${name} PRIVATE test_support)
        tessera_add_runs(${name} ${name} ${source} "")
    endforeach()
endfunction()

function(tessera_add_example_test name source)
    tessera_comment(${source} test-args "" arguments)
    separate_arguments(arguments)
    tessera_add_runs(example_${name} example_${name} ${source} "${arguments}")
endfunction()
