// Learned initial values of windows that nothing was learned from: fitted to their observed snapshots alone,
// with the networks as they are.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "model/engine.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

struct StartFitAt {
  // One row per window of the fit; empty: the model's estimator gives θ.
  std::span<const double> theta;
  // Parameters of the noise, one per observed variable; empty: those of the model.
  std::span<const double> noise{};
  // Of residuals in units of the variables' scales, where the model has no noise.
  double variance = 1;
};

// Levenberg–Marquardt on residuals and prior, from the middle of the prior: the same numbers whatever was
// fitted before, and for any number of threads.
class StartFit {
 public:
  // Of the starts of `windows` that are not those of `trained` windows too.
  StartFit(const LoadedModel& loaded, std::vector<std::size_t> windows,
           const std::vector<std::size_t>& trained, ThreadPool& pool);
  StartFit(const StartFit&) = delete;
  StartFit& operator=(const StartFit&) = delete;

  // False where there is nothing to fit, or no observed snapshot beyond the first to fit it to.
  bool is_possible() const;
  const std::vector<std::size_t>& windows() const { return windows_; }
  // Writes the starts into the weights, which hold for the given θ: without slopes.
  void fit(const StartFitAt& at, std::span<double> weights);
  // Positions of the fitted constants in the weights.
  std::vector<std::size_t> positions() const;

 private:
  // A number to be found.
  struct Unknown {
    std::size_t start, position, group, index;
    bool has_penalty;
  };
  struct Group {
    std::vector<std::size_t> windows, unknowns;
    double cost = 0, damping = 1e-3;
    bool is_done = false;
  };

  void find_unknowns(const std::vector<std::size_t>& trained);
  // Residuals of every window, in units of their noise.
  std::vector<std::vector<double>> residuals(const StartFitAt& at, std::span<const double> weights);
  double cost(const Group& group, const std::vector<std::vector<double>>& residuals,
              std::span<const double> weights) const;
  void set_steps(Group& group, const std::vector<std::vector<double>>& residuals,
                 const std::vector<std::vector<std::vector<double>>>& shifted,
                 std::span<const double> weights, std::vector<double>& steps) const;

  LoadedModel loaded_;
  std::vector<std::size_t> windows_;
  WindowData cut_;
  NetworkSet<double> places_;
  Engine<double> engine_;
  std::vector<Unknown> unknowns_;
  // Per learned start and window of the fit: which unknown; none where it is known.
  std::vector<std::vector<std::size_t>> unknown_of_;
  std::vector<Group> groups_;
  Trajectories<double> kept_;
};

// What a model learned on some data: enough to find the starts of others.
struct StartKnowledge {
  std::vector<std::size_t> trained{};
  // The θ that all windows share; empty: starts follow θ over its prior.
  std::vector<double> theta{};
  std::map<std::string, double> noise{};
  double variance = 1;
};

// The weights with the starts of all windows that were not learned from.
std::vector<double> complete_starts(const LoadedModel& loaded, std::vector<double> weights,
                                    const StartKnowledge& known, ThreadPool& pool);

// Weights of a model that was trained on other data: those of its networks, with starts for these data.
std::vector<double> weights_on(const LoadedModel& loaded, const BoundModel& trained,
                               const std::vector<double>& weights, const StartKnowledge& known,
                               ThreadPool& pool);

}  // namespace greybox
