// The units in which a model's networks, states and losses are counted.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace greybox {

// What a network reads is (input - mean) / scale, and what it gives counts in units of its output's scale.
struct NetworkScales {
  // One number per input, and per output.
  std::vector<double> input_mean, input_scale, output_scale;

  bool operator==(const NetworkScales&) const = default;
};

// The windows and series that learned initial values belong to.
struct StartSlots {
  // Of the data they are of: their windows and measured values.
  std::string digest{};
  std::size_t n_windows = 0, n_series = 0;

  bool operator==(const StartSlots&) const = default;
};

// By name. What is not there is counted as it is: with mean 0 and scale 1.
struct Scales {
  std::map<std::string, NetworkScales> networks;
  // Typical sizes of variation: of states, and of observed variables.
  std::map<std::string, double> states, observed;
  // The parameter of each variable's noise that is estimated: where learning starts, later what it found.
  std::map<std::string, double> noise{};
  // Of models whose initial values are learned.
  StartSlots starts{};

  bool operator==(const Scales&) const = default;
};

}  // namespace greybox
