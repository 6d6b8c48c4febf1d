#include "analysis/posterior/nuts_transition.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/limits.hpp"

namespace greybox {
namespace {

constexpr double kMaxEnergyError = 1000;  // beyond it the integrator has lost the trajectory, as in Stan
constexpr double kGoodAcceptance = 0.8;
constexpr double kSmallestStep = 1e-12, kLargestStep = 1e7;

double log_sum_exp(double a, double b) {
  const double larger = std::max(a, b);
  return larger == -kInfinity ? larger : larger + std::log(std::exp(a - larger) + std::exp(b - larger));
}

std::vector<double> sum_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum = a;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
  return sum;
}

}  // namespace

// A piece of trajectory, its ends in the order of time.
struct NutsTransition::Stretch {
  std::vector<double> first, last;  // momenta at the ends
  std::vector<double> momentum_sum;
  PhasePoint proposal;  // a place of it, drawn by weight exp(-energy)
  double log_weight = -kInfinity;
  bool is_valid = true;  // neither diverged nor turned back within
};

// What all leaves of one transition share.
struct NutsTransition::Walk {
  double start_energy, signed_step;
  RandomStream& random;
  double acceptance_sum = 0;
  std::size_t n_leapfrog = 0;
  bool is_divergent = false;
};

NutsTransition::NutsTransition(const LogDensity& density, std::vector<double> start, std::size_t max_depth)
    : density_(density), max_depth_(max_depth), inverse_mass_(start.size(), 1) {
  current_.momentum.resize(start.size());
  current_.gradient.resize(start.size());
  current_.position = std::move(start);
  current_.log_density = density_(current_.position, current_.gradient);
}

void NutsTransition::draw_momentum(RandomStream& random) {
  for (std::size_t i = 0; i < inverse_mass_.size(); ++i)
    current_.momentum[i] = random.normal() / std::sqrt(inverse_mass_[i]);
}

double NutsTransition::energy(const PhasePoint& point) const {
  double kinetic = 0;
  for (std::size_t i = 0; i < inverse_mass_.size(); ++i)
    kinetic += inverse_mass_[i] * point.momentum[i] * point.momentum[i] / 2;
  const double sum = kinetic - point.log_density;
  return std::isnan(sum) ? kInfinity : sum;
}

void NutsTransition::leapfrog(PhasePoint& point, double step_size) const {
  for (std::size_t i = 0; i < inverse_mass_.size(); ++i) {
    point.momentum[i] += step_size / 2 * point.gradient[i];
    point.position[i] += step_size * inverse_mass_[i] * point.momentum[i];
  }
  point.log_density = density_(point.position, point.gradient);
  for (std::size_t i = 0; i < inverse_mass_.size(); ++i)
    point.momentum[i] += step_size / 2 * point.gradient[i];
}

double NutsTransition::find_step_size(double guess, RandomStream& random) {
  const auto is_good = [&](double step_size) {
    draw_momentum(random);
    PhasePoint end = current_;
    leapfrog(end, step_size);
    return energy(current_) - energy(end) > std::log(kGoodAcceptance);
  };
  double step_size = guess;
  const bool was_good = is_good(step_size);
  while (step_size > kSmallestStep && step_size < kLargestStep) {
    step_size *= was_good ? 2 : 0.5;
    if (is_good(step_size) != was_good) break;
  }
  return step_size;
}

// Whether the trajectory still moves apart at both ends: p♯ · Σp > 0 with p♯ = M⁻¹ p.
bool NutsTransition::goes_on(const std::vector<double>& first, const std::vector<double>& last,
                             const std::vector<double>& sum) const {
  double at_first = 0, at_last = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    at_first += inverse_mass_[i] * first[i] * sum[i];
    at_last += inverse_mass_[i] * last[i] * sum[i];
  }
  return at_first > 0 && at_last > 0;
}

// The draw is left to the caller: the two halves of a subtree and the two of the whole tree weigh
// differently.
NutsTransition::Stretch NutsTransition::joined(const Stretch& left, const Stretch& right) const {
  Stretch whole;
  whole.first = left.first;
  whole.last = right.last;
  whole.momentum_sum = sum_of(left.momentum_sum, right.momentum_sum);
  whole.log_weight = log_sum_exp(left.log_weight, right.log_weight);
  // Also across the seam: else a trajectory of nearly one full turn looks as if it went on.
  whole.is_valid = goes_on(whole.first, whole.last, whole.momentum_sum) &&
                   goes_on(left.first, right.first, sum_of(left.momentum_sum, right.first)) &&
                   goes_on(left.last, right.last, sum_of(right.momentum_sum, left.last));
  return whole;
}

NutsTransition::Stretch NutsTransition::leaf(PhasePoint& end, Walk& walk) const {
  leapfrog(end, walk.signed_step);
  const double gain = walk.start_energy - energy(end);
  ++walk.n_leapfrog;
  walk.acceptance_sum += std::min(1.0, std::exp(gain));
  const bool is_lost = !(gain >= -kMaxEnergyError);
  walk.is_divergent = walk.is_divergent || is_lost;
  return {end.momentum, end.momentum, end.momentum, end, gain, !is_lost};
}

NutsTransition::Stretch NutsTransition::grow(PhasePoint& end, std::size_t depth, Walk& walk) const {
  if (depth == 0) return leaf(end, walk);
  Stretch inner = grow(end, depth - 1, walk);
  if (!inner.is_valid) return inner;
  Stretch outer = grow(end, depth - 1, walk);
  if (!outer.is_valid) return outer;
  Stretch whole = walk.signed_step > 0 ? joined(inner, outer) : joined(outer, inner);
  const bool takes_outer = std::log(walk.random.uniform()) < outer.log_weight - whole.log_weight;
  whole.proposal = std::move(takes_outer ? outer.proposal : inner.proposal);
  return whole;
}

TransitionResult NutsTransition::step(double step_size, RandomStream& random) {
  draw_momentum(random);
  Walk walk{.start_energy = energy(current_), .signed_step = step_size, .random = random};
  const std::vector<double>& momentum = current_.momentum;
  Stretch tree{momentum, momentum, momentum, current_, 0, true};
  PhasePoint left = current_, right = current_;
  TransitionResult result;
  while (result.depth < max_depth_ && tree.is_valid) {
    const bool is_forward = random.uniform() < 0.5;
    walk.signed_step = is_forward ? step_size : -step_size;
    Stretch grown = grow(is_forward ? right : left, result.depth, walk);
    if (!grown.is_valid) break;
    ++result.depth;
    // Biased towards the new half, which lies farther away.
    const bool takes_new = std::log(random.uniform()) < grown.log_weight - tree.log_weight;
    PhasePoint proposal = std::move(takes_new ? grown.proposal : tree.proposal);
    tree = is_forward ? joined(tree, grown) : joined(grown, tree);
    tree.proposal = std::move(proposal);
  }
  current_ = std::move(tree.proposal);
  result.acceptance = walk.acceptance_sum / static_cast<double>(walk.n_leapfrog);
  result.energy = energy(current_);
  result.n_leapfrog = walk.n_leapfrog;
  result.is_divergent = walk.is_divergent;
  return result;
}

}  // namespace greybox
