// What a model predicts for windows of data: trajectories with their parts, errors, regularizers.
#pragma once

#include <span>
#include <vector>

#include "core/stage_progress.hpp"
#include "core/thread_pool.hpp"
#include "greybox/predict.hpp"
#include "model/engine.hpp"
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
  // Trajectories of the states too.
  bool keeps_states = false;
  // What the residuals say, too.
  bool judges_residuals = true;
  // Of latents, windows × draws of the model; empty: each at its mean.
  std::vector<double> draws{};
  // Latents come from their priors.
  bool is_generated = false;
};

struct PredictionTotals;

// Keeps its memory, so that many predictions may be asked for one after another.
template <class T>
class Predictor {
 public:
  // `n_windows` is the most that will be asked for at once. With several outputs per interval between
  // snapshots it is asked for curves.
  Predictor(const LoadedModel& loaded, std::size_t n_windows, ThreadPool& pool,
            std::size_t n_per_interval = 1);

  Prediction predict(const PredictionRequest& request);
  // Times and variables alone, at all outputs.
  Prediction curves(const PredictionRequest& request);

 private:
  // Sums are taken where there is room for them.
  Trajectories<T> run(const PredictionRequest& request, Prediction& prediction, PredictionTotals* totals);

  LoadedModel loaded_;
  std::size_t n_per_interval_;
  Engine<T> engine_;
};

extern template class Predictor<float>;
extern template class Predictor<double>;

// Outputs per interval that make smooth curves of the longest window; 1 where nothing lies between snapshots:
// algebraic models, fields, and solvers whose coarse steps are part of the model.
std::size_t outputs_of_curves(const LoadedModel& loaded);

template <class T>
Prediction make_prediction(const LoadedModel& loaded, const PredictionRequest& request, ThreadPool& pool);

extern template Prediction make_prediction<float>(const LoadedModel&, const PredictionRequest&, ThreadPool&);
extern template Prediction make_prediction<double>(const LoadedModel&, const PredictionRequest&, ThreadPool&);

// The variable of this name; throws std::out_of_range when there is none.
const PredictedVariable& variable_of(const Prediction& prediction, const std::string& name);

}  // namespace greybox
