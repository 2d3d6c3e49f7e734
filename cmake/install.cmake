# Headers, the library, a CMake package and pkg-config files.  Flavours install side by side under
# one prefix; a user who names none gets the one installed last.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

# CMake keeps an installed file that has the same time; that of another flavour may.
install(CODE "set(ENV{CMAKE_INSTALL_ALWAYS} 1)")

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS tessera tessera_usage EXPORT tessera-${TESSERA_FLAVOUR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(tessera_usage PROPERTIES EXPORT_NAME ${TESSERA_FLAVOUR}_usage)
install(EXPORT tessera-${TESSERA_FLAVOUR} NAMESPACE tessera:: DESTINATION ${package_dir})

configure_file(cmake/tessera-default.cmake.in tessera-default.cmake @ONLY)
configure_file(cmake/mpi-of-flavour.cmake.in mpi-of-${TESSERA_FLAVOUR}.cmake @ONLY)
write_basic_package_version_file(tessera-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    cmake/tessera-config.cmake
    ${PROJECT_BINARY_DIR}/tessera-config-version.cmake
    ${PROJECT_BINARY_DIR}/tessera-default.cmake
    ${PROJECT_BINARY_DIR}/mpi-of-${TESSERA_FLAVOUR}.cmake
    DESTINATION ${package_dir})

if(TESSERA_MPI)
    set(pc_cflags ${MPI_C_INCLUDE_DIRS})
    list(TRANSFORM pc_cflags PREPEND -I)
    list(APPEND pc_cflags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
    list(JOIN pc_cflags " " pc_cflags)
    list(JOIN MPI_C_LIBRARIES " " pc_libs)
else()
    set(pc_cflags -DTSR_SERIAL)
    set(pc_libs "")
endif()
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/tessera-flavour.pc.in tessera-${TESSERA_FLAVOUR}.pc @ONLY)
configure_file(cmake/tessera.pc.in tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera-${TESSERA_FLAVOUR}.pc ${PROJECT_BINARY_DIR}/tessera.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
