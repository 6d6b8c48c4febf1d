// The judgement with which every training ends: does the model fit its data?
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/limits.hpp"
#include "core/thread_pool.hpp"
#include "greybox/fit.hpp"
#include "model/loaded_model.hpp"
#include "train/adaptation_cure.hpp"

namespace greybox {

struct FitRequest {
  std::span<const double> weights;
  // The one θ of the run; empty where there are many.
  std::map<std::string, double> theta{};
  // The regularizer that θ of each window follows from there; none but in mode tailored.
  std::optional<std::size_t> tailored_by{};
  // θ comes from the model's [estimator].
  bool uses_estimator = false;
  // Of the training windows when learning ended.
  ObjectiveParts objective{};
  // Weights of a network that learned longer for one θ alone, asked for where the fit is not good; may be
  // empty.
  std::function<std::vector<double>(const std::vector<double>& theta, bool from_scratch)> refit{};
};

// On validation windows, or where there are none on those learned from.
FitJudgement judge_fit(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool);

}  // namespace greybox
