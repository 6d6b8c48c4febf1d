#include "train/fit_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "train/tailoring.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFitWindows = 48, kFitWindowsOfFields = 4;

}  // namespace

FitErrors::FitErrors(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool)
    : loaded_(loaded), request_(request), pool_(&pool) {
  choose_windows();
  engine_ = std::make_unique<Engine<float>>(loaded.plan, loaded.data->windows(), pool,
                                            EngineOptions{.capacity = windows_.size()});
  read_data();
}

void FitErrors::choose_windows() {
  for (const auto& [split, name] :
       {std::pair(Split::validation, "validation"), std::pair(Split::train, "train")}) {
    windows_ = loaded_.data->of_split(split);
    split_ = name;
    if (!windows_.empty()) break;
  }
  const std::size_t most = loaded_.spec->grid.is_given ? kFitWindowsOfFields : kFitWindows;
  if (windows_.size() <= most) return;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(windows_[k * windows_.size() / most]);
  windows_ = std::move(some);
}

// f(observed, sample, output, row, first row) for everything that is compared.
template <class F>
void FitErrors::for_compared(F&& f) const {
  const WindowData& data = loaded_.data->windows();
  const std::size_t n_given = loaded_.model->is_algebraic() ? 0 : 1;
  for (std::size_t o = 0; o < loaded_.model->observed.size(); ++o)
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      const Window& window = data.windows[windows_[i]];
      for (std::size_t k = n_given; k < window.n_rows; ++k)
        f(o, i, k - n_given, window.first_row + k, window.first_row);
    }
}

std::size_t FitErrors::points_of(std::size_t observed) const {
  return loaded_.model->points(loaded_.model->graph[loaded_.model->observed[observed].value].shape);
}

const Column& FitErrors::column_of(std::size_t observed) const {
  return *loaded_.data->windows().columns[loaded_.model->observed[observed].column];
}

void FitErrors::read_data() {
  const std::size_t n = loaded_.model->observed.size();
  std::vector<double> count(n), sum(n), squares(n), held(n), held_count(n);
  std::vector<double> lowest(n, std::numeric_limits<double>::infinity()), highest(n, -lowest[0]);
  for_compared([&](std::size_t o, std::size_t, std::size_t, std::size_t row, std::size_t first_row) {
    for (std::size_t point = 0; point < points_of(o); ++point) {
      const double value = column_of(o).at(row, point), first = column_of(o).at(first_row, point);
      if (!std::isfinite(value)) continue;
      count[o] += 1;
      sum[o] += value;
      squares[o] += value * value;
      if (std::isfinite(first)) {
        held[o] += (value - first) * (value - first);
        held_count[o] += 1;
      }
      lowest[o] = std::min(lowest[o], value);
      highest[o] = std::max(highest[o], value);
    }
  });
  for (std::size_t o = 0; o < n; ++o) {
    const double variance = squares[o] / count[o] - std::pow(sum[o] / count[o], 2);
    variances_.push_back(std::max(variance, std::numeric_limits<double>::min()));
    ranges_.push_back(highest[o] - lowest[o]);
    const double of_first = loaded_.model->is_algebraic() ? variance : held[o] / held_count[o];
    guesses_.push_back(std::min(variance, std::isfinite(of_first) ? of_first : variance));
  }
}

void FitErrors::set_weights(std::span<const double> weights) {
  const std::vector<float> own(weights.begin(), weights.end());
  engine_->set_weights(own);
  is_of_theory_ = false;
}

// All weights zero: a network then adds nothing.
void FitErrors::set_theory_alone() {
  std::vector<double> without(request_.weights.begin(), request_.weights.end());
  std::fill_n(without.begin(), engine_->networks().n_network_weights(), 0.0);
  set_weights(without);
  is_of_theory_ = true;
}

// The mean of f(observed, index among the kept values, predicted, measured) for each observed variable;
// infinite where a trajectory becomes non-finite.
template <class F>
MeanSquares FitErrors::means_at(const std::vector<double>& theta, Trajectories<float>& kept, F&& f) {
  const std::size_t n_observed = loaded_.model->observed.size(), n_steps = engine_->n_outputs();
  const PointRows rows = rows_at(theta);
  for (std::size_t o = 0; o < n_observed; ++o)
    kept.observed.emplace_back(windows_.size() * n_steps * points_of(o));
  engine_->forward({&loaded_.data->windows(), windows_, rows.theta, rows.draws}, &kept);
  for (Outcome outcome : engine_->outcomes())
    if (outcome != Outcome::finished) return MeanSquares(n_observed, std::numeric_limits<double>::infinity());
  MeanSquares sums(n_observed), counts(n_observed);
  for_compared([&](std::size_t o, std::size_t i, std::size_t k, std::size_t row, std::size_t) {
    for (std::size_t point = 0; point < points_of(o); ++point) {
      const double measured = column_of(o).at(row, point);
      if (!std::isfinite(measured)) continue;
      const std::size_t index = (i * n_steps + k) * points_of(o) + point;
      sums[o] += f(o, index, static_cast<double>(kept.observed[o][index]), measured);
      counts[o] += 1;
    }
  });
  for (std::size_t o = 0; o < n_observed; ++o) sums[o] /= counts[o];
  return sums;
}

// θ of every window, and latents that adapt. The theory alone is judged at one θ for all of them.
FitErrors::PointRows FitErrors::rows_at(const std::vector<double>& theta) const {
  TailoredWindows rows;
  if (request_.tailored_by && !is_of_theory_)
    rows =
        tailored_windows<float>(loaded_, {request_.weights, *request_.tailored_by, windows_, theta}, *pool_);
  else
    for (std::size_t i = 0; i < windows_.size(); ++i)
      rows.theta.insert(rows.theta.end(), theta.begin(), theta.end());
  return {{rows.theta.begin(), rows.theta.end()}, {rows.draws.begin(), rows.draws.end()}};
}

MeanSquares FitErrors::at(const std::vector<double>& theta) {
  Trajectories<float> kept;
  return means_at(theta, kept, [](std::size_t, std::size_t, double predicted, double measured) {
    return (predicted - measured) * (predicted - measured);
  });
}

MeanSquares FitErrors::noise_at(const std::vector<double>& theta) {
  const std::vector<Observed>& observed = loaded_.model->observed;
  if (!loaded_.model->has_noise()) return {};
  Trajectories<float> kept;
  for (std::size_t o = 0; o < observed.size(); ++o)
    kept.spreads.emplace_back(windows_.size() * engine_->n_outputs() * points_of(o));
  return means_at(theta, kept, [&](std::size_t o, std::size_t index, double predicted, double measured) {
    const BoundNoise& noise = *observed[o].noise;
    const double spread = noise.node ? std::fabs(static_cast<double>(kept.spreads[o][index])) : noise.spread;
    return std::pow(noise.family->sd({predicted, measured, spread, noise.df}), 2);
  });
}

double FitErrors::scaled(const MeanSquares& errors) const {
  double sum = 0;
  for (std::size_t o = 0; o < errors.size(); ++o) sum += errors[o] / variances_[o];
  const double mean = sum / static_cast<double>(errors.size());
  return std::isfinite(mean) ? mean : std::numeric_limits<double>::infinity();
}

double FitErrors::loss(const MeanSquares& errors) const {
  double sum = 0;
  for (std::size_t o = 0; o < errors.size(); ++o) sum += errors[o] * loaded_.model->observed[o].weight();
  return sum / static_cast<double>(errors.size());
}

}  // namespace greybox
