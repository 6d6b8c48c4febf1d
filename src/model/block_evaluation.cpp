// A block's part in evaluations of the right-hand side and in what is observed, with the gradients of both.
#include <algorithm>

#include "model/block.hpp"

namespace greybox {
namespace {

// Samples of a block lie side by side inside a component of the group's state.
template <class T>
struct Slice {
  T* begin;
  std::size_t size;
};

template <class T>
Slice<T> slice(const StateLayout& layout, std::size_t component, T* state, std::size_t offset, std::size_t n) {
  const std::size_t width = layout.width(component);
  return {state + layout.offset(component) + offset * width, n * width};
}

}  // namespace

template <class T>
void Block<T>::start() {
  evaluation_.begin(n_samples_);
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (plan_->model().terms[m].rate == Rate::evaluation) continue;
    const T* value = sample_.value(plan_->term(m));
    for (std::size_t i = 0; i < n_samples_; ++i) term_sums_[m * capacity_ + i] = static_cast<double>(value[i]);
  }
}

template <class T>
void Block<T>::ensure_slots(std::size_t n_slots) {
  if (evaluation_.ensure_slots(n_slots)) evaluation_.begin(n_samples_);  // new tapes do not know the static inputs yet
}

template <class T>
void Block<T>::copy_initial(const StateLayout& layout, T* state) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto to = slice(layout, c, state, group_offset_, n_samples_);
    std::copy_n(sample_.value(plan_->initial(c)), to.size, to.begin);
  }
}

template <class T>
void Block<T>::read_state(const StateLayout& layout, const T* state) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto from = slice(layout, c, state, group_offset_, n_samples_);
    std::copy_n(from.begin, from.size, state_[c].data());
  }
}

// Linear between the snapshots at both ends of the interval.
template <class T>
void Block<T>::interpolate_inputs(std::size_t interval) {
  const std::vector<std::size_t>& columns = plan_->model().input_columns;
  const std::size_t next = std::min(interval + 1, n_times_ - 1);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const T* before = column(columns[j], interval);
    const T* after = column(columns[j], next);
    T* input = inputs_.data() + j * stride_;
    for (std::size_t i = 0; i < n_samples_; ++i) {
      const T start = times_[interval * capacity_ + i], length = times_[next * capacity_ + i] - start;
      const T share = length > 0 ? (time_[i] - start) / length : T{0};
      input[i] = before[i] + share * (after[i] - before[i]);
    }
  }
}

template <class T>
void Block<T>::enter(const EvaluationPoint<T>& at, const StateLayout& layout, const T* state) {
  if (state != nullptr) {
    read_state(layout, state);
    std::copy_n(at.time + group_offset_, n_samples_, time_.data());
  }
  interpolate_inputs(at.interval);
  evaluation_.select(at.slot);
}

template <class T>
void Block<T>::copy_derivative(const StateLayout& layout, T* derivative) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto to = slice(layout, c, derivative, group_offset_, n_samples_);
    std::copy_n(evaluation_.value(plan_->derivative(c)), to.size, to.begin);
  }
}

template <class T>
void Block<T>::add_terms(const EvaluationPoint<T>& at) {
  const T* weight = at.weight + group_offset_;
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (plan_->model().terms[m].rate != Rate::evaluation) continue;
    const T* value = evaluation_.value(plan_->term(m));
    double* sums = term_sums_.data() + m * capacity_;
    for (std::size_t i = 0; i < n_samples_; ++i)
      if (weight[i] != 0) sums[i] += static_cast<double>(weight[i]) * static_cast<double>(value[i]);
  }
}

template <class T>
void Block<T>::seed_evaluation(const EvaluationPoint<T>& at, const StateLayout& layout, const T* grad_derivative,
                               const Seeds<T>& seeds) {
  evaluation_.clear_gradients(n_samples_);
  for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto from = slice(layout, c, grad_derivative, group_offset_, n_samples_);
    T* gradient = evaluation_.gradient(plan_->derivative(c));
    if (gradient == nullptr) continue;
    for (std::size_t i = 0; i < from.size; ++i) gradient[i] += from.begin[i];
  }
  const T* weight = at.weight + group_offset_;
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    T* gradient = evaluation_.gradient(plan_->term(m));
    if (plan_->model().terms[m].rate != Rate::evaluation || gradient == nullptr) continue;
    const T* seed = seeds.terms[m] + first_sample_;
    for (std::size_t i = 0; i < n_samples_; ++i) gradient[i] += weight[i] * seed[i];
  }
}

