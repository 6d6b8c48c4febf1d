#include "window_option.hpp"

#include <fmt/format.h>

#include "option_text.hpp"

namespace greybox::apps {

Selection parse_window(const std::string& text) {
  if (const auto index = parse_number<std::size_t>(text)) return WindowIndex{*index};
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos)
    if (const auto time = parse_number<double>(std::string_view(text).substr(colon + 1)))
      return WindowAt{text.substr(0, colon), *time};
  refuse_flag("--window", fmt::format("`{}` names no window", text),
              "give its number, counted from 0, or SERIES:TIME, where it starts");
}

}  // namespace greybox::apps
