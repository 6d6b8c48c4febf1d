#include "greybox/did_you_mean.hpp"

#include <fmt/format.h>

#include "core/nearest_name.hpp"

namespace greybox {

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const auto near = nearest_name(name, known);
  return near ? fmt::format("did you mean `{}`?", *near) : std::string();
}

}  // namespace greybox
