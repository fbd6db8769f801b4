# Interface targets carry the options that all targets of the project share; `sanitizers` are those that their code is
# instrumented for.
function(copse_add_options name sanitizers)
  add_library(${name} INTERFACE)
  target_compile_options(${name} INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wnon-virtual-dtor>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC (12) sees overlaps and overflows in the concatenation of strings that are none.
    target_compile_options(${name} INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
  if(COPSE_WARNINGS_AS_ERRORS)
    target_compile_options(${name} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  if(COPSE_SANITIZE)
    target_compile_options(${name} INTERFACE -fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${name} INTERFACE -fsanitize=${COPSE_SANITIZE})
    # One SIMD target, the machine's own, is enough to look for memory errors, and several times quicker to build.
    target_compile_definitions(${name} INTERFACE HWY_COMPILE_ONLY_STATIC COPSE_SANITIZED)
    target_compile_options(${name} INTERFACE -march=native)
    # Instrumented code keeps GCC from seeing that a variable has its value (<regex> is full of such places).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${name} INTERFACE -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()

copse_add_options(copse_options "${COPSE_SANITIZE}")
# Tests are not what undefined behaviour is looked for in, and they would take half as long again to compile.
string(REPLACE ",undefined" "" COPSE_TEST_SANITIZE "${COPSE_SANITIZE}")
copse_add_options(copse_test_options "${COPSE_TEST_SANITIZE}")
