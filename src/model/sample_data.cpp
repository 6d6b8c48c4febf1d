#include "model/sample_data.hpp"

#include <algorithm>

namespace greybox {

template <class T>
SampleData<T>::SampleData(const BoundModel& model, std::size_t capacity, std::size_t n_times)
    : model_(&model),
      capacity_(capacity),
      n_times_(n_times),
      stride_(padded<T>(capacity)),
      theta_(model.spec->parameters.size() * stride_),
      start_time_(stride_),
      times_(n_times * capacity),
      time_(stride_),
      inputs_(model.input_columns.size() * stride_),
      first_rows_(capacity),
      rows_(capacity),
      n_times_of_(capacity) {
  for (const ModelColumn& wanted : model.columns) {
    column_strides_.push_back(padded<T>(capacity * model.points(wanted.shape)));
    columns_.emplace_back(n_times * column_strides_.back());
  }
}

template <class T>
void SampleData<T>::load(const Samples<T>& samples, std::size_t first, std::size_t n) {
  first_sample_ = first;
  n_samples_ = n;
  misses_values_ = samples.data->misses_values;
  if (!samples.theta.empty()) load_theta(samples);
  find_windows(samples);
  for (std::size_t k = 0; k < n_times_; ++k) {
    find_rows(k);
    load_times(k, samples.data->table->time);
    for (std::size_t c = 0; c < columns_.size(); ++c) load_column(*samples.data->columns[c], column(c, k));
  }
}

template <class T>
void SampleData<T>::load_theta(const Samples<T>& samples) {
  const std::size_t n_parameters = model_->spec->parameters.size();
  for (std::size_t p = 0; p < n_parameters; ++p) {
    const T* from = samples.theta.data() + first_sample_ * n_parameters + p;
    T* to = theta(p);
    for (std::size_t i = 0, n = n_samples_; i < n; ++i) to[i] = from[i * n_parameters];
  }
}

template <class T>
void SampleData<T>::find_windows(const Samples<T>& samples) {
  const double* clock = samples.data->table->time.data();
  const Window* windows = samples.data->windows.data();
  const std::size_t* which = samples.windows.data() + first_sample_;
  shortest_ = n_times_;
  for (std::size_t i = 0, n = n_samples_; i < n; ++i) {
    const Window& window = windows[which[i]];
    first_rows_[i] = window.first_row;
    n_times_of_[i] = window.n_rows;
    start_time_[i] = static_cast<T>(clock[window.first_row]);
    shortest_ = std::min(shortest_, window.n_rows);
  }
}

// Snapshots after the window's last repeat it: they are finite and never compared with anything.
template <class T>
void SampleData<T>::find_rows(std::size_t snapshot) {
  for (std::size_t i = 0, n = n_samples_; i < n; ++i)
    rows_[i] = first_rows_[i] + std::min(snapshot, n_times_of_[i] - 1);
}

template <class T>
void SampleData<T>::load_times(std::size_t snapshot, const std::vector<double>& clock) {
  T* times = times_.data() + snapshot * capacity_;
  for (std::size_t i = 0, n = n_samples_; i < n; ++i)
    times[i] = static_cast<T>(clock[rows_[i]] - clock[first_rows_[i]]);
}

template <class T>
void SampleData<T>::load_column(const Column& source, T* to) const {
  const std::size_t points = source.points(), n = n_samples_;
  const auto copy = [&](const auto& values) {
    if (points == 1) {
      for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<T>(values[rows_[i]]);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto* from = values.data() + rows_[i] * points;
      for (std::size_t p = 0; p < points; ++p) to[i * points + p] = static_cast<T>(from[p]);
    }
  };
  std::visit(copy, source.values);
}

// Inputs are linear between the snapshots at both ends of the interval.
template <class T>
void SampleData<T>::move_to(std::size_t interval, const T* times) {
  std::copy_n(times, n_samples_, time_.data());
  const std::size_t next = std::min(interval + 1, n_times_ - 1);
  for (std::size_t j = 0; j < model_->input_columns.size(); ++j) {
    const T* before = column(model_->input_columns[j], interval);
    const T* after = column(model_->input_columns[j], next);
    for (std::size_t i = 0; i < n_samples_; ++i) {
      const T start = snapshot_times(interval)[i], length = snapshot_times(next)[i] - start;
      const T share = length > 0 ? (time_[i] - start) / length : T{0};
      input(j)[i] = before[i] + share * (after[i] - before[i]);
    }
  }
}

template class SampleData<float>;
template class SampleData<double>;

}  // namespace greybox
