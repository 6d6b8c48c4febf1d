// The whole model on a batch of samples: predictions, sums for loss and regularizers, and their gradients.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/require.hpp"
#include "model/group.hpp"

namespace greybox {

struct EngineOptions {
  std::size_t capacity = 1;  // samples per batch at most
  bool is_differentiable = false;
  // Bytes of kept evaluations above which backward repeats them instead.
  std::size_t memory_limit = std::size_t{1} << 29;
};

// Results depend on the samples of the batch and on nothing else: not on the number of threads, not on
// earlier batches. Steady use (same sizes) allocates nothing.
template <class T>
class Engine {
 public:
  // `data` bounds the length of windows; the samples of later batches may come from other data with windows
  // no longer.
  Engine(std::shared_ptr<const ExecutionPlan> plan, const WindowData& data, ThreadPool& pool,
         const EngineOptions& options);

  const BoundModel& model() const { return plan_->model(); }
  const NetworkSet<T>& networks() const { return *networks_; }
  std::size_t n_weights() const { return networks_->n_weights(); }
  std::size_t capacity() const { return options_.capacity; }
  std::size_t n_outputs() const { return model().is_algebraic() ? 1 : n_times_ - 1; }
  // One number per weight. Spans of other sizes than promised, here and below, throw std::logic_error.
  void set_weights(std::span<const T> weights);

  // The parameters of the noise that are numbers, one per observed variable; those of the model at first.
  std::span<const double> noise() const { return *spreads_; }
  void set_noise(std::span<const double> spreads);

  // At most `capacity` samples.
  void forward(const Samples<T>& samples, Trajectories<T>* trajectories = nullptr);

  // After forward, per sample of the batch: what it adds to L and what that weighs there (L is the sum of the
  // one over that of the other), the sum of squared errors in units of the variables' scales, and how many
  // values were compared. Losses are sums over the compared values, or their means where windows weigh alike.
  std::span<const double> losses() const { return {losses_.data(), n_samples_}; }
  std::span<const double> loss_weights() const {
    return {weighs_windows_ ? loss_weights_.data() : n_compared_.data(), n_samples_};
  }
  std::span<const double> squared_errors() const { return {squared_errors_.data(), n_samples_}; }
  std::span<const double> n_compared() const { return {n_compared_.data(), n_samples_}; }
  // Weighted sum of a term over the sample's evaluations, and the weights' sum.
  std::span<const double> term_sums(std::size_t term) const {
    require(term < model().terms.size(), "Engine::term_sums is asked for a term that the model lacks");
    return {term_sums_.data() + term * options_.capacity, n_samples_};
  }
  std::span<const double> term_weights(std::size_t term) const;
  // The weights of all evaluations of a sample, added up.
  std::span<const double> evaluation_weights() const { return {evaluation_weights_.data(), n_samples_}; }
  std::span<const Outcome> outcomes() const { return {outcomes_.data(), n_samples_}; }
  std::span<const double> stopped_at() const { return {stopped_at_.data(), n_samples_}; }
  std::span<const T> theta() const { return {theta_.data(), n_samples_ * model().spec->parameters.size()}; }

  // Gradients for the samples of the last forward: *adds* to `grad_weights`, unless that is empty, which
  // saves the work; writes grad_theta (samples × parameters).
  void backward(const Samples<T>& samples, const Cotangents<T>& cotangents, std::span<T> grad_weights,
                std::span<T> grad_theta);
  // With respect to the logarithm of a variable's number in `noise`, after backward.
  double noise_gradient(std::size_t observed) const;
  // Of a state's initial value, after backward.
  const T* initial_gradient(std::size_t state, std::size_t sample) const;

 private:
  template <class F>
  void for_groups(F&& f);
  void check(const Samples<T>& samples) const;
  void collect(const Group<T>& group, std::size_t first, bool estimates_theta);
  void collect(const SampleBlock<T>& block);
  void collect_theta(const SampleBlock<T>& block);
  // Samples that stand in one group: those of a block, or all where they are coupled.
  std::pair<std::size_t, std::size_t> range_of(std::size_t which) const;

  std::shared_ptr<const ExecutionPlan> plan_;
  ThreadPool* pool_;
  EngineOptions options_;
  std::size_t n_times_;
  std::size_t block_capacity_;
  // Blocks point to both, wherever the engine is moved.
  std::unique_ptr<NetworkSet<T>> networks_;
  std::unique_ptr<std::vector<double>> spreads_;
  std::vector<std::unique_ptr<Group<T>>> groups_;
  std::size_t n_samples_ = 0, n_active_ = 0;  // n_active_: groups that the batch takes
  bool weighs_windows_;
  std::vector<double> losses_, loss_weights_, squared_errors_, n_compared_, term_sums_, evaluation_weights_,
      data_weights_, stopped_at_;
  std::vector<Outcome> outcomes_;
  std::vector<T> theta_;
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace greybox
