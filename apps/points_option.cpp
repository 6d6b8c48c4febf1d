#include "points_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "option_text.hpp"

namespace greybox::apps {
namespace {

// Up to the next colon, which is taken off too; all of it where there is none.
std::string_view take_field(std::string_view& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view field = text.substr(0, colon);
  text.remove_prefix(std::min(colon + 1, text.size()));
  return field;
}

InputRange parse_axis(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  std::string_view range = text.substr(std::min(equals + 1, text.size()));
  const auto low = parse_number<double>(take_field(range)), high = parse_number<double>(take_field(range));
  const auto n_points = parse_number<std::size_t>(range);
  if (equals == 0 || !low || !high || !n_points)
    refuse_flag("--on", fmt::format("`{}` is not column=low:high:points", text),
                "write for instance --on x=-3:3:200, or --on x=-3:3:50,z=0:1:20 for several columns");
  return {std::string(text.substr(0, equals)), *low, *high, *n_points};
}

}  // namespace

Points parse_points(const std::string& text) {
  Points points;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    points.axes.push_back(parse_axis(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return points;
}

}  // namespace greybox::apps
