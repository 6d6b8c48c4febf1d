// How long a piece of work takes: the median over many repetitions, the quartiles around it, and the
// processor's time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace greybox::bench {

struct Seconds {
  double median = 0, lower_quartile = 0, upper_quartile = 0;
  double cpu = 0;  // of all threads, on average: what counts on a busy machine
};

inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class Work>
double time_once(std::size_t n_times, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < n_times; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(n_times);
}

// Repeats the work for about `total` seconds, in bunches long enough for the clock not to matter.
template <class Work>
Seconds time_repeatedly(double total, Work&& work) {
  constexpr double kBunch = 1e-3;
  constexpr std::size_t kFewest = 3;
  const double first = time_once(2, work);  // also warms up
  const auto bunch = std::max<std::size_t>(1, static_cast<std::size_t>(kBunch / first));
  std::vector<double> times;
  const double cpu_start = cpu_seconds();
  for (double spent = 0; spent < total || times.size() < kFewest;) {
    times.push_back(time_once(bunch, work));
    spent += times.back() * static_cast<double>(bunch);
  }
  const double cpu = (cpu_seconds() - cpu_start) / static_cast<double>(times.size() * bunch);
  std::sort(times.begin(), times.end());
  const auto quantile = [&](std::size_t quarters) { return times[(times.size() - 1) * quarters / 4]; };
  return {quantile(2), quantile(1), quantile(3), cpu};
}

}  // namespace greybox::bench
