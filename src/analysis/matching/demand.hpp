// What the data ask for beyond the theory, where some states are not measured.
#pragma once

#include <span>
#include <vector>

#include "analysis/matching/hidden_states.hpp"
#include "analysis/matching/matched_program.hpp"

namespace greybox {

// The measured derivatives less the right-hand side without networks, in standard deviations of each
// derivative.
class Demand {
 public:
  // All must outlive it; values of a program's roots begin with the states' derivatives.
  Demand(const MatchingPoints& points, const MatchedData& data, HiddenStates& hidden,
         MatchedProgram& program);

  // Shifts of the learned starts, within two standard deviations of their priors, for which the demand at θ
  // is least: errors of starts from window to window would else look like a theory that depends less on the
  // hidden states than it does. Or those to the opposite side, as the data say.
  const StartShifts& starts(std::span<const double> theta);
  // Root mean square over the points at θ, from the starts that the data say.
  double size(std::span<const double> theta);

 private:
  using Values = std::vector<double>;

  const Values& at(std::span<const double> theta);
  void find_least_starts(std::span<const double> theta);
  void improve(std::span<const double> theta);

  const MatchingPoints* points_;
  const MatchedData* data_;
  HiddenStates* hidden_;
  MatchedProgram* program_;
  MatchedProgram::Outputs no_outputs_;
  // Of measured states: which, and 1 / sd of the derivative.
  std::vector<std::pair<std::size_t, double>> measured_;
  StartShifts shifts_;
  // [measured state, then point]
  Values values_;
};

}  // namespace greybox
