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
      draws_(model.draws.size() * stride_),
      generated_(stride_),
      learned_starts_(model.starts.size() * model.start_width() * stride_),
      start_time_(stride_),
      times_(n_times * capacity),
      time_(stride_),
      start_slots_(model.starts.size() * capacity),
      first_rows_(capacity),
      rows_(capacity),
      n_times_of_(capacity),
      series_of_(capacity),
      is_signal_(model.input_columns.size()) {
  for (const ModelColumn& wanted : model.columns) {
    column_strides_.push_back(padded<T>(capacity * model.points(wanted.shape)));
    columns_.emplace_back(n_times * column_strides_.back());
  }
  for (const std::size_t column : model.input_columns) inputs_.emplace_back(column_strides_[column]);
  centre_draws();
}

template <class T>
void SampleData<T>::load(const Samples<T>& samples, std::size_t first, std::size_t n) {
  first_sample_ = first;
  n_samples_ = n;
  misses_values_ = samples.data->misses_values;
  if (signals_ != samples.data->signals) take_signals_of(*samples.data);
  clock_ = &samples.data->table->time;
  found_interval_ = kNoInterval;
  if (!samples.theta.empty()) load_theta(samples);
  load_draws(samples);
  find_windows(samples);
  find_start_slots(samples);
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
void SampleData<T>::centre_draws() {
  for (std::size_t d = 0; d < model_->draws.size(); ++d)
    std::fill_n(draw(d), stride_, static_cast<T>(centre_of(model_->draws[d])));
}

template <class T>
void SampleData<T>::load_draws(const Samples<T>& samples) {
  generated_.fill(samples.is_generated ? 1 : 0);
  if (samples.draws.empty()) return centre_draws();
  const std::size_t n_draws = model_->draws.size();
  for (std::size_t d = 0; d < n_draws; ++d)
    for (std::size_t i = 0; i < n_samples_; ++i)
      draw(d)[i] = samples.draws[(first_sample_ + i) * n_draws + d];
}

template <class T>
void SampleData<T>::find_start_slots(const Samples<T>& samples) {
  for (std::size_t which = 0; which < model_->starts.size(); ++which)
    for (std::size_t i = 0; i < n_samples_; ++i)
      start_slots_[which * capacity_ + i] =
          samples.data->start_slots[which][samples.windows[first_sample_ + i]];
}

template <class T>
void SampleData<T>::take_starts(const NetworkSet<T>& networks) {
  const std::size_t width = model_->start_width();
  for (std::size_t which = 0; which < model_->starts.size(); ++which)
    for (std::size_t i = 0; i < n_samples_; ++i) {
      const T* numbers = networks.start(which, start_slot(which, i));
      for (std::size_t k = 0; k < width; ++k)
        learned_start(which, k)[i] = numbers != nullptr ? numbers[k] : T{0};
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
    series_of_[i] = window.series;
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
      T* at = to + i * points;
      values.for_each(rows_[i] * points, points, [&](auto value) { *at++ = static_cast<T>(value); });
    }
  };
  std::visit(copy, source.values);
}

template class SampleData<float>;
template class SampleData<double>;

}  // namespace greybox
