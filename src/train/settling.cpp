#include "train/settling.hpp"

#include <algorithm>
#include <cmath>

#include "core/denormals.hpp"
#include "model/draws.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

struct SettlingSize {
  std::size_t n_theta, n_windows;
};

constexpr SettlingSize kSettlingSize{24, 24}, kSettlingSizeOfFields{4, 4};
// Samples with a θ that all share, or one of an estimator.
constexpr std::size_t kCommonWindows = 128;
// A mean that hardly depends on θ: its size counts instead of its range.
constexpr double kLeastRange = 0.1;

// The k-th point of a sequence that fills the unit cube evenly in any number of dimensions.
double even_point(std::size_t k, std::size_t dimension, std::size_t n_dimensions) {
  double ratio = 2;
  for (int i = 0; i < 40; ++i) ratio = std::pow(1 + ratio, 1 / static_cast<double>(n_dimensions + 1));
  const double step = std::pow(1 / ratio, static_cast<double>(dimension + 1));
  const double place = 0.5 + static_cast<double>(k) * step;
  return place - std::floor(place);
}

std::vector<std::size_t> some_of(const std::vector<std::size_t>& windows, std::size_t most) {
  std::vector<std::size_t> some;
  const std::size_t n = std::min(windows.size(), most);
  for (std::size_t i = 0; i < n; ++i) some.push_back(windows[i * windows.size() / n]);
  return some;
}

double unit_of(std::span<const double> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return std::max(*high - *low, kLeastRange * std::max(std::fabs(*low), std::fabs(*high)));
}

}  // namespace

template <class T>
Settling<T>::Settling(const LoadedModel& loaded, ThetaOrigin origin,
                      std::shared_ptr<const ThetaSource<T>> theta_source, ThreadPool& pool,
                      std::optional<std::size_t> tailored_by)
    : loaded_(loaded), theta_source_(std::move(theta_source)), n_means_(loaded.model->terms.size() + 1) {
  choose_samples(origin);
  engine_.emplace(loaded_.plan, loaded_.data->windows(), pool,
                  EngineOptions{.capacity = windows_.size(), .is_differentiable = tailored_by.has_value()});
  if (tailored_by) {
    tailoring_.emplace(loaded, *tailored_by, windows_.size());
    draws_ = centres_ = centred_draws<T>(*loaded.model, windows_.size());
  }
  weights_.resize(n_theta_ * n_means_);
}

template <class T>
void Settling<T>::choose_samples(ThetaOrigin origin) {
  const std::vector<ParameterSpec>& parameters = loaded_.spec->parameters;
  const bool has_fields = loaded_.spec->grid.is_given;
  const bool is_drawn = origin == ThetaOrigin::drawn && !parameters.empty();
  const SettlingSize size = has_fields ? kSettlingSizeOfFields : kSettlingSize;
  std::vector<std::size_t> windows = loaded_.data->of_split(Split::validation);
  // Starts that are learned are known for training windows alone.
  if (windows.empty() || !loaded_.model->starts.empty()) windows = loaded_.data->of_split(Split::train);
  windows = some_of(windows, is_drawn || has_fields ? size.n_windows : kCommonWindows);
  if (is_drawn) n_theta_ = size.n_theta;
  for (std::size_t k = 0; k < n_theta_; ++k) windows_.insert(windows_.end(), windows.begin(), windows.end());
  if (theta_source_->is_left_to_estimator()) return;
  theta_.resize(windows_.size() * parameters.size());
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Prior prior(parameters[p]);
    if (!is_drawn) {
      widths_.push_back(prior.width());
      continue;
    }
    for (std::size_t i = 0; i < windows_.size(); ++i)
      theta_[i * parameters.size() + p] =
          static_cast<T>(prior.draw(prior.start(), even_point(i / windows.size(), p, parameters.size())));
  }
  n_common_ = widths_.size();
}

template <class T>
void Settling<T>::measure(std::span<const T> parameters, const FlatLayout& layout,
                          std::span<double> landscape) {
  const FlushToZeroScope flush_to_zero;
  if (n_common_ > 0)
    theta_source_->fill(Purpose::validation, 0, parameters.subspan(layout.learned_begin, layout.n_learned),
                        theta_);
  engine_->set_weights(parameters.first(layout.n_weights));
  Samples<T> samples{&loaded_.data->windows(), windows_, theta_};
  if (tailoring_) {
    std::copy(centres_.begin(), centres_.end(), draws_.begin());
    samples.draws = draws_;
    tailoring_->adapt(*engine_, samples, {theta_, draws_});
  }
  engine_->forward(samples);
  std::fill(landscape.begin(), landscape.end(), 0.0);
  std::fill(weights_.begin(), weights_.end(), 0.0);
  const std::size_t n_windows = windows_.size() / n_theta_;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const auto add = [&](std::size_t mean, double sum, double weight) {
      landscape[mean * n_theta_ + i / n_windows] += sum;
      weights_[mean * n_theta_ + i / n_windows] += weight;
    };
    // Where some θ makes the model run away, the others still tell.
    if (engine_->outcomes()[i] != Outcome::finished) continue;
    for (std::size_t m = 0; m + 1 < n_means_; ++m)
      add(m, engine_->term_sums(m)[i], engine_->term_weights(m)[i]);
    add(n_means_ - 1, engine_->squared_errors()[i], engine_->n_compared()[i]);
  }
  for (std::size_t i = 0; i < weights_.size(); ++i)
    if (weights_[i] > 0) landscape[i] /= weights_[i];
  // Of windows that have a θ of their own, that of the first.
  for (std::size_t p = 0; p < n_common_; ++p)
    landscape[weights_.size() + p] = static_cast<double>(theta_[p]) / widths_[p];
}

template <class T>
double Settling<T>::change(std::span<const double> before, std::span<const double> after) const {
  const auto distance = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
  };
  double largest = 0;
  for (std::size_t m = 0; m + 1 < n_means_; ++m) {
    const auto old = before.subspan(m * n_theta_, n_theta_), now = after.subspan(m * n_theta_, n_theta_);
    const double unit = n_theta_ > 1 ? unit_of(now) : std::fabs(now[0]);
    const double moved = distance(old, now), of_mean = moved == 0 ? 0 : moved / unit;
    if (!(of_mean <= largest)) largest = of_mean;
    if (std::isnan(largest)) return largest;
  }
  if (n_common_ > 0) largest = std::max(largest, distance(before.last(n_common_), after.last(n_common_)));
  return largest;
}

template <class T>
double Settling<T>::error(std::span<const double> landscape) const {
  double sum = 0;
  for (double value : landscape.subspan((n_means_ - 1) * n_theta_, n_theta_)) sum += value;
  return sum / static_cast<double>(n_theta_);
}

template <class T>
double Settling<T>::share_above(std::span<const double> landscape, double error) const {
  const std::span<const double> errors = landscape.subspan((n_means_ - 1) * n_theta_, n_theta_);
  const auto n = std::count_if(errors.begin(), errors.end(), [&](double value) { return !(value <= error); });
  return static_cast<double>(n) / static_cast<double>(n_theta_);
}

template class Settling<float>;
template class Settling<double>;

}  // namespace greybox