template <class T>
void Block<T>::copy_state_gradient(const StateLayout& layout, T* grad_state) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto to = slice(layout, c, grad_state, group_offset_, n_samples_);
    std::copy_n(grad_state_[c].data(), to.size, to.begin);
  }
}

template <class T>
const T* Block<T>::target(std::size_t which, std::size_t snapshot) const {
  return column(plan_->model().observed[which].column, snapshot);
}

template <class T>
void Block<T>::observe(std::size_t snapshot, const StateLayout& layout, const T* state) {
  read_state(layout, state);
  std::copy_n(times_.data() + snapshot * capacity_, n_samples_, time_.data());
  interpolate_inputs(snapshot);
  output_.recompute(n_samples_);
  for (std::size_t o = 0; o < plan_->model().observed.size(); ++o) {
    const std::size_t points = plan_->model().points(plan_->output().program().shape(plan_->output().root(o)));
    const T *predicted = observed(o), *measured = target(o, snapshot);
    for (std::size_t i = 0; i < n_samples_; ++i) {
      if (!is_compared(snapshot, i)) continue;
      double sum = 0;
      for (std::size_t p = i * points; p < (i + 1) * points; ++p) {
        const auto residual = static_cast<double>(predicted[p] - measured[p]);
        sum += residual * residual;
      }
      squared_error_[i] += sum;
      n_compared_[i] += static_cast<double>(points);
    }
  }
}

template <class T>
void Block<T>::observe_backward(std::size_t snapshot, const StateLayout& layout, const T* state,
                                const Seeds<T>& seeds, T* grad_state) {
  read_state(layout, state);
  std::copy_n(times_.data() + snapshot * capacity_, n_samples_, time_.data());
  interpolate_inputs(snapshot);
  output_.recompute(n_samples_);
  output_.clear_gradients(n_samples_);
  for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
  for (std::size_t o = 0; o < plan_->model().observed.size(); ++o) {
    const RegisterId root = plan_->output().root(o);
    const std::size_t points = plan_->model().points(plan_->output().program().shape(root));
    const T *predicted = observed(o), *measured = target(o, snapshot);
    T* gradient = output_.gradient(root);
    if (gradient == nullptr) continue;
    for (std::size_t i = 0; i < n_samples_; ++i) {
      if (!is_compared(snapshot, i)) continue;
      const T seed = 2 * seeds.squared_error[first_sample_ + i];
      for (std::size_t p = i * points; p < (i + 1) * points; ++p) gradient[p] += seed * (predicted[p] - measured[p]);
    }
  }
  const std::vector<Action>& actions = plan_->output().actions();
  for (auto action = actions.rbegin(); action != actions.rend(); ++action) output_.backward(*action, 0, n_samples_);
  copy_state_gradient(layout, grad_state);
}

template <class T>
void Block<T>::seed_sample(const StateLayout& layout, const T* grad_initial, const Seeds<T>& seeds) {
  evaluation_.end(n_samples_);
  if (!plan_->model().is_algebraic())
    for (std::size_t c = 0; c < layout.n_components(); ++c) {
      const auto from = slice(layout, c, grad_initial, group_offset_, n_samples_);
      T* gradient = sample_.gradient(plan_->initial(c));
      if (gradient == nullptr) continue;
      for (std::size_t i = 0; i < from.size; ++i) gradient[i] += from.begin[i];
    }
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    T* gradient = sample_.gradient(plan_->term(m));
    if (plan_->model().terms[m].rate == Rate::evaluation || gradient == nullptr) continue;
    for (std::size_t i = 0; i < n_samples_; ++i) gradient[i] += seeds.terms[m][first_sample_ + i];
  }
}

template <class T>
void Block<T>::seed_estimator() {
  estimator_->clear_gradients(n_samples_);
  for (std::size_t p = 0; p < plan_->model().estimator.size(); ++p) {
    T* gradient = estimator_->gradient(plan_->estimator()->root(p));
    if (gradient == nullptr) continue;
    for (std::size_t i = 0; i < n_samples_; ++i) gradient[i] += grad_theta_[p * stride_ + i];
  }
}

template class Block<float>;
template class Block<double>;

}  // namespace greybox
