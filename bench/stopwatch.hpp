// How long a piece of work takes: the median over many repetitions, and the quartiles around it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace greybox::bench {

struct Seconds {
  double median = 0, lower_quartile = 0, upper_quartile = 0;
};

template <class Work>
double time_once(std::size_t n_times, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < n_times; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(n_times);
}

// Repeats the work for about `total` seconds, in bunches long enough for the clock not to matter.
template <class Work>
Seconds time_repeatedly(double total, Work&& work) {
  constexpr double kBunch = 1e-3;
  constexpr std::size_t kFewest = 5;
  const double first = time_once(2, work);  // also warms up
  const auto bunch = std::max<std::size_t>(1, static_cast<std::size_t>(kBunch / first));
  std::vector<double> times;
  for (double spent = 0; spent < total || times.size() < kFewest;) {
    times.push_back(time_once(bunch, work));
    spent += times.back() * static_cast<double>(bunch);
  }
  std::sort(times.begin(), times.end());
  const auto quantile = [&](std::size_t quarters) { return times[(times.size() - 1) * quarters / 4]; };
  return {quantile(2), quantile(1), quantile(3)};
}

}  // namespace greybox::bench
