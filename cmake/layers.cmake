# greybox_layer(NAME LIBRARIES...): one object library per folder of src/, so that every layer builds and is tested alone.
function(greybox_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(greybox_${name} STATIC ${sources})
  target_include_directories(greybox_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/src $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(greybox_${name} PUBLIC ${ARGN} PRIVATE greybox_flags)
  set_target_properties(greybox_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD_MODE GROUP)
  greybox_unity_groups(${sources})
endfunction()

# greybox_unity_groups(SOURCES...): what a unity build compiles as one: a folder within a layer or, in a layer without folders,
# the files whose names begin alike. So a new file changes one group alone. Files that Highway compiles once per target stay
# alone.
function(greybox_unity_groups)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} compiled_per_target REGEX "hwy/foreach_target" LIMIT_COUNT 1)
    if(compiled_per_target)
      continue()
    endif()
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/src ${source})
    get_filename_component(folder ${path} DIRECTORY)
    set(group ${folder})
    if(NOT folder MATCHES "/")
      foreach(initials a-d e-l m-o p-r s t-z)
        if(path MATCHES "/[${initials}][^/]*$")
          set(group ${folder}_${initials})
        endif()
      endforeach()
    endif()
    string(MAKE_C_IDENTIFIER ${group} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
