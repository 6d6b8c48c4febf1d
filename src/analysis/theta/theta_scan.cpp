#include "analysis/theta/theta_scan.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "core/limits.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

constexpr std::size_t kScalarPairs = 2048, kPairsWithFields = 128;

// A coupled model takes all windows of one θ as one batch: its statistics are those of the set.
std::size_t capacity_for(const LoadedModel& loaded, std::size_t n_windows) {
  if (loaded.plan->is_coupled()) return n_windows;
  return loaded.spec->grid.is_given ? kPairsWithFields : kScalarPairs;
}

// Pairs of one θ with neighbouring windows, which begin at place `begin` of a piece.
struct PairRange {
  std::size_t theta, window, begin, size;
};

// f(range) for all pairs of a piece, which are `first` and on: pair p is window p mod n of θ number p div n.
template <class F>
void for_ranges(std::size_t n_windows, std::size_t first, std::size_t n_pairs, F&& f) {
  for (std::size_t begin = 0; begin < n_pairs;) {
    const std::size_t window = (first + begin) % n_windows;
    const std::size_t size = std::min(n_windows - window, n_pairs - begin);
    f(PairRange{(first + begin) / n_windows, window, begin, size});
    begin += size;
  }
}

// Σ value(i) as eight sums side by side: no addition has to wait for the one before it. Their order is fixed.
template <class F>
double sum(std::size_t n, F&& value) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += value(i + k);
  for (; i < n; ++i) lanes[i % kLanes] += value(i);
  return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

}  // namespace

std::vector<std::vector<double>> regularizers_of(std::shared_ptr<const BoundModel> model,
                                                 const std::vector<std::vector<double>>& means,
                                                 std::size_t n_theta, const WindowErrors& errors) {
  std::vector<double> in_a_row;
  for (const std::vector<double>& of_all : means)
    in_a_row.insert(in_a_row.end(), of_all.begin(), of_all.end());
  const std::size_t n_regularizers = model->regularizers.size();
  Regularizers regularizers(std::move(model), std::max<std::size_t>(n_theta, 1));
  regularizers.evaluate(in_a_row.data(), n_theta, n_theta, errors);
  std::vector<std::vector<double>> values;
  for (std::size_t r = 0; r < n_regularizers; ++r) {
    const std::span<const double> of_all = regularizers.values(r);
    values.emplace_back(of_all.begin(), of_all.end());
  }
  return values;
}

// Sums over windows, one entry per θ.
template <class T>
struct ThetaScan<T>::Sums {
  Sums(std::size_t n_terms, std::size_t n_theta)
      : losses(n_theta),
        loss_weights(n_theta),
        n_diverged(n_theta),
        terms(n_terms * n_theta),
        weights(n_terms * n_theta) {}

  std::vector<double> losses, loss_weights;
  std::vector<std::size_t> n_diverged;
  std::vector<double> terms, weights;  // [term][θ]
};

template <class T>
ThetaScan<T>::ThetaScan(const LoadedModel& loaded, std::span<const double> weights, std::size_t n_windows,
                        ThreadPool& pool)
    : loaded_(loaded),
      engine_(loaded.plan, loaded.data->windows(), pool, {.capacity = capacity_for(loaded, n_windows)}),
      windows_(engine_.capacity()),
      theta_(engine_.capacity() * loaded.spec->parameters.size()) {
  set_weights(weights);
}

template <class T>
void ThetaScan<T>::set_weights(std::span<const double> weights) {
  const std::vector<T> own(weights.begin(), weights.end());
  engine_.set_weights(own);
}

template <class T>
ThetaValues ThetaScan<T>::evaluate(std::span<const std::size_t> windows, std::span<const double> theta,
                                   const LoopProgress& progress) {
  return evaluate(windows, Resampling{}, theta, progress).front();
}

