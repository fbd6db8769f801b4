# Tests that are scripts, mostly in Python: second implementations, real processes, shells, packages.
set(here ${CMAKE_CURRENT_SOURCE_DIR})

# copse_add_script(NAME COMMAND...): if builds.txt has the scripts of the command for this build. The script may say that
# it is to be skipped.
function(copse_add_script name)
  foreach(argument ${ARGN})
    if(argument MATCHES "^${here}/(.*[.]py)$")
      copse_test_builds(builds ${CMAKE_MATCH_1})
      if(COPSE_TESTS_OF AND NOT COPSE_TESTS_OF IN_LIST builds)
        return()
      endif()
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77
    ENVIRONMENT "${COPSE_TEST_ENVIRONMENT};COPSE_PYTHON=${CMAKE_BINARY_DIR}/python")
endfunction()

set(python ${Python_EXECUTABLE} -B)
if(COPSE_BUILD_APP)
  # The evaluations and the analysis are compared with second ones.
  foreach(given builtin treebank)
    copse_add_script(evaluation_reference_${given} ${python} ${here}/evaluation/compare_with_reference.py ${given})
    copse_add_script(evaluation_aligned_${given} ${python} ${here}/evaluation/compare_aligned.py ${given})
    copse_add_script(analysis_reference_${given} ${python} ${here}/analysis/compare_analysis.py ${given})
  endforeach()
endif()
if(COPSE_BUILD_APP)
  if(COPSE_MPI)  # real processes of the program, under mpirun
    foreach(script compare_teams stop_and_refuse kill_processes)
      copse_add_script(cluster_${script} ${python} ${here}/cluster/${script}.py)
    endforeach()
  endif()
  # Completions in real shells, and man pages, against the help of the program.
  copse_add_script(shell_completions ${python} ${here}/app/complete_in_shells.py)
  copse_add_script(man_pages ${python} ${here}/app/check_man_pages.py)
endif()

if(COPSE_BUILD_APP AND COPSE_BUILD_SERVER)
  # A client of UDPipe's protocol asks the server. Debian's Python has pytest.
  set(pytest_python ${Python_EXECUTABLE})
  if(EXISTS /usr/bin/python3)
    set(pytest_python /usr/bin/python3)
  endif()
  copse_add_script(udpipe_protocol ${pytest_python} -B -m pytest -q -p no:cacheprovider ${here}/serving)
  # The commands that the documentation shows, and its links.
  copse_add_script(docs_examples ${python} ${here}/docs/run_examples.py)
endif()

# What follows looks at the optimised build.
if(COPSE_TESTS_OF AND NOT COPSE_TESTS_OF STREQUAL "release")
  return()
endif()

# Layers of networks are compared with second ones, too.
add_executable(write_layers network/write_layers.cc)
target_include_directories(write_layers PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(write_layers PRIVATE copse copse_test_options nlohmann_json::nlohmann_json)
set_target_properties(write_layers PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_compile_options(write_layers PRIVATE -O0)
copse_add_script(network_layers_reference ${python} ${here}/network/compare_layers.py $<TARGET_FILE:write_layers>)

# The table of rooms against the includes; names that are defined twice; the list of tests; and these checks themselves.
set(architecture ${here}/architecture)
copse_add_script(architecture_rooms ${python} ${architecture}/compare_rooms.py ${PROJECT_SOURCE_DIR})
copse_add_script(architecture_definitions ${python} ${architecture}/double_definitions.py src app python include tests bench fuzz)
set_tests_properties(architecture_definitions PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
copse_add_script(architecture_builds ${python} ${architecture}/check_builds.py ${PROJECT_SOURCE_DIR})
copse_add_script(architecture_self_test ${python} ${architecture}/self_test.py)

# A build of some targets can be installed, too.
if(NOT CMAKE_CROSSCOMPILING)
  copse_add_script(install_some_targets ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}
                   -D FOLDER=${CMAKE_BINARY_DIR}/install-some-targets -D COMPILER=${CMAKE_CXX_COMPILER}
                   -P ${here}/installation/install_some_targets.cmake)
endif()
