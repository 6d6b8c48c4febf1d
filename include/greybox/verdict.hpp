// Which parameters can be trusted under which regularizer, and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace greybox {

enum class Finding : std::uint8_t {
  identifiable,    // R leaves a narrow interval inside the prior's range
  flat,            // R leaves so wide an interval that an estimate means little
  one_sided,       // the interval is narrow and lies at an end of the range
  several_minima,  // R leaves intervals apart from each other
  unstable,        // networks leave narrow intervals that have no value in common
  disagree,        // regularizers under which the parameter is identifiable exclude each other's values
  not_adapted,     // the network did not adapt where it would matter
};

constexpr std::string_view name_of(Finding finding) {
  constexpr std::array<std::string_view, 7> kNames = {
      "identifiable", "flat", "one-sided", "several minima", "unstable", "disagree", "not adapted"};
  return kNames[static_cast<std::size_t>(finding)];
}

// R at each value of one parameter, at its lowest over all others; NaN where nothing is known. The band holds
// 90 % of the networks and resampled data, each moved so that its own lowest value is that of the run.
struct Profile {
  std::vector<double> theta, lowest, low, high;
};

struct Verdict {
  std::string parameter;
  std::string regularizer;  // several joined by ", " where they disagree
  Finding finding = Finding::flat;
  std::string sentence;
  std::vector<std::string> evidence;
  double best = 0;                       // where R is lowest
  std::pair<double, double> interval{};  // what R does not rule out
  Profile profile{};
};

// What R does determine where it leaves single parameters open.
struct FlatCombination {
  std::string regularizer;
  std::string text;                         // "a·b", "a^2·b", "a + 2·b"
  std::map<std::string, double> direction;  // exponents of a product, coefficients of a sum
  std::string sentence;
};

struct VerdictReport {
  std::vector<Verdict> verdicts;  // by regularizer, then by parameter; disagreements at the end
  std::vector<FlatCombination> combinations;
  std::string json;
};

}  // namespace greybox
