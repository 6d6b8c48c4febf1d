// Bands around predictions: the spread over networks and draws of θ, and the noise of what is measured.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "analysis/run/networks.hpp"
#include "greybox/simulate.hpp"
#include "model/prediction.hpp"

namespace greybox {

// Networks with the θ that each is run at.
struct Ensemble {
  Networks networks;
  // [network][draw]; an empty draw stands for the model's estimator.
  std::vector<std::vector<std::vector<double>>> theta;

  std::size_t n_draws() const { return theta.front().size(); }
  std::size_t size() const { return networks.size() * n_draws(); }
};

// Predictions of every member for the same windows.
class EnsemblePrediction {
 public:
  EnsemblePrediction(const LoadedModel& loaded, const Ensemble& ensemble, std::vector<std::size_t> windows,
                     ThreadPool& pool, const std::function<void()>& after_each);

  std::size_t n_windows() const { return n_windows_; }
  std::size_t n_steps() const { return predictions_.front().n_steps; }
  const std::vector<PredictedVariable>& variables() const { return predictions_.front().variables; }
  const Prediction& first() const { return predictions_.front(); }
  // Values per window of a variable.
  std::size_t values_per_window(std::size_t variable) const;
  // The finite values of all members at one place of a variable.
  void members_at(std::size_t variable, std::size_t place, std::vector<double>& values) const;

 private:
  std::size_t n_windows_ = 0, n_draws_ = 0;
  // One per network, draw after draw, each with all windows.
  std::vector<Prediction> predictions_;
};

struct BandInterval {
  double low = 0, high = 0;
};

// Between the quantiles (1 ∓ level) / 2 of equally likely normal distributions around the centres; NaN
// without any.
BandInterval mixture_interval(std::span<const double> centres, double sd, double level);

// Of every observed variable: the noise, and the factor of the bands' half-widths.
struct BandSettings {
  double level = 0.9;
  std::vector<double> noise, factor;
};
BandInterval band_at(const EnsemblePrediction& ensemble, const BandSettings& settings, std::size_t output,
                     std::size_t place, std::vector<double>& scratch);

// Standard deviation of what is measured around the ensemble's mean, without what its own spread explains.
// A model that states its noise would give it here instead.
std::vector<double> measured_noise(const BoundModel& model, const EnsemblePrediction& ensemble);

// Split conformal prediction: the factors at which the bands hold their share of these windows, with the
// correction for a finite number of them. Throws InputError where there are too few windows for the level.
std::vector<double> conformal_factors(const BoundModel& model, const EnsemblePrediction& ensemble,
                                      const BandSettings& settings);

// One per observed variable: how the bands do on these windows.
std::vector<BandCheck> check_bands(const BoundModel& model, const EnsemblePrediction& ensemble,
                                   const BandSettings& settings);

}  // namespace greybox
