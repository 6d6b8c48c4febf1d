// The prior of learned initial values as a part of the gradient.
#pragma once

#include <span>
#include <vector>

#include "model/loaded_model.hpp"
#include "model/network_set.hpp"
#include "train/batches.hpp"

namespace greybox {

template <class T>
class StartPrior {
 public:
  // `has_slopes`: θ is drawn, so that starts learn to follow it.
  StartPrior(const LoadedModel& loaded, const NetworkSet<T>& networks, bool has_slopes);

  bool has_starts() const { return !model_->starts.empty(); }
  // What comes before it decays.
  std::size_t n_network_weights() const { return networks_->n_network_weights(); }
  // Adds `weight` times the gradient of the negative log prior, to which each start counts once in an epoch;
  // starts of windows that count for R alone do not learn.
  void add_to(std::span<T> gradient, std::span<const T> weights, const Batch& batch, double weight) const;

 private:
  std::shared_ptr<const BoundModel> model_;
  const NetworkSet<T>* networks_;
  const WindowData* windows_;
  std::shared_ptr<const PreparedData> data_;
  bool has_slopes_;
  // Per learned start: 1 / training windows that share a row of numbers; of a row's numbers, their variances.
  std::vector<std::vector<double>> shares_;
  std::vector<double> variances_;
};

}  // namespace greybox
