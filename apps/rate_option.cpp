#include "rate_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "option_text.hpp"

namespace greybox::apps {

std::pair<double, double> parse_rate(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto first = parse_number<double>(std::string_view(text).substr(0, colon));
  const auto last =
      colon < text.size() ? parse_number<double>(std::string_view(text).substr(colon + 1)) : first;
  if (!first || !last)
    refuse_flag("--rate", fmt::format("`{}` is neither a rate nor a pair of rates", text),
                "write --rate FIRST:LAST, for instance 1e-2:1e-4");
  return {*first, *last};
}

}  // namespace greybox::apps
