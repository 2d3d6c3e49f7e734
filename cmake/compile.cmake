# How everything here is compiled: the target tessera_options.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O3 -g1")

add_library(tessera_options INTERFACE)
target_compile_options(tessera_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<BOOL:${TESSERA_WERROR}>:-Werror>
    # A result has the same bits wherever its element lies: no a*b+c in one rounding.
    -ffp-contract=off
    # Error texts name files from the root of the source tree.
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(TESSERA_FLAVOUR STREQUAL mpich AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    # MPI_STATUSES_IGNORE is the address 1 there, which GCC takes for an array that is too short.
    target_compile_options(tessera_options INTERFACE -Wno-stringop-overflow)
endif()
if(TESSERA_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
    target_compile_options(tessera_options INTERFACE ${sanitizers} -fno-omit-frame-pointer)
    target_link_options(tessera_options INTERFACE ${sanitizers})
endif()