template <class T>
std::vector<ThetaValues> ThetaScan<T>::evaluate(std::span<const std::size_t> windows,
                                                const Resampling& resampling, std::span<const double> theta,
                                                const LoopProgress& progress) {
  const std::size_t n_theta = theta.size() / loaded_.spec->parameters.size();
  const std::size_t n_pairs = n_theta * windows.size();
  const std::size_t piece = loaded_.plan->is_coupled() ? windows.size() : engine_.capacity();
  assert(piece <= engine_.capacity());
  std::vector<Sums> sums(1 + resampling.n_sets, Sums(loaded_.model->terms.size(), n_theta));
  for (std::size_t first = 0; first < n_pairs; first += piece) {
    forward(windows, theta, first, std::min(piece, n_pairs - first));
    add_pairs(windows.size(), first, nullptr, sums[0]);
    for (std::size_t set = 0; set < resampling.n_sets; ++set)
      add_pairs(windows.size(), first, resampling.set(set).data(), sums[1 + set]);
    if (progress) progress(std::min(first + piece, n_pairs), n_pairs);
  }
  std::vector<ThetaValues> values;
  const double range = range_for(loaded_, windows);
  for (Sums& of_set : sums) values.push_back(finish(of_set, range));
  return values;
}

template <class T>
void ThetaScan<T>::forward(std::span<const std::size_t> windows, std::span<const double> theta,
                           std::size_t first, std::size_t n) {
  const std::size_t n_parameters = loaded_.spec->parameters.size();
  for_ranges(windows.size(), first, n, [&](const PairRange& range) {
    std::copy_n(windows.begin() + range.window, range.size, windows_.begin() + range.begin);
    // The first pair's θ, and copies of it that double until all pairs have one.
    T* begin = theta_.data() + range.begin * n_parameters;
    std::transform(theta.begin() + range.theta * n_parameters,
                   theta.begin() + (range.theta + 1) * n_parameters, begin,
                   [](double value) { return static_cast<T>(value); });
    for (std::size_t done = 1; done < range.size; done *= 2)
      std::copy_n(begin, std::min(done, range.size - done) * n_parameters, begin + done * n_parameters);
  });
  engine_.forward({&loaded_.data->windows(), std::span(windows_).first(n),
                   std::span<const T>(theta_).first(n * n_parameters)});
}

// A window counts `counts` times; once when there are none.
template <class T>
void ThetaScan<T>::add_pairs(std::size_t n_windows, std::size_t first, const double* counts,
                             Sums& sums) const {
  const std::size_t n_theta = sums.n_diverged.size();
  for_ranges(n_windows, first, engine_.outcomes().size(), [&](const PairRange& range) {
    const auto add = [&](std::span<const double> values, double& to) {
      const double* own = values.data() + range.begin;
      if (counts == nullptr)
        to += sum(range.size, [&](std::size_t i) { return own[i]; });
      else
        to += sum(range.size, [&](std::size_t i) { return counts[range.window + i] * own[i]; });
    };
    const std::span<const Outcome> outcomes = engine_.outcomes().subspan(range.begin, range.size);
    const auto n_finished = std::ranges::count(outcomes, Outcome::finished);
    sums.n_diverged[range.theta] += range.size - static_cast<std::size_t>(n_finished);
    add(engine_.losses(), sums.losses[range.theta]);
    add(engine_.loss_weights(), sums.loss_weights[range.theta]);
    for (std::size_t m = 0; m < loaded_.model->terms.size(); ++m) {
      add(engine_.term_sums(m), sums.terms[m * n_theta + range.theta]);
      add(engine_.term_weights(m), sums.weights[m * n_theta + range.theta]);
    }
  });
}

template <class T>
ThetaValues ThetaScan<T>::finish(Sums& sums, double range) {
  const std::size_t n_theta = sums.n_diverged.size();
  ThetaValues values;
  for (std::size_t m = 0; m < loaded_.model->terms.size(); ++m) {
    std::vector<double>& means = values.means.emplace_back();
    for (std::size_t k = m * n_theta; k < (m + 1) * n_theta; ++k)
      means.push_back(sums.terms[k] / sums.weights[k]);
  }
  for (std::size_t k = 0; k < n_theta; ++k)
    values.losses.push_back(sums.n_diverged[k] == 0 ? sums.losses[k] / sums.loss_weights[k] : kNaN);
  values.regularizers = regularizers_of(loaded_.model, values.means, n_theta, {values.losses, range});
  for (std::size_t k = 0; k < n_theta; ++k) {
    if (sums.n_diverged[k] == 0) continue;
    for (std::vector<double>& of_all : values.means) of_all[k] = kNaN;
    for (std::vector<double>& of_all : values.regularizers) of_all[k] = kNaN;
  }
  values.n_diverged = std::move(sums.n_diverged);
  return values;
}

template class ThetaScan<float>;
template class ThetaScan<double>;

}  // namespace greybox
