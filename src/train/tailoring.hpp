// θ of every window on its own: a few steps down a regularizer from where it starts (MAML, tailoring).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/loaded_model.hpp"
#include "model/window_regularizer.hpp"

namespace greybox {

// With R_i the regularizer of window i, its means over this window's evaluations alone, and w the widths of
// the priors: θ_i ← θ_i - rate w² ∂R_i/∂θ_i within the bounds, `steps` times. Allocates nothing once made.
template <class T>
class Tailoring {
 public:
  // As [train] of the model says; `regularizer` is the index of R among the model's. Throws InputError where
  // the samples of a batch depend on each other.
  Tailoring(const LoadedModel& loaded, std::size_t regularizer, std::size_t capacity);

  // From where `theta`, that of the samples, starts to where the steps lead, in place. The engine has its
  // weights, and is differentiable. A θ whose gradient is not finite stays where it is.
  void adapt(Engine<T>& engine, const Samples<T>& samples, std::span<T> theta);

  // After `adapt`: from gradients at its end to those at its start. First-order: a step passes them on as
  // they are, unless a bound has stopped it. Second-order: what the steps owe to weights and start is told by
  // differences of ∂R_i over a small distance along the gradient, and added to `grad_weights`.
  void pull_back(Engine<T>& engine, const Samples<T>& samples, std::span<T> grad_theta,
                 std::span<T> grad_weights);

 private:
  std::size_t n_parameters() const { return low_.size(); }
  // θ of all samples before step k.
  std::span<T> before(std::size_t k, std::size_t n) { return std::span(before_).subspan(k * size_, n); }
  void step(Engine<T>& engine, const Samples<T>& samples, std::span<T> theta, std::span<std::uint8_t> moves);
  void add_curvature(Engine<T>& engine, const Samples<T>& samples, std::span<const T> theta,
                     std::span<const T> direction, std::span<T> grad_theta, std::span<T> grad_weights);
  void set_distances(std::span<const T> direction);

  TailoringSpec spec_;
  WindowRegularizer<T> regularizer_;
  std::vector<double> low_, high_, width_;
  // Parameters of all samples.
  std::size_t size_;
  // [step][sample][parameter]; what the first order does not need is empty.
  std::vector<T> before_;
  // Whether a step moved it: neither a bound nor a gradient that is not finite was in the way.
  std::vector<std::uint8_t> moves_;
  std::vector<T> gradient_, direction_, shifted_;
  std::vector<double> factors_, distances_;
};

extern template class Tailoring<float>;
extern template class Tailoring<double>;

struct TailoringRequest {
  std::span<const double> weights;
  // The index of R among the model's.
  std::size_t regularizer = 0;
  // Of the loaded data.
  std::span<const std::size_t> windows;
  // One value per parameter.
  std::span<const double> start;
};

// θ of windows that a network meets after it has learned in mode tailored: windows × parameters.
template <class T>
std::vector<double> tailored_theta(const LoadedModel& loaded, const TailoringRequest& request,
                                   ThreadPool& pool);

extern template std::vector<double> tailored_theta<float>(const LoadedModel&, const TailoringRequest&,
                                                          ThreadPool&);
extern template std::vector<double> tailored_theta<double>(const LoadedModel&, const TailoringRequest&,
                                                           ThreadPool&);

}  // namespace greybox
