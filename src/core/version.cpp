// The version as CMake's project() states it.
#include "greybox/version.hpp"

namespace greybox {

std::string_view version() {
  return GREYBOX_VERSION;
}

}  // namespace greybox
