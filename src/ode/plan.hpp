// Which steps each sample takes: made once, then followed by forward and backward.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace greybox {

enum class Outcome : std::uint8_t { finished, diverged, too_many_steps };

// The times at which a batch starts and has outputs, as the caller holds them.
template <class T>
struct SampleTimes {
  std::size_t n_samples;
  std::size_t n_intervals;
  const T* times;  // times[k * stride + i]: time k of sample i
  std::size_t stride;
  const std::size_t* counts;  // per sample, at least 1

  // A sample with fewer times than the others stays at its last one.
  T at(std::size_t k, std::size_t sample) const {
    return times[std::min(k, counts[sample] - 1) * stride + sample];
  }
};

// How far each sample came.
template <class T>
struct Endings {
  std::vector<Outcome> outcomes;
  std::vector<T> stopped_at;             // the last time when finished
  std::vector<std::size_t> n_completed;  // intervals with a valid output
};

// Interval k takes as many steps as its busiest sample; a sample that needs fewer ends with steps of size 0.
template <class T>
class Plan {
 public:
  explicit Plan(std::size_t capacity);

  // A plan is made interval by interval: steps of each sample in order, then end_interval.
  void begin(const SampleTimes<T>& times);
  void add_step(std::size_t sample, T start, T size);
  // The sample takes no steps in this interval nor later.
  void give_up(std::size_t sample, Outcome outcome, T time);
  void end_interval();

  std::size_t n_samples() const { return n_taken_.size(); }
  std::size_t n_intervals() const { return first_steps_.size() - 1; }
  std::size_t n_steps() const { return first_steps_.back(); }
  std::size_t first_step(std::size_t interval) const {
    return first_steps_[interval];
  }  // of n_intervals: the end
  const T* starts(std::size_t step) const { return starts_.data() + step * capacity_; }  // per sample
  const T* sizes(std::size_t step) const { return sizes_.data() + step * capacity_; }
  const Endings<T>& endings() const { return endings_; }

 private:
  std::size_t capacity_;
  SampleTimes<T> times_{};  // the caller's, read only while the plan is made
  std::vector<std::size_t> first_steps_;
  std::vector<T> starts_, sizes_;
  std::vector<std::size_t> n_taken_;  // steps in the open interval, per sample
  Endings<T> endings_;
};

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace greybox
