#include "model/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace greybox {

template <class T>
Intervals<T>::Intervals(std::size_t capacity, std::size_t n_snapshots, std::size_t n_per_snapshot)
    : capacity_(capacity),
      n_snapshots_(n_snapshots),
      n_per_snapshot_(n_per_snapshot),
      n_times_((n_snapshots - 1) * n_per_snapshot + 1),
      times_(n_times_ * capacity),
      counts_(capacity) {}

template <class T>
void Intervals<T>::begin(std::size_t n_samples) {
  n_samples_ = n_samples;
  is_cut_ = false;
  cuts_.clear();
  jumps_.clear();
}

template <class T>
void Intervals<T>::set_sample(std::size_t sample, const T* times, std::size_t stride, std::size_t n_times) {
  counts_[sample] = (n_times - 1) * n_per_snapshot_ + 1;
  for (std::size_t k = 0; k < n_snapshots_; ++k) {
    T* at = times_.data() + k * n_per_snapshot_ * capacity_ + sample;
    at[0] = times[k * stride];
    for (std::size_t j = 1; j < n_per_snapshot_ && k + 1 < n_snapshots_; ++j)
      at[j * capacity_] =
          at[0] + static_cast<T>(j) / static_cast<T>(n_per_snapshot_) * (times[(k + 1) * stride] - at[0]);
  }
}

template <class T>
std::size_t Intervals<T>::output_before(std::size_t sample, T time) const {
  std::size_t low = 0, high = counts_[sample];
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (output_time(middle, sample) <= time ? low : high) = middle;
  }
  return low;
}

template <class T>
void Intervals<T>::add_cuts(std::size_t sample, std::span<const T> cuts,
                            std::span<const TimedJump<T>> jumps) {
  const std::size_t last = counts_[sample] - 1;
  for (const T time : cuts) {
    const std::size_t output = output_before(sample, time);
    if (output >= last || time <= output_time(output, sample)) continue;
    if (!cuts_.empty() && cuts_.back().sample == sample && cuts_.back().time == time) continue;
    cuts_.push_back({output, sample, time});
  }
  for (const TimedJump<T>& jump : jumps) {
    const std::size_t output = output_before(sample, jump.time);
    if (output < last) jumps_.push_back({output, sample, jump.time, jump.state, jump.amount, 0});
  }
}

template <class T>
void Intervals<T>::finish(double step) {
  if (cuts_.empty() && jumps_.empty()) return;
  is_cut_ = true;
  // Stable and by sample: cuts of a sample stay in the order of time.
  std::ranges::sort(cuts_, {}, [](const Cut& cut) { return std::tuple(cut.output, cut.sample, cut.time); });
  count_cuts();
  lay_out();
  place_jumps();
  unit_sizes_.clear();
  if (step >= 0) set_units(step);
  cut_intervals_ = {.n_intervals = output_of_.size(),
                    .ends_at_output = ends_at_output_.data(),
                    .unit_sizes = unit_sizes_.empty() ? nullptr : unit_sizes_.data()};
}

// How many intervals each output needs.
template <class T>
void Intervals<T>::count_cuts() {
  first_intervals_.assign(n_times_, 0);
  std::size_t c = 0;
  for (std::size_t k = 0; k + 1 < n_times_; ++k) {
    std::size_t most = 0;
    while (c < cuts_.size() && cuts_[c].output == k) {
      const std::size_t first = c;
      while (c < cuts_.size() && cuts_[c].output == k && cuts_[c].sample == cuts_[first].sample) ++c;
      most = std::max(most, c - first);
    }
    first_intervals_[k + 1] = first_intervals_[k] + most + 1;
  }
}

template <class T>
void Intervals<T>::lay_out() {
  const std::size_t n = first_intervals_.back();
  output_of_.assign(n, 0);
  ends_at_output_.assign(n, 0);
  cut_counts_.assign(capacity_, n + 1);
  cut_times_.assign((n + 1) * capacity_, T{0});
  for (std::size_t k = 0; k + 1 < n_times_; ++k) {
    for (std::size_t s = first_intervals_[k]; s < first_intervals_[k + 1]; ++s) {
      output_of_[s] = k;
      // Until a sample's cuts say otherwise, all but the first have no length.
      const bool is_first = s == first_intervals_[k];
      for (std::size_t i = 0; i < n_samples_; ++i)
        cut_times_[s * capacity_ + i] = output_time(is_first ? k : k + 1, i);
    }
    ends_at_output_[first_intervals_[k + 1] - 1] = 1;
  }
  for (std::size_t i = 0; i < n_samples_; ++i) cut_times_[n * capacity_ + i] = output_time(n_times_ - 1, i);
  for (std::size_t c = 0, place = 0; c < cuts_.size(); ++c) {
    const bool is_next =
        c > 0 && cuts_[c].output == cuts_[c - 1].output && cuts_[c].sample == cuts_[c - 1].sample;
    place = is_next ? place + 1 : first_intervals_[cuts_[c].output] + 1;
    cut_times_[place * capacity_ + cuts_[c].sample] = cuts_[c].time;
  }
}

// A jump stands at the start of the first interval that begins at its time.
template <class T>
void Intervals<T>::place_jumps() {
  for (Jump& jump : jumps_) {
    jump.interval = first_intervals_[jump.output];
    while (start(jump.interval, jump.sample) < jump.time) ++jump.interval;
  }
  std::ranges::sort(jumps_, {}, [](const Jump& jump) {
    return std::tuple(jump.interval, jump.sample, jump.state, jump.amount);
  });
  first_jumps_.assign(output_of_.size() + 1, jumps_.size());
  for (std::size_t j = jumps_.size(); j-- > 0;) first_jumps_[jumps_[j].interval] = j;
  for (std::size_t s = output_of_.size(); s-- > 0;)
    first_jumps_[s] = std::min(first_jumps_[s], first_jumps_[s + 1]);
}

// Steps of a sample that is cut count as much as the equal ones that it would take uncut.
template <class T>
void Intervals<T>::set_units(double step) {
  unit_sizes_.assign(output_of_.size() * capacity_, T{0});
  for (const Cut& cut : cuts_) {
    const double length = static_cast<double>(output_time(cut.output + 1, cut.sample)) -
                          static_cast<double>(output_time(cut.output, cut.sample));
    const double n_steps = step > 0 ? std::max(1.0, std::ceil(length / step - 1e-6)) : 1.0;
    for (std::size_t s = first_intervals_[cut.output]; s < first_intervals_[cut.output + 1]; ++s)
      unit_sizes_[s * capacity_ + cut.sample] = static_cast<T>(length / n_steps);
  }
}

template class Intervals<float>;
template class Intervals<double>;

}  // namespace greybox
