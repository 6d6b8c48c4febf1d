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

# Manual pages and completions come from the tool itself, so that they always tell of this version.
if(TARGET greybox_tool AND NOT CMAKE_CROSSCOMPILING)
  install(CODE "
    set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}\")
    execute_process(COMMAND \"$<TARGET_FILE:greybox_tool>\" manual -o \"\${share}/man/man1\"
      OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    foreach(place bash:bash-completion/completions/greybox zsh:zsh/site-functions/_greybox
                  fish:fish/vendor_completions.d/greybox.fish)
      string(REPLACE \":\" \";\" place \"\${place}\")
      list(GET place 0 shell)
      list(GET place 1 file)
      execute_process(COMMAND \"$<TARGET_FILE:greybox_tool>\" completion \${shell}
        OUTPUT_VARIABLE script COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE \"\${share}/\${file}\" \"\${script}\")
    endforeach()")
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/greyboxConfig.cmake.in
  ${PROJECT_BINARY_DIR}/greyboxConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/greyboxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/greyboxConfig.cmake ${PROJECT_BINARY_DIR}/greyboxConfigVersion.cmake
  DESTINATION ${package_dir})
