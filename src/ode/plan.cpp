// Rows of steps, filled sample by sample and padded with steps of size zero.
#include "ode/plan.hpp"

#include <fmt/format.h>

#include "ode/step_memory.hpp"

namespace greybox {
namespace {

// Starts and sizes, as vectors that grow to twice what they hold, while other plans are made at the same
// time.
constexpr double kPartOfMemory = 16;

}  // namespace

template <class T>
Plan<T>::Plan(std::size_t capacity) : capacity_(capacity), first_steps_{0} {
  n_taken_.reserve(capacity);
  endings_.outcomes.reserve(capacity);
  endings_.stopped_at.reserve(capacity);
  endings_.n_completed.reserve(capacity);
}

template <class T>
void Plan<T>::begin(const SampleTimes<T>& times) {
  times_ = times;
  first_steps_.assign(1, 0);
  starts_.clear();
  sizes_.clear();
  n_taken_.assign(times.n_samples, 0);
  endings_.outcomes.assign(times.n_samples, Outcome::finished);
  endings_.n_completed.assign(times.n_samples, times.n_intervals);
  endings_.stopped_at.resize(times.n_samples);
  for (std::size_t i = 0; i < times.n_samples; ++i) endings_.stopped_at[i] = times.at(times.n_intervals, i);
}

template <class T>
void Plan<T>::add_step(std::size_t sample, T start, T size) {
  const std::size_t step = n_steps() + n_taken_[sample]++;
  if (step * capacity_ == sizes_.size()) {
    require_memory(
        kPartOfMemory * static_cast<double>(starts_.size()) * sizeof(T),
        [&] { return fmt::format("a solver that takes {} steps", step); }, kFewerSteps);
    starts_.resize(starts_.size() + capacity_);
    sizes_.resize(sizes_.size() + capacity_);
  }
  starts_[step * capacity_ + sample] = start;
  sizes_[step * capacity_ + sample] = size;
}

template <class T>
void Plan<T>::give_up(std::size_t sample, Outcome outcome, T time) {
  n_taken_[sample] = 0;
  endings_.outcomes[sample] = outcome;
  endings_.stopped_at[sample] = time;
  endings_.n_completed[sample] = n_intervals();
}

template <class T>
void Plan<T>::end_interval() {
  const std::size_t first = n_steps(), interval = n_intervals();
  std::size_t end = first;
  for (const std::size_t n : n_taken_) end = std::max(end, first + n);
  for (std::size_t i = 0; i < n_samples(); ++i) {
    for (std::size_t step = first + n_taken_[i]; step < end; ++step) {
      starts_[step * capacity_ + i] = times_.at(interval + 1, i);
      sizes_[step * capacity_ + i] = T{0};
    }
    n_taken_[i] = 0;
  }
  // A sample that was given up may have left rows that nobody needs.
  starts_.resize(end * capacity_);
  sizes_.resize(end * capacity_);
  first_steps_.push_back(end);
}

template class Plan<float>;
template class Plan<double>;

}  // namespace greybox
