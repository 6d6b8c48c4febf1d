// Verdicts in words: sentences and the evidence behind them.
#pragma once

#include <cmath>

#include "analysis/verdict/flat_directions.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

// All facts of a verdict about one parameter under one regularizer.
struct VerdictFacts {
  std::string parameter, regularizer;
  Interval range;  // of the parameter
  Finding finding;
  const ParameterReading& reading;
  std::string tie;  // the combination that is determined instead; empty when there is none
  const ThetaCloud& cloud;

  double in_units(double coordinate) const { return std::lerp(range.first, range.second, coordinate); }
};

std::string sentence_of(const VerdictFacts& facts);
std::vector<std::string> evidence_of(const VerdictFacts& facts);
std::string tie_sentence(const Tie& tie, const FlatCombination& combination,
                         const std::vector<std::string>& names);
Verdict without_values(const std::string& parameter, const std::string& regularizer);
Verdict disagreement(const std::string& parameter, const std::vector<const Verdict*>& verdicts);

}  // namespace greybox
