// Losses and all regularizers at many values of θ, the weights frozen: the work behind landscapes and grid
// searches.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/theta/resampling.hpp"
#include "core/stage_progress.hpp"
#include "core/thread_pool.hpp"
#include "model/engine.hpp"
#include "model/loaded_model.hpp"
#include "model/regularizers.hpp"

namespace greybox {

// One entry per θ. All are NaN where the trajectory of some window became non-finite: values over the
// other windows could not be compared with those of other θ.
struct ThetaValues {
  std::vector<double> losses;                     // mean squared errors
  std::vector<std::vector<double>> means;         // [term of the model][θ]
  std::vector<std::vector<double>> regularizers;  // [regularizer of the model][θ]
  std::vector<std::size_t> n_diverged;            // windows
};

// Of all regularizers, from what they are made of.
std::vector<std::vector<double>> regularizers_of(std::shared_ptr<const BoundModel> model,
                                                 const std::vector<std::vector<double>>& means,
                                                 std::size_t n_theta, const WindowErrors& errors);

// Pairs of θ and window run as one long batch, cut into pieces that do not depend on the number of threads.
// Sums over windows are made in double, in an order that depends on nothing but the windows.
template <class T>
class ThetaScan {
 public:
  // `n_windows` is the most that will be asked for at once.
  ThetaScan(const LoadedModel& loaded, std::span<const double> weights, std::size_t n_windows,
            ThreadPool& pool);

  void set_weights(std::span<const double> weights);

  // `theta` holds values × parameters, row-major; progress counts pairs.
  ThetaValues evaluate(std::span<const std::size_t> windows, std::span<const double> theta,
                       const LoopProgress& progress = {});
  // The same for several sets of the same windows: [0] counts each window once, [s] as set s - 1 says. One
  // pass over the pairs serves them all.
  std::vector<ThetaValues> evaluate(std::span<const std::size_t> windows, const Resampling& resampling,
                                    std::span<const double> theta, const LoopProgress& progress = {});

 private:
  struct Sums;
  void forward(std::span<const std::size_t> windows, std::span<const double> theta, std::size_t first,
               std::size_t n);
  void add_pairs(std::size_t n_windows, std::size_t first, const double* counts, Sums& sums) const;
  ThetaValues finish(Sums& sums, double range);

  LoadedModel loaded_;
  Engine<T> engine_;
  std::vector<std::size_t> windows_;  // of the pairs of a piece
  std::vector<T> theta_;
};

extern template class ThetaScan<float>;
extern template class ThetaScan<double>;

}  // namespace greybox
