// How well the model predicts the windows that its fit is judged by.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/engine.hpp"
#include "train/fit.hpp"

namespace greybox {

// One value per observed variable.
using MeanSquares = std::vector<double>;

class FitErrors {
 public:
  // Some of the validation windows, or where there are none of those learned from. All must outlive it.
  FitErrors(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool);

  const std::string& split() const { return split_; }
  std::size_t n_windows() const { return windows_.size(); }
  // Of the data: variances, ranges, and what the better of two guesses leaves.
  const std::vector<double>& variances() const { return variances_; }
  const std::vector<double>& ranges() const { return ranges_; }
  const MeanSquares& guesses() const { return guesses_; }

  // What is asked next is asked of these weights, or of the theory alone.
  void set_weights(std::span<const double> weights);
  void set_theory_alone();

  // Infinite where a trajectory becomes non-finite.
  MeanSquares at(const std::vector<double>& theta);
  // Variances of the noise around the predictions; empty without [noise].
  MeanSquares noise_at(const std::vector<double>& theta);

  // In units of the variances, the mean over the variables.
  double scaled(const MeanSquares& errors) const;
  // In the units of L.
  double loss(const MeanSquares& errors) const;

 private:
  struct PointRows {
    std::vector<float> theta, draws;
  };

  void choose_windows();
  void read_data();
  template <class F>
  void for_compared(F&& f) const;
  template <class F>
  MeanSquares means_at(const std::vector<double>& theta, Trajectories<float>& kept, F&& f);
  PointRows rows_at(const std::vector<double>& theta) const;
  std::size_t points_of(std::size_t observed) const;
  const Column& column_of(std::size_t observed) const;

  const LoadedModel& loaded_;
  const FitRequest& request_;
  ThreadPool* pool_;
  std::vector<std::size_t> windows_;
  std::string split_;
  std::unique_ptr<Engine<float>> engine_;
  bool is_of_theory_ = false;
  std::vector<double> variances_, ranges_, guesses_;
};

}  // namespace greybox
