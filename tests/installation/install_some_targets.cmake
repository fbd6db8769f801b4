# A build of the library alone is installed: `cmake --install` leaves out what was not built. Instead of compiling the
# library, an empty file takes its place.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja -D CMAKE_BUILD_TYPE=Release
                        -D CMAKE_CXX_COMPILER=${COMPILER}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(TOUCH ${FOLDER}/src/libcopse.a)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${FOLDER} --prefix ${FOLDER}/prefix
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed RELATIVE ${FOLDER}/prefix ${FOLDER}/prefix/*)
foreach(wanted "include/copse/copse.h" "libcopse.a" "copseConfig.cmake" "english-ewt.copse")
  set(found ${installed})
  list(FILTER found INCLUDE REGEX "${wanted}$")
  if(NOT found)
    message(FATAL_ERROR "${wanted} was not installed")
  endif()
endforeach()
if("bin/copse" IN_LIST installed)
  message(FATAL_ERROR "a program was installed that was not built")
endif()
file(REMOVE_RECURSE ${FOLDER})
