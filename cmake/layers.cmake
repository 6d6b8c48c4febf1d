# greybox_layer(NAME LIBRARIES...): one object library per folder of src/, so that every layer builds and is tested alone.
function(greybox_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(greybox_${name} STATIC ${sources})
  target_include_directories(greybox_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/src $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(greybox_${name} PUBLIC ${ARGN} PRIVATE greybox_flags)
  set_target_properties(greybox_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# greybox_join_by_folder(TARGET FOLDERS...): of the files that would be compiled together, only those of one folder are,
# and only in the folders named.
function(greybox_join_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    if(folder IN_LIST ARGN)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
endfunction()
