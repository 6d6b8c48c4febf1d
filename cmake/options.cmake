# Flags for our own code only: system headers keep their own warnings to themselves.
add_library(greybox_flags INTERFACE)
target_compile_options(greybox_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # Highway's per-target functions take wide vectors by value inside one translation unit; their ABI never crosses it.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi -Wno-ignored-attributes>)
# One portable baseline, AVX2 and AVX-512: each kernel is compiled once per target and chosen at run time.
target_compile_definitions(greybox_flags INTERFACE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL)")

# greybox_compile_quickly(TARGETS...): for code that takes longer to compile well than it ever runs.
function(greybox_compile_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

if(GREYBOX_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(greybox_flags INTERFACE ${sanitizers})
  target_link_options(greybox_flags INTERFACE ${sanitizers})
endif()

if(GREYBOX_FUZZ)
  target_compile_options(greybox_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined)
  target_link_options(greybox_flags INTERFACE -fsanitize=address,undefined)
endif()

if(GREYBOX_SANITIZE OR GREYBOX_FUZZ)
  set(ignored ${CMAKE_CURRENT_LIST_DIR}/sanitizer-ignorelist.txt)
  target_compile_options(greybox_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${ignored}>)
endif()

if(GREYBOX_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy --quiet)
endif()
