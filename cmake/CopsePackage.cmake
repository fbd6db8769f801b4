# Debian packages of what is installed: `cpack -G DEB` in the build folder; `./run package` does it all.
# docs/packages.md says why CPack makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dependency parser that knows how sure it is")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library python)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# Debian's own tools know the maintainer by these variables, too.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Copse maintainers <maintainers@copse.invalid>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME copse)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program copse turns text into labelled dependency trees, with the exact
probability of every arc, the k best trees, and trees that keep what is known.
It learns models from treebanks, evaluates and draws. An English model is
included.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libcopse-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libhwy-dev, libdnnl-dev, ocl-icd-opencl-dev, libfmt-dev, zlib1g-dev, libzstd-dev, libicu-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "copse (= ${version})")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers, a static library and a CMake package: find_package(copse) and
copse::copse. Text to labelled trees with probabilities, and exact inference
over dependency trees under scores of your own. The package copse has the
English model.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-copse)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
# The extension is for one version of Python.
set(python_depends "python3, python3-numpy")
if(TARGET copse_python)
  find_package(Python 3.9 COMPONENTS Interpreter REQUIRED)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(python_depends "python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next_minor}), python3-numpy")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python_depends}, copse (= ${version})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/postinst
    ${PROJECT_SOURCE_DIR}/packaging/prerm)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The module copse: trees with probabilities, exact inference over dependency
trees under scores of your own, and the same for batches of PyTorch's tensors.")

# What Debian wants in every package; other installations do without.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(packaging/changelog.in ${CMAKE_BINARY_DIR}/packaging/changelog.Debian @ONLY)
find_program(GZIP_PROGRAM gzip)
if(GZIP_PROGRAM)
  configure_file(CHANGELOG.md ${CMAKE_BINARY_DIR}/packaging/changelog COPYONLY)
  execute_process(COMMAND ${GZIP_PROGRAM} -9nfk changelog changelog.Debian
                  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/packaging)
endif()
foreach(component PROGRAM LIBRARY PYTHON)
  string(TOLOWER ${component} lower)
  install(FILES packaging/copyright ${CMAKE_BINARY_DIR}/packaging/changelog.gz
                ${CMAKE_BINARY_DIR}/packaging/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${component}_PACKAGE_NAME}
          COMPONENT ${lower} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
