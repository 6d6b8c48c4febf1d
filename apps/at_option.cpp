#include "at_option.hpp"

#include <algorithm>

#include "theta_option.hpp"

namespace greybox::apps {

AtChoice parse_at(const std::string& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string first = text.substr(0, comma);
  AtChoice at;
  if (first == "estimator") at.reference = ReferencePoint::estimator;
  if (first == "estimate") at.reference = ReferencePoint::estimate;
  const bool is_named = at.reference != ReferencePoint::prior;
  if (is_named && comma < text.size()) at.values = parse_held(text.substr(comma + 1));
  if (!is_named && !text.empty()) at.values = parse_held(text);
  return at;
}

}  // namespace greybox::apps
