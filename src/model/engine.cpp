#include "model/engine.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/denormals.hpp"
#include "core/memory_limit.hpp"

namespace greybox {
namespace {

// ODE models are worked on 28 samples at a time, two of the tallest tiles of the products; fields so that a
// block has about a thousand grid points: enough to fill vectors and to share out over cores, and never
// depending on how many cores there are. Algebraic models do so little per sample that larger blocks pay.
std::size_t samples_per_block(const BoundModel& model) {
  const bool has_fields = std::any_of(model.states.begin(), model.states.end(),
                                      [](const BoundState& s) { return s.shape == Shape::field; });
  if (has_fields) return std::clamp<std::size_t>(1024 / model.grid().points(), 1, 32);
  return model.is_algebraic() ? 256 : 28;
}

// Evaluations along the longest window; a guess of four steps per interval for adaptive methods.
double expected_evaluations(const BoundModel& model, const WindowData& data) {
  const IntegratorOptions& solver = model.spec->solver.options;
  if (model.is_algebraic()) return 1;
  double most = 0;
  for (const Window& window : data.windows) {
    const std::vector<double>& time = data.table->time;
    const double span = time[window.first_row + window.n_rows - 1] - time[window.first_row];
    const auto intervals = static_cast<double>(window.n_rows - 1);
    const double steps = solver.tableau->is_adaptive() ? 4 * intervals
                         : solver.step > 0             ? std::max(intervals, span / solver.step)
                                                       : intervals;
    most = std::max(most, steps);
  }
  const double of_data = model.has_data_terms() ? static_cast<double>(data.longest()) : 0;
  return most * static_cast<double>(solver.tableau->n_stages()) + of_data;
}

// Values that one kept evaluation of a sample takes: activations of networks, and the state.
struct KeptValues {
  std::size_t of_networks = 0, of_states = 0;
};

KeptValues kept_values(const BoundModel& model) {
  KeptValues kept;
  for (const BoundNetwork& network : model.networks)
    if (network.rate == Rate::evaluation)
      kept.of_networks += network.spec->kind->kept_values(network_config(model, network));
  for (const BoundState& state : model.states) kept.of_states += model.points(state.shape);
  return kept;
}

std::size_t n_ranks(Communicator* others) {
  return others != nullptr ? others->size() : 1;
}

// Of the memory that may be taken.
constexpr std::size_t kKeptPart = 4;

}  // namespace

template <class T>
Engine<T>::Engine(std::shared_ptr<const ExecutionPlan> plan, const WindowData& data, ThreadPool& pool,
                  const EngineOptions& options)
    : plan_(std::move(plan)),
      pool_(&pool),
      others_(pool.others()),
      options_(options),
      n_times_(std::max<std::size_t>(data.longest(), 1)),
      block_capacity_(std::min(samples_per_block(plan_->model()), options.capacity)),
      networks_(std::make_unique<NetworkSet<T>>(plan_->model())),
      spreads_(std::make_unique<std::vector<double>>()),
      adds_once_(model().starts.empty() && !model().has_data_terms() && !model().reads_solution()),
      sums_(others_, options.is_differentiable && (others_ != nullptr || !adds_once_) ? n_weights() : 0,
            (options.capacity + block_capacity_ - 1) / block_capacity_),
      begins_(n_ranks(others_) + 1),
      weighs_windows_(model().spec->train.weigh == LossWeighting::windows) {
  set_flush_to_zero();
  const std::size_t n_blocks = (options.capacity + block_capacity_ - 1) / block_capacity_;
  GroupOptions group{.n_blocks = 1,
                     .block_capacity = block_capacity_,
                     .n_times = n_times_,
                     .n_per_interval = options.n_per_interval,
                     .pool = nullptr,
                     .spreads = spreads_.get()};
  const KeptValues kept = kept_values(model());
  const auto n_bytes = [&](std::size_t values) {
    return static_cast<double>(values * sizeof(T) * options.capacity);
  };
  const auto limit = static_cast<double>(std::min(options.memory_limit, memory_limit() / kKeptPart));
  if (options.is_differentiable)
    group.keep = expected_evaluations(model(), data) * n_bytes(kept.of_networks) > limit ? Keep::step_states
                                                                                         : Keep::everything;
  if (group.keep == Keep::everything) group.n_data_slots = n_times_;
  // Methods that choose their steps may take far more than expected.
  if (!model().is_algebraic() && model().spec->solver.options.tableau->is_adaptive())
    group.most_slots = static_cast<std::size_t>(limit / n_bytes(kept.of_networks + kept.of_states));
  for (const Observed& observed : model().observed)
    spreads_->push_back(observed.noise ? observed.noise->spread : 1);
  make_groups(group, n_blocks);
  block_spreads_.resize(n_blocks * spreads_->size());
  const std::size_t capacity = options.capacity;
  for (std::vector<double>* results : {&losses_, &loss_weights_, &squared_errors_, &n_compared_,
                                       &evaluation_weights_, &data_weights_, &stopped_at_})
    results->resize(capacity);
  term_sums_.resize(capacity * model().terms.size());
  outcomes_.resize(capacity);
  theta_.resize(capacity * model().spec->parameters.size());
}

// A shared engine that keeps its blocks for the way back has memory for its own alone.
template <class T>
void Engine<T>::make_groups(const GroupOptions& options, std::size_t n_blocks) {
  GroupOptions group = options;
  const std::size_t n_processes = options_.is_differentiable ? n_ranks(others_) : 1;
  const std::size_t n_own = (n_blocks + n_processes - 1) / n_processes;
  std::size_t n_groups = 1;
  if (is_coupled()) {
    group.n_blocks = n_own;
    group.pool = pool_;
  } else {
    // Without a way back a block leaves only its sums: one group per thread serves them all, from the cache.
    n_groups = group.n_groups = options_.is_differentiable ? n_own : std::min(n_own, pool_->n_threads());
  }
  for (std::size_t g = 0; g < n_groups; ++g)
    groups_.push_back(std::make_unique<Group<T>>(*plan_, *networks_, group));
}

// A process without blocks of its own goes along with the last one, where others wait for it.
template <class T>
BatchPart Engine<T>::part_of(std::size_t g) const {
  if (!is_coupled()) return {n_blocks_, {own_.first + g, own_.first + g + 1}, nullptr};
  if (n_blocks_ == 0) return {};
  const BlockRange blocks = own_.is_empty() ? BlockRange{n_blocks_ - 1, n_blocks_} : own_;
  return {n_blocks_, blocks, is_shared_ ? others_ : nullptr};
}

template <class T>
void Engine<T>::set_weights(std::span<const T> weights) {
  require(weights.size() == n_weights(), "Engine::set_weights takes one number per weight of the model");
  networks_->set_weights(weights);
}

template <class T>
void Engine<T>::set_noise(std::span<const double> spreads) {
  require(spreads.size() == spreads_->size(), "Engine::set_noise takes one number per observed variable");
  std::ranges::copy(spreads, spreads_->begin());
}

template <class T>
void Engine<T>::check(const Samples<T>& samples, bool is_shared) const {
  require(is_shared || others_ == nullptr || !options_.is_differentiable,
          "trajectories are asked of an engine that has a part of the batch's blocks only");
  require(samples.data != nullptr, "the samples of Engine name no data");
  require(samples.windows.size() <= options_.capacity, "the batch has more samples than Engine's capacity");
  const std::size_t n_windows = samples.data->windows.size();
  require(std::ranges::all_of(samples.windows, [&](std::size_t window) { return window < n_windows; }),
          "a sample of the batch is of a window that the data do not have");
  if (samples.theta.empty())
    require(plan_->estimator().has_value() || model().spec->parameters.empty(),
            "the samples have no θ, and the model has no estimator");
  else
    require(samples.theta.size() == samples.windows.size() * model().spec->parameters.size(),
            "θ of the samples has another size than samples × parameters");
  require(samples.draws.empty() || samples.draws.size() == samples.windows.size() * model().draws.size(),
          "the draws of the samples have another size than samples × draws");
}

template <class T>
void Engine<T>::forward(const Samples<T>& samples, Trajectories<T>* trajectories) {
  is_shared_ = others_ != nullptr && trajectories == nullptr;
  check(samples, is_shared_);
  n_samples_ = samples.windows.size();
  n_blocks_ = (n_samples_ + block_capacity_ - 1) / block_capacity_;
  own_ = is_shared_ ? share_of(others_->rank(), others_->size(), n_blocks_) : BlockRange{0, n_blocks_};
  n_active_ = is_coupled() ? 1 : own_.size();
  std::ranges::copy(samples.theta, theta_.begin());
  run_pieces(samples, trajectories);
  if (is_shared_) exchange_results(leaves_theta_to_estimator(*plan_, samples));
}

template <class T>
void Engine<T>::run_pieces(const Samples<T>& samples, Trajectories<T>* trajectories) {
  const auto piece = [&](Group<T>& group, std::size_t which) {
    const BatchPart part = part_of(which);
    group.forward(samples, part, trajectories);
    if (!own_.is_empty() || n_blocks_ == 0)
      collect(group, part.first_sample(n_samples_), leaves_theta_to_estimator(*plan_, samples));
  };
  if (n_active_ <= groups_.size()) return for_groups([&](std::size_t g) { piece(*groups_[g], g); });
  std::atomic<std::size_t> next = 0;
  const auto pieces = [&](std::size_t g) {
    for (std::size_t which = next++; which < n_active_; which = next++) piece(*groups_[g], which);
  };
  pool_->run(groups_.size(), std::ref(pieces));
}

// Array by array: what is computed per sample is little enough for this to count.
template <class T>
void Engine<T>::collect(const Group<T>& group, std::size_t first, bool estimates_theta) {
  for (std::size_t b = 0; b < group.n_active_blocks(); ++b) {
    collect(group.block(b));
    if (estimates_theta) collect_theta(group.block(b));
  }
  group.copy_outcomes(outcomes_.data() + first, evaluation_weights_.data() + first,
                      stopped_at_.data() + first);
}

template <class T>
void Engine<T>::collect(const SampleBlock<T>& block) {
  const std::size_t first = block.first_sample(), n = block.n_samples();
  std::copy_n(block.losses(), n, losses_.data() + first);
  std::copy_n(block.squared_errors(), n, squared_errors_.data() + first);
  std::copy_n(block.n_compared(), n, n_compared_.data() + first);
  for (std::size_t i = first; weighs_windows_ && i < first + n; ++i) {
    loss_weights_[i] = n_compared_[i] > 0 ? 1 : 0;
    if (n_compared_[i] > 0) losses_[i] /= n_compared_[i];
  }
  if (plan_->data()) std::copy_n(block.n_measured(), n, data_weights_.data() + first);
  for (std::size_t m = 0; m < model().terms.size(); ++m)
    std::copy_n(block.term_sums(m), n, term_sums_.data() + m * options_.capacity + first);
}

template <class T>
void Engine<T>::collect_theta(const SampleBlock<T>& block) {
  const std::size_t n_parameters = model().spec->parameters.size();
  for (std::size_t p = 0; p < n_parameters; ++p) {
    const T* values = block.data().theta(p);
    T* theta = theta_.data() + block.first_sample() * n_parameters + p;
    for (std::size_t i = 0; i < block.n_samples(); ++i) theta[i * n_parameters] = values[i];
  }
}

template <class T>
std::span<const double> Engine<T>::term_weights(std::size_t term) const {
  require(term < model().terms.size(), "Engine::term_weights is asked for a term that the model lacks");
  const bool is_over_data = model().terms[term].over == MeanOver::data;
  return {is_over_data ? data_weights_.data() : evaluation_weights_.data(), n_samples_};
}

template class Engine<float>;
template class Engine<double>;

}  // namespace greybox
