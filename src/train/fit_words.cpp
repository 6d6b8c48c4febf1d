#include "train/fit_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

// A model that explains more is not asked to beat its theory.
constexpr double kNearlyAll = 0.99;
// Times the mean squared error of the theory alone: worse than without the network.
constexpr double kWorse = 3;
// A refit that leaves less than this part of the squared error has mended it.
constexpr double kMended = 0.7;
// Part of the variance that counts as signal at least, however large the noise.
constexpr double kLeastSignal = 0.01;

double best_other(const OutputFit& output) {
  return std::fmin(output.theory_rmse, output.guess_rmse);
}

std::string advice_after_refit(const FitAdvice& advice) {
  constexpr const char* kHardlyHelps =
      "; learning a little longer for one θ alone hardly helps: train longer if L still fell at the end";
  if (advice.noise_is_known)
    return fmt::format(
        "{}, else give the network more units or inputs, or look for terms that the theory gets wrong",
        kHardlyHelps);
  return fmt::format(
      "{}; where the rest is noise of the data, say how large it is under [noise]; else give the network "
      "more "
      "units or inputs, or look for terms that the theory gets wrong",
      kHardlyHelps);
}

}  // namespace

double explained(const OutputFit& output) {
  const double squared = output.rmse * output.rmse, noise = output.noise_rmse * output.noise_rmse;
  if (!output.noise_is_known || !std::isfinite(noise) || squared == 0) return output.r2;
  const double variance = squared / (1 - output.r2);
  return 1 - std::max(squared - noise, 0.0) / std::max(variance - noise, kLeastSignal * variance);
}

std::string errors_text(const OutputFit& output) {
  std::string text = fmt::format("{}: RMSE {:.3g}, {:.0f} % of its variance explained", output.name,
                                 output.rmse, 100 * std::max(output.r2, 0.0));
  if (output.noise_is_known) text += fmt::format("; its noise {:.3g}", output.noise_rmse);
  if (!std::isnan(output.theory_rmse)) text += fmt::format("; theory alone {:.3g}", output.theory_rmse);
  return text + fmt::format("; a guess without model {:.3g}", output.guess_rmse);
}

FitReading read_fit(const std::vector<OutputFit>& outputs, double share) {
  FitReading reading;
  double times_worse = 0;
  for (std::size_t o = 1; o < outputs.size(); ++o)
    if (explained(outputs[o]) < explained(outputs[reading.worst])) reading.worst = o;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const double ratio = std::pow(outputs[o].rmse / best_other(outputs[o]), 2);
    if (explained(outputs[o]) >= kNearlyAll || ratio <= std::max(kWorse, times_worse)) continue;
    times_worse = ratio;
    reading.worst = o;
  }
  reading.is_worse = times_worse > 0;
  const double of_worst = explained(outputs[reading.worst]);
  if ((reading.is_worse && of_worst < kWellLearned) || of_worst < kNothingLearned)
    reading.word = FitWord::does_not_fit;
  else if (reading.is_worse || of_worst < kWellLearned || share < 0.5)
    reading.word = FitWord::partly;
  reading.is_in_part = reading.word == FitWord::partly && !reading.is_worse && of_worst >= kWellLearned;
  return reading;
}

std::string judgement_text(const FitReading& reading, const std::vector<OutputFit>& outputs, double share) {
  std::string text = fmt::format("{} ({})", name_of(reading.word), errors_text(outputs[reading.worst]));
  if (share < 1) text += fmt::format("; at {:.0f} % of the prior it fits about as well", 100 * share);
  return text;
}

std::string advice_text(const FitAdvice& advice) {
  if (advice.reading.is_in_part)
    return advice.fits_at + ", and hardly elsewhere: narrow the priors to what can be, or train longer";
  const std::string worse =
      advice.reading.is_worse ? "; the network makes it worse than it would be without" : "";
  if (advice.is_by_heart)
    return worse +
           ": it has learned the training windows by heart, which it fits far better; learn from more series "
           "or windows, with fewer units or inputs, or with a larger `lambda`";
  if (advice.refit_part < kMended)
    return worse + fmt::format(
                       "; learning a little longer for one θ alone leaves {:.0f} % of the squared "
                       "error: the network has not finished adapting; train longer, with more units, "
                       "or narrow the priors",
                       100 * advice.refit_part);
  if (advice.reading.is_worse)
    return worse + (advice.is_scaled
                        ? ": train longer, learn from shorter windows, or narrow the priors"
                        : ": train longer, with a smaller rate, or scale the network's inputs and outputs");
  if (advice.refit_part >= kMended) return advice_after_refit(advice);
  return "; train longer, give the network more units, or narrow the priors";
}

}  // namespace greybox
