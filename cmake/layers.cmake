# greybox_layer(NAME LIBRARIES...): one object library per folder of src/, so that every layer builds and is tested alone.
function(greybox_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(greybox_${name} STATIC ${sources})
  target_include_directories(greybox_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/src $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(greybox_${name} PUBLIC ${ARGN} PRIVATE greybox_flags)
  set_target_properties(greybox_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
