// Before any training: which parameters no data of this design can determine, by a numerical rank test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "greybox/dataset.hpp"
#include "greybox/execution.hpp"

namespace greybox {

struct StructureOptions {
  // Values of θ, drawn from the prior, at which the test is made.
  std::size_t n_draws = 8;
  // At most so many windows, evenly spaced.
  std::size_t n_windows = 64;
  std::uint64_t seed = 0;
  Execution execution{};
};

// Parameters that only together have an effect: combinations of them are determined, they alone are not.
struct TiedParameters {
  std::vector<std::string> parameters;
  // How many combinations are determined; of these, those that have a name (`a·b`).
  std::size_t n_determined = 0;
  std::vector<std::string> combinations{};
};

// The theory alone, its network silent: how what is observed changes with θ.
struct TheoryStructure {
  // θ at which the theory alone has finite trajectories. With fewer than two, nothing is said.
  std::size_t n_draws = 0;
  std::vector<std::string> determined{};
  // Without any effect on what is observed.
  std::vector<std::string> idle{};
  std::vector<TiedParameters> tied{};
  // Of the sensitivities at the draw with the fewest zeros, largest first; outputs in units of their spread,
  // parameters in units of their range, a mean over outputs. 0.001: moving along it through the whole prior
  // changes the outputs by a thousandth of their spread.
  std::vector<double> singular_values{};
};

// The network as a free function of its inputs: what it can do in the theory's place.
struct NetworkStructure {
  // Empty when the test was made; else why not.
  std::string not_tested{};
  // Whatever they do, the network can undo: only a regularizer chooses them.
  std::vector<std::string> absorbed{};
  // What they do is no function of what the network sees, or stands where it adds nothing: data can determine
  // them.
  std::vector<std::string> kept{};
  // Of these the network can undo some combinations; data can determine those that are told.
  std::vector<TiedParameters> tied{};
  // The network can undo part of what they do, or they act on states that are not observed.
  std::vector<std::string> undecided{};
};

struct StructuralCheck {
  TheoryStructure theory;
  NetworkStructure network;
  // For a person.
  std::vector<std::string> sentences;
};

// Throws Interruption when cancelled.
StructuralCheck structural_check(const Dataset& dataset, const StructureOptions& options = {});

std::string to_json(const StructuralCheck& structure);

}  // namespace greybox
