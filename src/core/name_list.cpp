#include "core/name_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace greybox {

std::string name_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 30;
  const std::span<const std::string> shown(names.data(), std::min(names.size(), kMostNames));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace greybox
