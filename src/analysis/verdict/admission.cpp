#include "analysis/verdict/admission.hpp"

#include <fmt/format.h>

#include "data/independent_windows.hpp"
#include "greybox/counted.hpp"
#include "greybox/verdict.hpp"
#include "train/fit.hpp"

namespace greybox {
namespace {

std::string too_little_data(const OpenedRun& run, const WindowChoice& choice) {
  const WindowData& data = run.loaded.data->windows();
  const std::size_t n_units = count_independent(data.windows, choice.windows);
  if (n_units >= kFewestUnits) return "";
  const std::size_t n_all = count_independent(data.windows, run.loaded.data->all());
  return fmt::format(
      "too little data to judge: {} of {}; {} or more would be needed, from longer or "
      "further series, shorter windows, or a larger part of the split{}",
      counted(n_units, "independent window"), choice.description.empty() ? choice.name : choice.description,
      kFewestUnits,
      n_all < kFewestUnits
          ? ""
          : fmt::format("; all windows together, those that were learned from among them, have {}", n_all));
}

}  // namespace

Admission admit(const OpenedRun& run, const WindowChoice& choice, ThreadPool& pool) {
  if (std::string why = too_little_data(run, choice); !why.empty()) return {std::move(why), true};
  const bool is_adaptive = !run.record || run.record->options.mode == TrainMode::adaptive;
  if (!is_adaptive) return {};
  const FitJudgement fit = run.record && run.record->fit
                               ? *run.record->fit
                               : judge_fit(run.loaded, {.weights = run.weights}, pool);
  return {fit.word == FitWord::does_not_fit ? "the run " + fit.sentence : "", fit.word == FitWord::fits};
}

}  // namespace greybox
