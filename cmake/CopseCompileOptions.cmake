# One interface target carries the options that every target of the project shares.
add_library(copse_options INTERFACE)
target_compile_options(copse_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlaps and overflows in the concatenation of strings that are none.
  target_compile_options(copse_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                                                 -Wno-stringop-overread)
endif()
if(COPSE_WARNINGS_AS_ERRORS)
  target_compile_options(copse_options INTERFACE -Werror)
endif()
if(COPSE_SANITIZE)
  target_compile_options(copse_options INTERFACE -fsanitize=${COPSE_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
  target_link_options(copse_options INTERFACE -fsanitize=${COPSE_SANITIZE})
  # One SIMD target, the machine's own, is enough to look for memory errors, and several times quicker to build.
  target_compile_definitions(copse_options INTERFACE HWY_COMPILE_ONLY_STATIC COPSE_SANITIZED)
  target_compile_options(copse_options INTERFACE -march=native)
  # Instrumented code keeps GCC from seeing that a variable has its value (<regex> is full of such places).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(copse_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
