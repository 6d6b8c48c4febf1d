// A regularizer of each window on its own: R_x of equation (6), its means running over one window's
// evaluations.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/engine.hpp"
#include "model/regularizers.hpp"

namespace greybox {

template <class T>
class WindowRegularizer {
 public:
  // `regularizer` is the index of R among the model's; `capacity` the most samples at once.
  WindowRegularizer(std::shared_ptr<const BoundModel> model, std::size_t regularizer, std::size_t capacity);

  // From the sums of the engine's last forward: R of each sample.
  std::span<const double> evaluate(const Engine<T>& engine);
  // The same, and what backward starts from to give the gradient of their mean.
  std::span<const double> evaluate_with_cotangents(const Engine<T>& engine);
  const Cotangents<T>& cotangents() const { return cotangents_; }
  // The same for the gradient of a weighted sum: of n times those factors, one per sample.
  void weigh(std::span<const double> factors);

 private:
  std::size_t n_samples(const Engine<T>& engine) const;
  double value_of(const Engine<T>& engine, std::size_t sample);

  std::size_t regularizer_;
  Regularizers regularizers_;
  std::vector<double> means_, grad_means_, values_;
  std::vector<T> loss_cotangents_;
  std::vector<std::vector<T>> term_cotangents_;
  std::vector<const T*> term_pointers_;
  Cotangents<T> cotangents_;
};

extern template class WindowRegularizer<float>;
extern template class WindowRegularizer<double>;

}  // namespace greybox
