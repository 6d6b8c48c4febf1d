// A judgement of fit in words: which word, why, and what to do.
#pragma once

#include "greybox/fit.hpp"

namespace greybox {

// Shares of variance: below the first nothing is learned, below the second something is missing.
inline constexpr double kNothingLearned = 0.5, kWellLearned = 0.9;

struct FitReading {
  FitWord word = FitWord::fits;
  // The output that the sentence is about.
  std::size_t worst = 0;
  // Than the theory alone or a guess.
  bool is_worse = false;
  // Well at its best θ, and badly at most others.
  bool is_in_part = false;
};

// `share`: of the prior at which the model fits.
FitReading read_fit(const std::vector<OutputFit>& outputs, double share);

// The share of the variance that is explained, of what is not noise where that is known.
double explained(const OutputFit& output);
std::string errors_text(const OutputFit& output);
// The word and the errors, without advice.
std::string judgement_text(const FitReading& reading, const std::vector<OutputFit>& outputs, double share);

struct FitAdvice {
  FitReading reading;
  // What θ that fit have in common; may be empty.
  std::string fits_at{};
  // Training windows are fitted far better.
  bool is_by_heart = false;
  // Of the error that a refit leaves; NaN where it is not known.
  double refit_part = 0;
  bool noise_is_known = false;
  // Networks and states are scaled by the training data.
  bool is_scaled = false;
};

// What to do about a model that does not fit or fits partly; follows the judgement's text.
std::string advice_text(const FitAdvice& advice);

}  // namespace greybox
