// Learning rates on the command line: 1e-2:1e-4, or 1e-3 for one that stays.
#pragma once

#include <string>
#include <utility>

namespace greybox::apps {

// First and last. Throws InputError with --rate as its place.
std::pair<double, double> parse_rate(const std::string& text);

}  // namespace greybox::apps
