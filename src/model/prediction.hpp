// What a model predicts for windows of data: trajectories with their parts, errors, regularizers.
#pragma once

#include <span>
#include <vector>

#include "core/stage_progress.hpp"
#include "core/thread_pool.hpp"
#include "greybox/predict.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

struct PredictionRequest {
  std::span<const double> weights;
  // Of the loaded data.
  std::vector<std::size_t> windows;
  // One value per parameter, or windows × parameters; empty: the estimator's.
  std::vector<double> theta;
  // Counts windows, after every batch of them.
  LoopProgress progress{};
};

template <class T>
Prediction make_prediction(const LoadedModel& loaded, const PredictionRequest& request, ThreadPool& pool);

extern template Prediction make_prediction<float>(const LoadedModel&, const PredictionRequest&, ThreadPool&);
extern template Prediction make_prediction<double>(const LoadedModel&, const PredictionRequest&, ThreadPool&);

// The variable of this name; throws std::out_of_range when there is none.
const PredictedVariable& variable_of(const Prediction& prediction, const std::string& name);

}  // namespace greybox
