// Whether a trained model fits its data at all: what must hold before its parameters are looked at.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace greybox {

enum class FitWord : std::uint8_t { fits, partly, does_not_fit };

constexpr std::string_view name_of(FitWord word) {
  constexpr std::array<std::string_view, 3> kNames = {"fits", "fits partly", "does not fit"};
  return kNames[static_cast<std::size_t>(word)];
}

// Errors of one observed variable: over its range, and the share of its variance that is explained. NaN where
// it is not measured, or does not vary.
struct OutputError {
  std::string name;
  double rmse = std::numeric_limits<double>::quiet_NaN();
  double nrmse = std::numeric_limits<double>::quiet_NaN();
  double r2 = std::numeric_limits<double>::quiet_NaN();
};

// Errors of one observed variable, at the θ that fits best.
struct OutputFit {
  std::string name;
  // Over the data's range, and the share of their variance that is explained.
  double rmse = 0, nrmse = 0, r2 = 0;
  // Of the theory alone at its best θ, and of the better of two guesses that need no model: the first
  // snapshot's value, and the mean. NaN where there is none.
  double theory_rmse = std::numeric_limits<double>::quiet_NaN();
  double guess_rmse = std::numeric_limits<double>::quiet_NaN();
  // Of a network that learned a little longer for this θ alone; NaN where the fit did not call for it.
  double refit_rmse = std::numeric_limits<double>::quiet_NaN();
  // Of the noise at these predictions: what even the right model leaves. NaN without [noise].
  double noise_rmse = std::numeric_limits<double>::quiet_NaN();
  // The file says how large the noise is, so that it was not estimated from the same errors.
  bool noise_is_known = false;
};

struct FitJudgement {
  FitWord word = FitWord::fits;
  // One line: the word, why, and what to do.
  std::string sentence{};
  std::vector<OutputFit> outputs{};
  // Share of the prior at which the model fits about as well as at its best θ.
  double share = 1;
  // L above which a θ counts as not fitting: with four times the squared error of the best θ, or a tenth of
  // what a guess without model leaves, whichever is more.
  double loss_limit = std::numeric_limits<double>::infinity();
  std::string split{};
  std::size_t n_windows = 0;
};

}  // namespace greybox
