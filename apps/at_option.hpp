// Where a landscape holds the parameters that it does not vary, on the command line: b=1,d=2, or estimator or
// estimate first, then values that take precedence: estimator,b=1.
#pragma once

#include <greybox/landscape.hpp>
#include <string>

namespace greybox::apps {

struct AtChoice {
  ReferencePoint reference = ReferencePoint::prior;
  Theta values{};
};

// Throws InputError that points into the text.
AtChoice parse_at(const std::string& text);

}  // namespace greybox::apps
