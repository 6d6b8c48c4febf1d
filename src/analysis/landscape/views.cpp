#include "analysis/landscape/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/theta/plane.hpp"
#include "analysis/theta/spread.hpp"
#include "core/random.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr const char *kRandom = "random", *kPca = "pca";
constexpr std::size_t kDraws = 2000, kKeptShare = 10;  // the lowest tenth
constexpr std::uint64_t kDirections = 1ULL << 40;      // a stream of draws beside those of the prior

void normalise(std::vector<double>& direction) {
  const double length =
      std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
  for (double& component : direction) component /= length;
}

// Orthonormal, uniformly distributed.
TwoDirections random_directions(std::size_t n_parameters, std::uint64_t seed) {
  const Random random(seed, Purpose::analysis);
  TwoDirections directions;
  auto& [first, second] = directions;
  for (std::size_t p = 0; p < n_parameters; ++p) {
    first.push_back(random.normal(kDirections, p));
    second.push_back(random.normal(kDirections + 1, p));
  }
  normalise(first);
  const double along = std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
  for (std::size_t p = 0; p < n_parameters; ++p) second[p] -= along * first[p];
  normalise(second);
  return directions;
}

// The regularizer that says which draws are low: the one that is named, else that of the training, else the
// first.
std::size_t pca_regularizer(const OpenedRun& run, const PrincipalPlane& plane) {
  const BoundModel& model = *run.loaded.model;
  if (model.regularizers.empty())
    refuse_option("plane", "there is no regularizer for the principal components",
                  "give one as option `regularizer`");
  const std::string own = run.record ? run.record->options.regularizer : "";
  const std::size_t place = regularizer_place(model, plane.regularizer.empty() ? own : plane.regularizer);
  if (place < model.regularizers.size()) return place;
  if (!plane.regularizer.empty())
    refuse_option(
        "plane", fmt::format("there is no regularizer `{}` for the principal components", plane.regularizer),
        fmt::format("the model has {} and others; an expression must be given as option `regularizer` too",
                    model.regularizers[0].name));
  return 0;
}

// Prior draws with the lowest R.
std::vector<Coordinates> low_draws(const OpenedRun& run, const WindowChoice& choice,
                                   const LandscapeOptions& options) {
  const ThetaBox box(run.loaded.spec->parameters);
  std::vector<double> theta;
  for (std::size_t d = 0; d < kDraws; ++d) {
    const std::vector<double> draw = box.draw(options.seed, d);
    theta.insert(theta.end(), draw.begin(), draw.end());
  }
  const GridValues values = scan_theta(run, {{run.weights}, {0}}, choice, theta, options);
  const std::vector<double>& r =
      values[0].regularizers[pca_regularizer(run, std::get<PrincipalPlane>(options.plane))];
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < kDraws; ++d)
    if (!std::isnan(r[d])) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return r[a] < r[b]; });
  order.resize(std::min(order.size(), kDraws / kKeptShare));
  std::vector<Coordinates> kept;
  for (std::size_t d : order) kept.push_back(box.draw(options.seed, d));
  return kept;
}

ThetaGrid pca_view(const OpenedRun& run, const WindowChoice& choice, const LandscapeOptions& options) {
  const std::vector<ParameterSpec>& parameters = run.loaded.spec->parameters;
  std::vector<Coordinates> kept = low_draws(run, choice, options);
  if (kept.size() < 3)
    refuse_option("plane", "hardly any draw of the prior gives finite trajectories",
                  "look at single parameters with option `vary`");
  const Coordinates centre = centre_of(kept);
  const std::vector<double> half = half_ranges(ThetaBox(parameters));
  for (Coordinates& theta : kept)
    for (std::size_t p = 0; p < half.size(); ++p) theta[p] /= half[p];
  const std::vector<Coordinates> directions = principal_directions(kept);
  return plane_grid(parameters, centre, {directions[0], directions[1]}, kPca);
}

}  // namespace

ThetaGrid make_view(const OpenedRun& run, const WindowChoice& choice, const LandscapeOptions& options,
                    const std::map<std::string, double>& reference) {
  const std::vector<ParameterSpec>& parameters = run.loaded.spec->parameters;
  if (parameters.size() < 2)
    refuse_option("plane", "a plane needs two parameters or more", "leave it out: the landscape is a line");
  if (std::holds_alternative<RandomPlane>(options.plane))
    return plane_grid(parameters, held_point(*run.loaded.spec, {{}, options.at, reference}),
                      random_directions(parameters.size(), options.seed), kRandom);
  return pca_view(run, choice, options);
}

}  // namespace greybox
