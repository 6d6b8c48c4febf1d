// θ of every window on its own, and latents that adapt: a few steps down a regularizer from where they start
// (MAML, tailoring).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/loaded_model.hpp"
#include "model/window_regularizer.hpp"

namespace greybox {

// What the steps move, of all samples: θ, and draws, of which those move that adapt. Draws are empty where
// the model has none.
template <class T>
struct TailoredPoint {
  std::span<T> theta, draws;
};

// With R_i the regularizer of window i, its means over this window's evaluations alone, and w the widths of
// the priors: θ_i ← θ_i - rate w² ∂R_i/∂θ_i within the bounds, `steps` times; likewise what adapts beside θ.
// Allocates nothing once made.
template <class T>
class Tailoring {
 public:
  // As [train] of the model says; `regularizer` is the index of R among the model's. Throws InputError where
  // the samples of a batch depend on each other.
  Tailoring(const LoadedModel& loaded, std::size_t regularizer, std::size_t capacity);

  // From where the samples' `point` starts to where the steps lead, in place. The engine has its weights, and
  // is differentiable. What has a gradient that is not finite stays where it is.
  void adapt(Engine<T>& engine, const Samples<T>& samples, const TailoredPoint<T>& point);

  // After `adapt`: from gradients at its end to those at its start. First-order: a step passes them on as
  // they are, unless a bound has stopped it. Second-order: what the steps owe to weights and start is told by
  // differences of ∂R_i over a small distance along the gradient, and added to `grad_weights`.
  void pull_back(Engine<T>& engine, const Samples<T>& samples, const TailoredPoint<T>& gradient,
                 std::span<T> grad_weights);

  // Where gradients of the samples' draws may be written, for `pull_back`.
  std::span<T> grad_draws(std::size_t n_samples) {
    return std::span(grad_draws_).first(n_draws_ == 0 ? 0 : n_samples * n_draws_);
  }

 private:
  // Numbers of a sample that move.
  std::size_t width() const { return low_.size(); }
  // Rows of numbers that move, from and to where they belong; draws that do not move stay as they are.
  void gather(const TailoredPoint<T>& point, std::span<T> rows) const;
  void scatter(std::span<const T> rows, const TailoredPoint<T>& point) const;
  // The rows of all samples before step k.
  std::span<T> before(std::size_t k, std::size_t n) { return std::span(before_).subspan(k * size_, n); }
  // Derivatives of R_i, each times n times its factor, at the samples' point, by row.
  void differentiate(Engine<T>& engine, const Samples<T>& samples, std::span<T> grad_weights,
                     std::span<T> gradient);
  void step(Engine<T>& engine, const Samples<T>& samples, std::span<T> rows, std::span<std::uint8_t> moves);
  void add_curvature(Engine<T>& engine, const Samples<T>& samples, std::size_t k, std::span<T> gradient,
                     std::span<T> grad_weights);
  void set_distances(std::span<const T> direction);

  TailoringSpec spec_;
  WindowRegularizer<T> regularizer_;
  std::size_t n_parameters_, n_draws_;
  // Draws that adapt; per number of a row its bounds and the width of its prior.
  std::vector<std::size_t> adapted_;
  std::vector<double> low_, high_, width_;
  // Rows of all samples.
  std::size_t size_;
  // [step][sample][number]; what the first order does not need is empty.
  std::vector<T> before_;
  // Whether a step moved it: neither a bound nor a gradient that is not finite was in the way.
  std::vector<std::uint8_t> moves_;
  std::vector<T> rows_, gradient_, direction_, shifted_;
  std::vector<T> own_theta_, own_draws_, grad_theta_, grad_draws_;
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

// Windows × parameters; windows × draws, empty where nothing adapts but θ.
struct TailoredWindows {
  std::vector<double> theta, draws{};
};

// Of windows that a network meets after it has learned in mode tailored.
template <class T>
TailoredWindows tailored_windows(const LoadedModel& loaded, const TailoringRequest& request,
                                 ThreadPool& pool);

extern template TailoredWindows tailored_windows<float>(const LoadedModel&, const TailoringRequest&,
                                                        ThreadPool&);
extern template TailoredWindows tailored_windows<double>(const LoadedModel&, const TailoringRequest&,
                                                         ThreadPool&);

}  // namespace greybox
