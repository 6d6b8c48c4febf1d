#include "picture_options.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "option_text.hpp"

namespace greybox::apps {

void add_picture_options(CLI::App& command, PictureArguments& arguments) {
  command.add_option(
      "--width", arguments.width,
      "Of the pictures in print, for instance 85mm or 3.35in: they are drawn for it, as PDF too");
  command.add_flag("!--no-title", arguments.has_title, "Pictures without title and notes, as PDF too");
}

PictureStyle style_of(const PictureArguments& arguments) {
  constexpr std::array<std::pair<const char*, double>, 4> kUnits = {
      {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}}};
  PictureStyle style{.width = 0, .has_title = arguments.has_title};
  if (arguments.width.empty()) return style;
  for (const auto& [unit, millimetres] : kUnits)
    if (arguments.width.ends_with(unit))
      if (const auto number = parse_number<double>(arguments.width.substr(0, arguments.width.size() - 2)))
        style.width = *number * millimetres;
  if (!(style.width >= kNarrowestPicture && style.width <= kWidestPicture))
    refuse_flag("--width", fmt::format("`{}` is no width", arguments.width),
                fmt::format("write a number with its unit, such as 85mm, 8.5cm, 3.35in or 240pt: {} to {} mm",
                            kNarrowestPicture, kWidestPicture));
  return style;
}

}  // namespace greybox::apps
