# greybox_page(SOURCE): bundles web/ into one page and that into a C++ source, when something in web/ has changed.
function(greybox_page source)
  if(NOT GREYBOX_BUILD_PAGE)
    file(CONFIGURE OUTPUT ${source} CONTENT [[// No page: GREYBOX_BUILD_PAGE is off.
#include "report/html_page.hpp"

namespace greybox {

const std::span<const std::string_view> kPageBeforeData;
const std::span<const std::string_view> kPageAfterData;

}  // namespace greybox
]])
    return()
  endif()

  find_program(GREYBOX_NODE node)
  find_program(GREYBOX_NPM npm)
  if(NOT GREYBOX_NODE OR NOT GREYBOX_NPM)
    message(FATAL_ERROR "The report page is bundled with node and npm, which are not here. Install them "
      "(scripts/install-dependencies.sh does on Debian), or leave the page out with -DGREYBOX_BUILD_PAGE=OFF: "
      "then everything works but `greybox report`.")
  endif()

  set(web ${PROJECT_SOURCE_DIR}/web)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${web}/src/*)
  set(packages ${CMAKE_BINARY_DIR}/web/packages.stamp)
  add_custom_command(OUTPUT ${packages}
    COMMAND ${GREYBOX_NPM} ci --loglevel=error --no-audit --no-fund --prefer-offline
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${web}/package-lock.json ${web}/package.json ${web}/.npmrc
    WORKING_DIRECTORY ${web} COMMENT "Getting the packages of the report page" VERBATIM)
  add_custom_command(OUTPUT ${source} ${CMAKE_BINARY_DIR}/web/page.html
    COMMAND ${GREYBOX_NODE} ${web}/build.mjs ${CMAKE_BINARY_DIR}/web/page.html ${source}
    DEPENDS ${packages} ${web}/build.mjs ${page_sources}
    COMMENT "Bundling the report page" VERBATIM)
endfunction()
