// Verdicts in words: sentences and the evidence behind them.
#pragma once

#include <string>
#include <vector>

#include "analysis/verdict/flat_directions.hpp"
#include "analysis/verdict/parameter_reading.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

// In place of a regularizer, where the data alone speak.
inline constexpr const char* kTheData = "the data";

// Why a parameter is not judged.
inline constexpr const char* kMadeOfErrors =
    "it is made of errors, and verdicts ask what is left once the data are fitted; what the data determine "
    "stands there as determined by the data";

inline constexpr const char* kStillFalls =
    "a search from the lowest value that was found still finds lower ones; hold parameters that are known, "
    "or narrow the priors";

// What the readings of all parameters rest on.
struct Basis {
  std::size_t n_networks = 1, n_windows = 0, n_resamples = 0;
  // In how many ways the data were smoothed; 0: R is that of the networks themselves.
  std::size_t n_smoothings = 0;
  // Why the data could not be matched; empty: they were.
  std::string obstacle{};
  // About states that are not measured; empty: all are.
  std::string note{};
};

// All facts of a verdict about one parameter under one regularizer.
struct VerdictFacts {
  std::string parameter, regularizer;
  // Which of the model's, and where it is varied.
  std::size_t number = 0;
  const ThetaCoordinates& coordinates;
  Finding finding;
  const ParameterReading& reading;
  // The combination that is determined instead; empty when there is none.
  std::string tie{};
  // Whether it is tied to others in a way that no combination describes.
  bool is_tied = false;
  bool needs_more_data = false;
  const Basis& basis;

  double in_units(double coordinate) const { return coordinates.theta(number, coordinate); }
};

// Each smoothing alone leaves a much narrower interval than all of them.
bool is_by_smoothing(const VerdictFacts& facts);
std::string sentence_of(const VerdictFacts& facts);
std::vector<std::string> evidence_of(const VerdictFacts& facts);
std::string tie_sentence(const Tie& tie, const FlatCombination& combination,
                         const std::vector<std::string>& names);
Verdict without_values(const std::string& parameter, const std::string& regularizer);
Verdict not_judged(const std::string& parameter, const std::string& regularizer, const std::string& why);
Verdict disagreement(const std::string& parameter, const std::vector<const Verdict*>& verdicts);

}  // namespace greybox
