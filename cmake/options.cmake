# Flags for our own code only: system headers keep their own warnings to themselves. A warning is an error where the tests
# are built, not where somebody installs greybox with a compiler that did not exist yet.
set(warnings_are_errors $<$<BOOL:${GREYBOX_BUILD_TESTS}>:-Werror>)
add_library(greybox_flags INTERFACE)
target_compile_options(greybox_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual ${warnings_are_errors}
  # __FILE__ is relative, so that the compiler cache knows in another clone what was compiled in one.
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
  # Highway's per-target functions take wide vectors by value inside one translation unit; their ABI never crosses it.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi -Wno-ignored-attributes>)
# One portable baseline, AVX2 and AVX-512: each kernel is compiled once per target and chosen at run time.
target_compile_definitions(greybox_flags INTERFACE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL)")

# greybox_compile_quickly(TARGETS...): for code that takes longer to compile well than it ever runs.
function(greybox_compile_quickly)
  foreach(target IN LISTS ARGN)
    if(GREYBOX_SANITIZE)
      target_compile_options(${target} PRIVATE -O0)
    else()
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endforeach()
endfunction()

if(GREYBOX_SANITIZE)
  # Named from the folder that Ninja compiles in, so that the compiler cache serves every clone.
  configure_file(${CMAKE_CURRENT_LIST_DIR}/sanitizer-ignorelist.txt ${CMAKE_BINARY_DIR}/sanitizer-ignorelist.txt COPYONLY)
  target_compile_options(greybox_flags INTERFACE
    -fsanitize=${GREYBOX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<BOOL:${GREYBOX_FUZZ}>:-fsanitize=fuzzer-no-link>
    $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=sanitizer-ignorelist.txt>)
  target_link_options(greybox_flags INTERFACE -fsanitize=${GREYBOX_SANITIZE})
  # Instrumented vector types take minutes to compile, plain numbers seconds.
  target_compile_definitions(greybox_flags INTERFACE HWY_COMPILE_ONLY_SCALAR)
endif()

if(GREYBOX_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy --quiet)
endif()
