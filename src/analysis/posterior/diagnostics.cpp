#include "analysis/posterior/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/posterior/autocovariances.hpp"
#include "core/limits.hpp"
#include "train/normal.hpp"

namespace greybox {
namespace {

constexpr std::size_t kLagsOneByOne = 512;
constexpr std::size_t kFewestDraws = 4;  // per half chain, for an autocorrelation to mean something

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double chain_variance(std::span<const double> values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

std::vector<double> pooled(const Chains& chains) {
  std::vector<double> all;
  for (const std::vector<double>& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

template <class F>
Chains mapped(Chains chains, F&& f) {
  for (std::vector<double>& chain : chains)
    for (double& value : chain) value = f(value);
  return chains;
}

// W and var⁺: the variance within chains, and the estimate of the whole one from within and between.
struct Variances {
  double within = 0, whole = 0;
};

Variances variances_of(const Chains& chains) {
  std::vector<double> means;
  double within = 0;
  for (const std::vector<double>& chain : chains) {
    means.push_back(mean_of(chain));
    within += chain_variance(chain) / static_cast<double>(chains.size());
  }
  const auto n = static_cast<double>(chains[0].size());
  const double between = chains.size() > 1 ? chain_variance(means) : 0;
  return {within, within * (n - 1) / n + between};
}

// With n in the denominator at every lag, as the estimator of the spectrum wants it; mean over the chains.
double mean_autocovariance(const Chains& chains, std::size_t lag) {
  double mean_of_chains = 0;
  for (const std::vector<double>& chain : chains) {
    const double mean = mean_of(chain);
    double sum = 0;
    for (std::size_t i = 0; i + lag < chain.size(); ++i) sum += (chain[i] - mean) * (chain[i + lag] - mean);
    mean_of_chains += sum / static_cast<double>(chain.size() * chains.size());
  }
  return mean_of_chains;
}

// Where correlations last as long as the chains do, as between chains that keep to different minima, lag by
// lag would take the square of their length.
class Autocovariances {
 public:
  explicit Autocovariances(const Chains& chains) : chains_(chains) {}

  double at(std::size_t lag) {
    if (lag < kLagsOneByOne) return mean_autocovariance(chains_, lag);
    if (all_.empty()) compute_all();
    return all_[lag];
  }

 private:
  void compute_all() {
    all_.assign(chains_[0].size(), 0);
    for (const std::vector<double>& chain : chains_) {
      const std::vector<double> of_chain = autocovariances(chain);
      for (std::size_t lag = 0; lag < all_.size(); ++lag)
        all_[lag] += of_chain[lag] / static_cast<double>(chains_.size());
    }
  }

  const Chains& chains_;
  std::vector<double> all_;
};

// Sums of autocorrelations at lags 2k and 2k+1 while they are positive, made monotone, and the even one after
// them.
struct GeyerSequence {
  std::vector<double> pairs;
  double rest = 0;
};

GeyerSequence geyer_sequence(const Chains& chains, const Variances& variances) {
  Autocovariances covariances(chains);
  const auto correlation = [&](std::size_t lag) {
    return lag == 0 ? 1 : 1 - (variances.within - covariances.at(lag)) / variances.whole;
  };
  GeyerSequence sequence;
  for (std::size_t lag = 0;; lag += 2) {
    const double even = correlation(lag), pair = even + correlation(lag + 1);
    const bool is_last = lag + 5 >= chains[0].size();  // beyond it too few products are left
    if (is_last || !(pair > 0)) {
      sequence.rest = std::max(even, 0.0);
      break;
    }
    sequence.pairs.push_back(sequence.pairs.empty() ? pair : std::min(pair, sequence.pairs.back()));
  }
  return sequence;
}

bool is_usable(const Chains& chains) {
  if (chains.empty() || chains[0].size() < kFewestDraws) return false;
  const std::vector<double> all = pooled(chains);
  return std::all_of(all.begin(), all.end(), [](double value) { return std::isfinite(value); });
}

double quantile_ess(const Chains& chains, const std::vector<double>& sorted, double p) {
  const double limit = quantile_of(sorted, p);
  return basic_ess(split_chains(mapped(chains, [&](double value) { return value <= limit ? 1.0 : 0.0; })));
}

}  // namespace

Chains split_chains(const Chains& chains) {
  Chains halves;
  for (const std::vector<double>& chain : chains) {
    const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
    halves.emplace_back(chain.begin(), chain.begin() + half);
    halves.emplace_back(chain.end() - half, chain.end());
  }
  return halves;
}

Chains rank_normalised(const Chains& chains) {
  struct Draw {
    double value;
    double* score;
  };
  Chains scores = chains;
  std::vector<Draw> draws;
  for (std::vector<double>& chain : scores)
    for (double& value : chain) draws.push_back({value, &value});
  std::sort(draws.begin(), draws.end(), [](const Draw& a, const Draw& b) { return a.value < b.value; });
  const auto n = static_cast<double>(draws.size());
  for (std::size_t first = 0, last = 0; first < draws.size(); first = last) {
    while (last < draws.size() && !(draws[first].value < draws[last].value)) ++last;
    const double rank = static_cast<double>(first + last + 1) / 2;
    const double score = normal_quantile((rank - 0.375) / (n + 0.25));
    for (std::size_t i = first; i < last; ++i) *draws[i].score = score;
  }
  return scores;
}

double basic_rhat(const Chains& chains) {
  const Variances variances = variances_of(chains);
  return std::sqrt(variances.whole / variances.within);
}

double basic_ess(const Chains& chains) {
  if (!is_usable(chains)) return kNaN;
  const auto n = static_cast<double>(chains.size() * chains[0].size());
  const Variances variances = variances_of(chains);
  if (!(variances.whole > 0)) return n;  // constant draws repeat nothing that could be told apart
  const GeyerSequence sequence = geyer_sequence(chains, variances);
  const double tau =
      -1 + 2 * std::accumulate(sequence.pairs.begin(), sequence.pairs.end(), 0.0) + sequence.rest;
  // Antithetic chains may have τ near 0; the bound keeps the estimate from running away.
  return n / std::max(tau, 1 / std::log10(n));
}

Convergence convergence_of(const Chains& chains) {
  if (chains.empty() || chains[0].empty()) return {kNaN, kNaN, kNaN};
  const Chains halves = split_chains(chains);
  std::vector<double> sorted = pooled(chains);
  std::sort(sorted.begin(), sorted.end());
  Convergence found{kNaN, kNaN,
                    std::fmin(quantile_ess(chains, sorted, 0.05), quantile_ess(chains, sorted, 0.95))};
  if (!is_usable(halves)) return found;
  const Chains ranked = rank_normalised(halves);
  const double median = quantile_of(sorted, 0.5);
  const Chains folded = mapped(halves, [&](double value) { return std::abs(value - median); });
  found.rhat = std::fmax(basic_rhat(ranked), basic_rhat(rank_normalised(folded)));
  found.ess_bulk = basic_ess(ranked);
  return found;
}

double rank_rhat(const Chains& chains) {
  return convergence_of(chains).rhat;
}

double bulk_ess(const Chains& chains) {
  return convergence_of(chains).ess_bulk;
}

double tail_ess(const Chains& chains) {
  return convergence_of(chains).ess_tail;
}

double quantile_of(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace greybox
