# `cmake --install` gives the binary, the library, its headers and a package for find_package(copse).
include(CMakePackageConfigHelpers)
install(TARGETS copse copse_options EXPORT copseTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(COPSE_BUILD_APP)
  install(TARGETS copse_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The Python package, for PYTHONPATH.
if(COPSE_BUILD_PYTHON)
  set(python_folder ${CMAKE_INSTALL_LIBDIR}/copse/python/copse)
  install(TARGETS copse_batch LIBRARY DESTINATION ${python_folder})
  install(DIRECTORY python/copse/ DESTINATION ${python_folder} FILES_MATCHING PATTERN "*.py"
          PATTERN "*.pyi" PATTERN "py.typed")
  if(TARGET copse_python)
    install(TARGETS copse_python LIBRARY DESTINATION ${python_folder})
  endif()
endif()
# The model that the program takes when none is named, with its card.
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/copse)
install(DIRECTORY include/copse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT copseTargets NAMESPACE copse:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
configure_package_config_file(cmake/copseConfig.cmake.in ${CMAKE_BINARY_DIR}/copseConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/copseConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/copseConfig.cmake ${CMAKE_BINARY_DIR}/copseConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/copse)
