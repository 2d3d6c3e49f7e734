# The elementwise kernels, src/kern/vector_*.c, once for each instruction set that the compiler
# knows; which one runs is chosen at run time.
#
# Floating-point traps and errno are nobody's business there, so loops with conditions and square
# roots may be vectorised; values are those of IEEE 754.

include(CheckCCompilerFlag)

set(vector_flags_baseline "")
set(vector_flags_avx2 -mavx2 -mfma)
set(vector_flags_avx512 ${vector_flags_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl
    -mprefer-vector-width=512)

find_path(SLEEF_INCLUDE_DIR sleef.h)
find_library(SLEEF_LIBRARY sleef)
mark_as_advanced(SLEEF_INCLUDE_DIR SLEEF_LIBRARY)
if(SLEEF_INCLUDE_DIR AND SLEEF_LIBRARY)
    set(SLEEF_FOUND TRUE)
endif()
message(STATUS "Vectorised functions of SLEEF: ${SLEEF_LIBRARY}")

file(GLOB vector_sources CONFIGURE_DEPENDS src/kern/vector_*.c)
set(vector_objects "")
set(vector_levels "")
foreach(level baseline avx2 avx512)
    if(vector_flags_${level})
        string(REPLACE ";" " " flags "${vector_flags_${level}}")
        check_c_compiler_flag("${flags}" TESSERA_COMPILES_${level})
        if(NOT TESSERA_COMPILES_${level})
            continue()
        endif()
        string(TOUPPER TSRI_HAVE_${level} have)
        list(APPEND vector_levels ${have})
    endif()
    set(target tessera_vector_${level})
    add_library(${target} OBJECT ${vector_sources})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PRIVATE src)
    target_compile_definitions(${target} PRIVATE
        TSRI_LEVEL_NAME=${level} TSRI_LEVEL_${level} $<$<BOOL:${SLEEF_FOUND}>:TSRI_HAVE_SLEEF>)
    target_compile_options(${target} PRIVATE
        -fno-math-errno -fno-trapping-math ${vector_flags_${level}}
        # Where clang cannot vectorise is no news.
        $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
    target_link_libraries(${target} PRIVATE tessera_usage tessera_options)
    if(SLEEF_FOUND)
        target_include_directories(${target} SYSTEM PRIVATE ${SLEEF_INCLUDE_DIR})
    endif()
    list(APPEND vector_objects $<TARGET_OBJECTS:${target}>)
endforeach()
