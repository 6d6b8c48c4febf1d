// The intervals that a group of samples is integrated over: from output to output, which are the snapshots
// and may be times between them, cut where an input of a sample jumps or bends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "ode/integrator.hpp"

namespace greybox {

// Times count from the window's first snapshot.
template <class T>
struct TimedJump {
  T time;
  std::size_t state;
  T amount;
};

// Between two outputs all samples have as many intervals as the one with the most cuts; those with fewer
// end with intervals of no length.
template <class T>
class Intervals {
 public:
  // `n_per_snapshot`: outputs from one snapshot to the next, in equal distances.
  Intervals(std::size_t capacity, std::size_t n_snapshots, std::size_t n_per_snapshot = 1);

  // Of uncut samples: all that is needed where no sample is cut.
  void begin(std::size_t n_samples);
  void set_sample(std::size_t sample, const T* times, std::size_t stride, std::size_t n_times);
  // Cuts in the order of time; each jump's time is among them.
  void add_cuts(std::size_t sample, std::span<const T> cuts, std::span<const TimedJump<T>> jumps);
  // After all samples. `step`: the largest one of a method with fixed steps, 0 for one from output to
  // output, negative for a method that chooses its steps.
  void finish(double step);

  // Null where nothing is cut.
  const CutIntervals<T>* cuts() const { return is_cut_ ? &cut_intervals_ : nullptr; }
  const T* times() const { return is_cut_ ? cut_times_.data() : times_.data(); }
  const std::size_t* counts() const { return is_cut_ ? cut_counts_.data() : counts_.data(); }
  // Of all samples; output 0 is the first snapshot.
  const T* output_times(std::size_t output) const { return times_.data() + output * capacity_; }
  // The snapshot that the interval follows.
  std::size_t snapshot(std::size_t interval) const {
    return (is_cut_ ? output_of_[interval] : interval) / n_per_snapshot_;
  }
  // Of the interval's sample: its two ends.
  T start(std::size_t interval, std::size_t sample) const { return time(interval, sample); }
  T end(std::size_t interval, std::size_t sample) const { return time(interval + 1, sample); }

  // f(sample, state, amount) for every jump at the interval's start.
  template <class F>
  void for_jumps(std::size_t interval, F&& f) const {
    if (jumps_.empty()) return;
    for (std::size_t j = first_jumps_[interval]; j < first_jumps_[interval + 1]; ++j)
      f(jumps_[j].sample, jumps_[j].state, jumps_[j].amount);
  }

 private:
  // A cut, or a jump at one, of a sample after output `output`.
  struct Cut {
    std::size_t output, sample;
    T time;
  };
  struct Jump {
    std::size_t output, sample;
    T time;
    std::size_t state;
    T amount;
    std::size_t interval;
  };

  T time(std::size_t k, std::size_t sample) const {
    const std::size_t* counts = this->counts();
    return times()[std::min(k, counts[sample] - 1) * capacity_ + sample];
  }
  T output_time(std::size_t k, std::size_t sample) const {
    return times_[std::min(k, counts_[sample] - 1) * capacity_ + sample];
  }
  std::size_t output_before(std::size_t sample, T time) const;
  void count_cuts();
  void lay_out();
  void place_jumps();
  void set_units(double step);

  std::size_t capacity_, n_snapshots_, n_per_snapshot_, n_times_, n_samples_ = 0;
  bool is_cut_ = false;
  AlignedBuffer<T> times_;
  std::vector<std::size_t> counts_, cut_counts_;
  std::vector<Cut> cuts_;
  std::vector<Jump> jumps_;
  // Per output: the first of its intervals; per interval: the first of its jumps.
  std::vector<std::size_t> first_intervals_, first_jumps_, output_of_;
  std::vector<std::uint8_t> ends_at_output_;
  std::vector<T> cut_times_, unit_sizes_;
  CutIntervals<T> cut_intervals_;
};

extern template class Intervals<float>;
extern template class Intervals<double>;

}  // namespace greybox
