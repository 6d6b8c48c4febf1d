// The exogenous inputs of a block of samples at a given time.
#include <algorithm>

#include "model/sample_data.hpp"

namespace greybox {

template <class T>
void SampleData<T>::take_signals_of(const WindowData& data) {
  signals_ = data.signals;
  std::ranges::fill(is_signal_, std::uint8_t{0});
  pieces_.clear();
  if (!signals_) return;
  for (const InputSignal& signal : signals_->signals) is_signal_[signal.input] = 1;
  pieces_.resize(signals_->signals.size() * capacity_);
}

template <class T>
void SampleData<T>::march_in(const Intervals<T>* intervals, std::size_t offset) {
  intervals_ = intervals;
  group_offset_ = offset;
  found_interval_ = kNoInterval;
}

// Inputs of rows are linear between the snapshots at both ends of the interval, or still what they were at
// the first.
template <class T>
void SampleData<T>::take_row_inputs(std::size_t snapshot, const T* times) {
  std::copy_n(times, n_samples_, time_.data());
  const std::size_t next = std::min(snapshot + 1, n_times_ - 1);
  for (std::size_t j = 0; j < model_->input_columns.size(); ++j) {
    if (is_signal(j)) continue;
    const T* before = column(model_->input_columns[j], snapshot);
    const std::size_t points = model_->points(model_->columns[model_->input_columns[j]].shape);
    if (model_->spec->signals[j].hold != Hold::linear) {
      std::copy_n(before, n_samples_ * points, input(j));
      continue;
    }
    const T* after = column(model_->input_columns[j], next);
    for (std::size_t i = 0; i < n_samples_; ++i) {
      const T start = snapshot_times(snapshot)[i], length = snapshot_times(next)[i] - start;
      const T share = length > 0 ? (time_[i] - start) / length : T{0};
      for (std::size_t p = i * points; p < (i + 1) * points; ++p)
        input(j)[p] = before[p] + share * (after[p] - before[p]);
    }
  }
}

// piece_of(track, clock time of the window's start, sample)
template <class T>
template <class F>
void SampleData<T>::find_pieces(F&& piece_of) {
  for (std::size_t j = 0; j < signals_->signals.size(); ++j)
    for (std::size_t i = 0; i < n_samples_; ++i) {
      const double start = (*clock_)[first_rows_[i]];
      SignalPiece& piece = pieces_[j * capacity_ + i];
      piece = piece_of(signals_->signals[j].track(series_of_[i]), start, i);
      piece.begin -= start;
    }
}

template <class T>
void SampleData<T>::take_signals(const T* times) {
  for (std::size_t j = 0; j < signals_->signals.size(); ++j) {
    T* to = input(signals_->signals[j].input);
    const SignalPiece* pieces = pieces_.data() + j * capacity_;
    for (std::size_t i = 0; i < n_samples_; ++i)
      to[i] = static_cast<T>(pieces[i].at(static_cast<double>(times[i])));
  }
}

// Inside an interval of the group signals are smooth, or curves that steps may reach across: what holds in
// the middle of the stretch holds at both its ends.
template <class T>
void SampleData<T>::move_to(std::size_t interval, const T* times) {
  take_row_inputs(intervals_ != nullptr ? intervals_->snapshot(interval) : interval, times);
  if (!signals_) return;
  const bool has_curves = std::ranges::any_of(
      signals_->signals, [](const InputSignal& signal) { return signal.hold == Hold::cubic; });
  if (found_interval_ != interval || has_curves || intervals_ == nullptr) {
    find_pieces([&](const SignalTrack& track, double start, std::size_t i) {
      if (intervals_ == nullptr) return track.piece(start + static_cast<double>(times[i]));
      const double from = static_cast<double>(intervals_->start(interval, group_offset_ + i)),
                   to = static_cast<double>(intervals_->end(interval, group_offset_ + i));
      return track.piece_within(start + from, start + to, start + static_cast<double>(times[i]));
    });
    found_interval_ = interval;
  }
  take_signals(times);
}

template <class T>
void SampleData<T>::move_to_snapshot(std::size_t snapshot) {
  take_row_inputs(snapshot, snapshot_times(snapshot));
  if (!signals_) return;
  find_pieces([&](const SignalTrack& track, double, std::size_t i) {
    return track.piece((*clock_)[first_rows_[i] + std::min(snapshot, n_times_of_[i] - 1)]);
  });
  found_interval_ = kNoInterval;
  take_signals(snapshot_times(snapshot));
}

template <class T>
void SampleData<T>::move_between(std::size_t snapshot, const T* times) {
  take_row_inputs(snapshot, times);
  if (!signals_) return;
  find_pieces([&](const SignalTrack& track, double start, std::size_t i) {
    return track.piece(start + static_cast<double>(times[i]));
  });
  found_interval_ = kNoInterval;
  take_signals(times);
}

template <class T>
void SampleData<T>::add_cuts(Intervals<T>& intervals, std::size_t offset) {
  if (!signals_) return;
  for (std::size_t i = 0; i < n_samples_; ++i) {
    const double start = (*clock_)[first_rows_[i]], end = (*clock_)[first_rows_[i] + n_times_of_[i] - 1];
    cuts_.clear();
    jumps_.clear();
    for (const InputSignal& signal : signals_->signals) {
      const std::vector<double>& breaks = signal.track(series_of_[i]).breaks;
      for (auto at = std::ranges::upper_bound(breaks, start); at != breaks.end() && *at < end; ++at)
        cuts_.push_back(static_cast<T>(*at - start));
    }
    for (const InputSignal& signal : signals_->boluses) {
      const std::vector<Bolus>& given = signal.track(series_of_[i]).boluses;
      for (auto at = std::ranges::lower_bound(given, start, {}, &Bolus::time);
           at != given.end() && at->time < end; ++at) {
        cuts_.push_back(static_cast<T>(at->time - start));
        jumps_.push_back({cuts_.back(), signal.into, static_cast<T>(at->amount)});
      }
    }
    std::ranges::sort(cuts_);
    intervals.add_cuts(offset + i, cuts_, jumps_);
  }
}

template void SampleData<float>::take_signals_of(const WindowData&);
template void SampleData<double>::take_signals_of(const WindowData&);
template void SampleData<float>::take_row_inputs(std::size_t, const float*);
template void SampleData<double>::take_row_inputs(std::size_t, const double*);
template void SampleData<float>::take_signals(const float*);
template void SampleData<double>::take_signals(const double*);
template void SampleData<float>::march_in(const Intervals<float>*, std::size_t);
template void SampleData<double>::march_in(const Intervals<double>*, std::size_t);
template void SampleData<float>::move_to(std::size_t, const float*);
template void SampleData<double>::move_to(std::size_t, const double*);
template void SampleData<float>::move_to_snapshot(std::size_t);
template void SampleData<double>::move_to_snapshot(std::size_t);
template void SampleData<float>::move_between(std::size_t, const float*);
template void SampleData<double>::move_between(std::size_t, const double*);
template void SampleData<float>::add_cuts(Intervals<float>&, std::size_t);
template void SampleData<double>::add_cuts(Intervals<double>&, std::size_t);

}  // namespace greybox
