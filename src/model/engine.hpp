// The whole model on a batch of samples: predictions, sums for loss and regularizers, and their gradients.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/ordered_sums.hpp"
#include "core/require.hpp"
#include "model/group.hpp"

namespace greybox {

struct EngineOptions {
  std::size_t capacity = 1;  // samples per batch at most
  bool is_differentiable = false;
  // Trajectories have so many outputs for each interval between snapshots, in equal distances; more than one
  // only where it is not differentiable.
  std::size_t n_per_interval = 1;
  // Bytes of kept evaluations above which backward repeats them instead.
  std::size_t memory_limit = std::size_t{1} << 29;
};

// Results depend on the samples of the batch and on nothing else: not on the number of threads or processes,
// not on earlier batches. Steady use (same sizes) allocates nothing.
//
// Where the pool has other processes, each works on its own blocks of the batch: all must take the same
// steps, with the same samples and weights, and all get what follows from the whole batch.
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
  std::size_t n_outputs() const {
    return model().is_algebraic() ? 1 : (n_times_ - 1) * options_.n_per_interval;
  }
  // One number per weight. Spans of other sizes than promised, here and below, throw std::logic_error.
  void set_weights(std::span<const T> weights);

  // The parameters of the noise that are numbers, one per observed variable; those of the model at first.
  std::span<const double> noise() const { return *spreads_; }
  void set_noise(std::span<const double> spreads);

  // At most `capacity` samples. With trajectories every process works on all blocks, which an engine that is
  // differentiable and shared cannot.
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
  // saves the work; writes grad_theta (samples × parameters) and, where that is given and some draws adapt,
  // grad_draws (samples × draws), which is 0 for those that do not.
  void backward(const Samples<T>& samples, const Cotangents<T>& cotangents, std::span<T> grad_weights,
                std::span<T> grad_theta, std::span<T> grad_draws = {});
  // With respect to the logarithm of a variable's number in `noise`, after backward.
  double noise_gradient(std::size_t observed) const;
  // Of a state's initial value, after backward; of samples in this process's blocks.
  const T* initial_gradient(std::size_t state, std::size_t sample) const;

 private:
  template <class F>
  void for_groups(F&& f);
  // f(block, its number in the batch), in block order.
  template <class F>
  void for_own_blocks(F&& f);
  void make_groups(const GroupOptions& options, std::size_t n_blocks);
  bool is_coupled() const { return plan_->is_coupled(); }
  void check(const Samples<T>& samples, bool is_shared) const;
  // The blocks of group g; where there are fewer groups than blocks, of block g.
  BatchPart part_of(std::size_t g) const;
  void run_pieces(const Samples<T>& samples, Trajectories<T>* trajectories);
  void collect(const Group<T>& group, std::size_t first, bool estimates_theta);
  void collect(const SampleBlock<T>& block);
  void collect_theta(const SampleBlock<T>& block);
  void add_weight_gradients(std::span<T> grad_weights);

  // In a batch that is shared: where each process's samples begin, each with n bytes.
  std::span<const std::size_t> begins_of_samples(std::size_t n_bytes);
  void exchange_results(bool estimates_theta);
  void exchange_gradients(std::span<T> grad_theta, std::span<T> grad_draws);

  std::shared_ptr<const ExecutionPlan> plan_;
  ThreadPool* pool_;
  // Null: nobody shares the batches.
  Communicator* others_;
  EngineOptions options_;
  std::size_t n_times_;
  std::size_t block_capacity_;
  // Blocks point to both, wherever the engine is moved.
  std::unique_ptr<NetworkSet<T>> networks_;
  std::unique_ptr<std::vector<double>> spreads_;
  std::vector<std::unique_ptr<Group<T>>> groups_;
  // Of the last batch: its blocks, those of this process, and how many groups they take.
  std::size_t n_samples_ = 0, n_blocks_ = 0, n_active_ = 0;
  BlockRange own_;
  bool is_shared_ = false;
  // Whether a block adds to each weight's gradient once; samples that share a learned start do not, nor do
  // networks that run over the data or the solution too, and then the block's own sum is made first.
  bool adds_once_ = true;
  OrderedSums<T> sums_;
  std::vector<double> block_spreads_;  // gradients, [block][observed]
  std::vector<double> exchanged_;
  std::vector<std::size_t> begins_;
  bool weighs_windows_;
  std::vector<double> losses_, loss_weights_, squared_errors_, n_compared_, term_sums_, evaluation_weights_,
      data_weights_, stopped_at_;
  std::vector<Outcome> outcomes_;
  std::vector<T> theta_;
};

template <class T>
template <class F>
void Engine<T>::for_groups(F&& f) {
  if (n_active_ == 1) return f(0);
  pool_->run(n_active_, std::ref(f));
}

template <class T>
template <class F>
void Engine<T>::for_own_blocks(F&& f) {
  if (own_.is_empty()) return;
  std::size_t which = own_.first;
  for (std::size_t g = 0; g < n_active_; ++g)
    for (std::size_t b = 0; b < groups_[g]->n_active_blocks(); ++b) f(groups_[g]->block(b), which++);
}

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace greybox
