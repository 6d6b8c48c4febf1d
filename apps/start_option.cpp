#include "start_option.hpp"

#include <algorithm>

#include "option_text.hpp"
#include "theta_option.hpp"

namespace greybox::apps {

SimulationStart parse_start(const std::string& text) {
  const OptionText option{"--start", text,
                          "write name=value for each state, with commas between; or a window's number, "
                          "counted from 0, or SERIES:TIME for a row"};
  SimulationStart start;
  const std::size_t comma = std::min(text.find(','), text.size());
  if (text.substr(0, comma).find('=') != std::string::npos) {
    start.states = parse_values(option);
    return start;
  }
  const std::size_t colon = text.substr(0, comma).rfind(':');
  if (colon == std::string::npos)
    start.at = WindowIndex{option.number<std::size_t>(0, comma, "name=value, nor the number of a window")};
  else
    start.at = WindowAt{text.substr(0, colon), option.number<double>(colon + 1, comma, "a time")};
  if (comma < text.size()) start.states = parse_values({option.flag, text.substr(comma + 1), option.help});
  return start;
}

}  // namespace greybox::apps
