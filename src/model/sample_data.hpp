// The data that one block of samples works on: parameters, columns of its windows, times, and inputs at a
// given time.
#pragma once

#include <algorithm>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "model/intervals.hpp"
#include "model/network_set.hpp"
#include "model/samples.hpp"

namespace greybox {

template <class T>
class SampleData {
 public:
  SampleData(const BoundModel& model, std::size_t capacity, std::size_t n_times);

  // Copies the data of samples [first, first + n) of the batch.
  void load(const Samples<T>& samples, std::size_t first, std::size_t n);
  std::size_t n_samples() const { return n_samples_; }
  std::size_t first_sample() const { return first_sample_; }

  T* theta(std::size_t parameter) { return theta_.data() + parameter * stride_; }
  const T* theta(std::size_t parameter) const { return theta_.data() + parameter * stride_; }
  T* column(std::size_t which, std::size_t snapshot) {
    return columns_[which].data() + snapshot * column_strides_[which];
  }
  const T* column(std::size_t which, std::size_t snapshot) const {
    return columns_[which].data() + snapshot * column_strides_[which];
  }
  // The numbers of learned starts: of each, the constant and the slopes.
  T* learned_start(std::size_t which, std::size_t position) {
    return learned_starts_.data() + (which * model_->start_width() + position) * stride_;
  }
  // Which row of numbers of a learned start is the sample's own.
  std::size_t start_slot(std::size_t which, std::size_t sample) const {
    return start_slots_[which * capacity_ + sample];
  }
  // Takes them from the weights; 0, in the middle of their priors, where the model was settled without the
  // sample's row.
  void take_starts(const NetworkSet<T>& networks);
  T* draw(std::size_t which) { return draws_.data() + which * stride_; }
  T* generated() { return generated_.data(); }
  T* start_time() { return start_time_.data(); }
  const T* snapshot_times(std::size_t snapshot) const { return times_.data() + snapshot * capacity_; }
  std::size_t n_times(std::size_t sample) const { return n_times_of_[sample]; }
  std::size_t shortest() const { return shortest_; }  // snapshots that all windows have
  std::size_t longest() const {
    return *std::max_element(n_times_of_.begin(), n_times_of_.begin() + n_samples_);
  }
  bool misses_values() const { return misses_values_; }

  // The present: time since the window's start, and the exogenous inputs at that time.
  T* time() { return time_.data(); }
  T* input(std::size_t which) { return inputs_[which].data(); }
  // Moves the present to the given times, which lie in an interval of the group that this is part of, or
  // without one in that after snapshot `interval`.
  void move_to(std::size_t interval, const T* times);
  // To the times of a snapshot, with inputs that step there behind their steps.
  void move_to_snapshot(std::size_t snapshot);
  // To times between this snapshot and the next.
  void move_between(std::size_t snapshot, const T* times);
  // The intervals of the group, where the samples stand at `offset`; null for none.
  void march_in(const Intervals<T>* intervals, std::size_t offset);
  // Where steps must end and where states jump, for all samples.
  void add_cuts(Intervals<T>& intervals, std::size_t offset);

 private:
  static constexpr std::size_t kNoInterval = static_cast<std::size_t>(-1);

  void load_theta(const Samples<T>& samples);
  void load_draws(const Samples<T>& samples);
  void centre_draws();
  void find_start_slots(const Samples<T>& samples);
  void find_windows(const Samples<T>& samples);
  void find_rows(std::size_t snapshot);
  void load_times(std::size_t snapshot, const std::vector<double>& clock);
  void load_column(const Column& source, T* to) const;
  void take_signals_of(const WindowData& data);
  void take_row_inputs(std::size_t snapshot, const T* times);
  void take_signals(const T* times);
  template <class F>
  void find_pieces(F&& piece_of);
  bool is_signal(std::size_t input) const { return is_signal_[input] != 0; }

  const BoundModel* model_;
  std::size_t capacity_, n_times_, stride_;
  std::size_t n_samples_ = 0, first_sample_ = 0, shortest_ = 0;
  bool misses_values_ = false;
  AlignedBuffer<T> theta_, draws_, generated_, learned_starts_, start_time_, times_, time_;
  std::vector<AlignedBuffer<T>> inputs_;  // [sample, point]
  std::vector<std::size_t> start_slots_;
  std::vector<std::size_t> first_rows_, rows_, n_times_of_;  // rows of the snapshot that is being loaded
  // Inputs at times of their own: what they are now, per signal and sample, with times since the window's
  // start; and the interval for which that was found.
  std::shared_ptr<const InputSignals> signals_;
  const std::vector<double>* clock_ = nullptr;
  const Intervals<T>* intervals_ = nullptr;
  std::size_t group_offset_ = 0, found_interval_ = kNoInterval;
  std::vector<SignalPiece> pieces_;
  std::vector<std::size_t> series_of_;
  std::vector<std::uint8_t> is_signal_;
  std::vector<T> cuts_;
  std::vector<TimedJump<T>> jumps_;
  std::vector<AlignedBuffer<T>> columns_;  // [snapshot][sample, point]
  std::vector<std::size_t> column_strides_;
};

extern template class SampleData<float>;
extern template class SampleData<double>;

}  // namespace greybox
