// How much a training still changes what is asked of it: the means behind the regularizers, and the errors,
// at a few θ all over the priors.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/engine.hpp"
#include "model/loaded_model.hpp"
#include "train/tailoring.hpp"
#include "train/theta_source.hpp"
#include "train/train_state.hpp"

namespace greybox {

template <class T>
class Settling {
 public:
  // On validation windows; without any, or where initial states are learned, on training windows. In mode
  // tailored, `tailored_by` is the regularizer.
  Settling(const LoadedModel& loaded, ThetaOrigin origin, std::shared_ptr<const ThetaSource<T>> theta_source,
           ThreadPool& pool, std::optional<std::size_t> tailored_by = {});

  // Numbers in a landscape.
  std::size_t size() const { return n_theta_ * n_means_ + n_common_; }
  // Of parameters in the order of the layout: first by mean, then by θ; behind them a θ that all share.
  // Allocates nothing.
  void measure(std::span<const T> parameters, const FlatLayout& layout, std::span<double> landscape);
  // From one landscape to the next: the largest over the means of their root mean squared difference, in
  // units of their range over θ. NaN where some number is not finite.
  double change(std::span<const double> before, std::span<const double> after) const;
  // The mean over θ of the squared errors in a landscape.
  double error(std::span<const double> landscape) const;
  // The share of θ at which they are larger.
  double share_above(std::span<const double> landscape, double error) const;

 private:
  void choose_samples(ThetaOrigin origin);

  LoadedModel loaded_;
  std::shared_ptr<const ThetaSource<T>> theta_source_;
  // Samples are θ by θ.
  std::size_t n_theta_ = 1, n_means_ = 1, n_common_ = 0;
  std::vector<std::size_t> windows_;
  std::vector<T> theta_;
  std::optional<Engine<T>> engine_;
  std::optional<Tailoring<T>> tailoring_;
  // In mode tailored: latents, where steps lead and where they begin.
  std::vector<T> draws_, centres_;
  std::vector<double> weights_;
  // The unit of a common θ.
  std::vector<double> widths_;
};

extern template class Settling<float>;
extern template class Settling<double>;

}  // namespace greybox
