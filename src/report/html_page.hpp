// The bundled report page, in pieces; its source is made from web/ while building.
#pragma once

#include <span>
#include <string_view>

namespace greybox {

// Put the pieces before the data, the data and the pieces after it together. Both are empty when the page was
// left out of the build.
extern const std::span<const std::string_view> kPageBeforeData;
extern const std::span<const std::string_view> kPageAfterData;

}  // namespace greybox
