// The data that one block of samples works on: parameters, columns of its windows, times, and inputs at a
// given time.
#pragma once

#include <vector>

#include "core/aligned_buffer.hpp"
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
  T* start_time() { return start_time_.data(); }
  const T* snapshot_times(std::size_t snapshot) const { return times_.data() + snapshot * capacity_; }
  std::size_t n_times(std::size_t sample) const { return n_times_of_[sample]; }
  std::size_t shortest() const { return shortest_; }  // snapshots that all windows have
  bool misses_values() const { return misses_values_; }

  // The present: time since the window's start, and the exogenous inputs at that time.
  T* time() { return time_.data(); }
  T* input(std::size_t which) { return inputs_.data() + which * stride_; }
  // Moves the present to the given times, which lie in the interval after snapshot `interval`.
  void move_to(std::size_t interval, const T* times);

 private:
  void load_theta(const Samples<T>& samples);
  void find_windows(const Samples<T>& samples);
  void find_rows(std::size_t snapshot);
  void load_times(std::size_t snapshot, const std::vector<double>& clock);
  void load_column(const Column& source, T* to) const;

  const BoundModel* model_;
  std::size_t capacity_, n_times_, stride_;
  std::size_t n_samples_ = 0, first_sample_ = 0, shortest_ = 0;
  bool misses_values_ = false;
  AlignedBuffer<T> theta_, start_time_, times_, time_, inputs_;
  std::vector<std::size_t> first_rows_, rows_, n_times_of_;  // rows of the snapshot that is being loaded
  std::vector<AlignedBuffer<T>> columns_;                    // [snapshot][sample, point]
  std::vector<std::size_t> column_strides_;
};

extern template class SampleData<float>;
extern template class SampleData<double>;

}  // namespace greybox
