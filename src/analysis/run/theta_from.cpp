#include "greybox/theta_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::array<const char*, 6> kOrigins = {"automatic", "run",       "estimate",
                                                 "posterior", "estimator", "tailored"};

}  // namespace

std::string to_string(ThetaFrom origin) {
  return kOrigins[static_cast<std::size_t>(origin)];
}

ThetaFrom theta_from_named(const std::string& name) {
  const auto found = std::find(kOrigins.begin(), kOrigins.end(), name);
  if (found == kOrigins.end())
    refuse_option("theta", fmt::format("`{}` is no origin of parameters", name),
                  "it is one of automatic, run, estimate, posterior, estimator, tailored");
  return static_cast<ThetaFrom>(found - kOrigins.begin());
}

}  // namespace greybox
