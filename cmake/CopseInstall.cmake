# `cmake --install` gives the binary with its man pages and completions, the library, its headers and a package for
# find_package(copse), and the Python package. The components are the Debian packages of CopsePackage.cmake. What was not
# built, but for the library, is left out (OPTIONAL): after `cmake --build build --target copse` there is no program.
include(CMakePackageConfigHelpers)
set(COPSE_PYTHON_FOLDER ${CMAKE_INSTALL_LIBDIR}/copse/python CACHE STRING
    "Where the Python package is installed, under the prefix; by default a folder for PYTHONPATH")
install(TARGETS copse copse_options EXPORT copseTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
# What `cmake --install` takes and packages do not, or the other way round: packages go without MPI, and have their
# Python package where Debian's interpreter looks for it.
if(COPSE_BUILD_APP)
  install(TARGETS copse_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT installed OPTIONAL)
  install(TARGETS ${COPSE_PACKAGED_PROGRAM} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program
          EXCLUDE_FROM_ALL OPTIONAL)
endif()
if(TARGET copse_manual)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/manual/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program
          OPTIONAL FILES_MATCHING PATTERN "*.1*")
  set(completions ${CMAKE_BINARY_DIR}/completions)
  install(FILES ${completions}/copse DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT program OPTIONAL)
  install(FILES ${completions}/_copse DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
          COMPONENT program OPTIONAL)
  install(FILES ${completions}/copse.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT program OPTIONAL)
endif()
if(COPSE_BUILD_PYTHON)
  # copse_install_python(FOLDER COMPONENT ...)
  function(copse_install_python folder)
    install(TARGETS copse_batch LIBRARY DESTINATION ${folder} COMPONENT ${ARGN} OPTIONAL)
    install(DIRECTORY python/copse/ DESTINATION ${folder} COMPONENT ${ARGN} FILES_MATCHING PATTERN "*.py"
            PATTERN "*.pyi" PATTERN "py.typed")
    if(TARGET copse_python)
      install(TARGETS copse_python LIBRARY DESTINATION ${folder} COMPONENT ${ARGN} OPTIONAL)
    endif()
  endfunction()
  copse_install_python(${COPSE_PYTHON_FOLDER}/copse installed)
  copse_install_python(lib/python3/dist-packages/copse python EXCLUDE_FROM_ALL)
endif()
# The model that the program takes when none is named, with its card.
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/copse COMPONENT program PATTERN make-english EXCLUDE)
install(DIRECTORY include/copse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT copseTargets NAMESPACE copse:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse COMPONENT library)
configure_package_config_file(cmake/copseConfig.cmake.in ${CMAKE_BINARY_DIR}/copseConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/copseConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/copseConfig.cmake ${CMAKE_BINARY_DIR}/copseConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse COMPONENT library)
