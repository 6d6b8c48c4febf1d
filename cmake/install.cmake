# cmake --install: the library, its public headers, the tool, and what find_package(greybox) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/greybox)

install(TARGETS greybox EXPORT greyboxTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/greybox DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT greyboxTargets NAMESPACE greybox:: DESTINATION ${package_dir})
if(TARGET greybox_tool)
  install(TARGETS greybox_tool)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/greyboxConfig.cmake.in
  ${PROJECT_BINARY_DIR}/greyboxConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/greyboxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/greyboxConfig.cmake ${PROJECT_BINARY_DIR}/greyboxConfigVersion.cmake
  DESTINATION ${package_dir})
