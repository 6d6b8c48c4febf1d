// One step of the No-U-Turn sampler: a Hamiltonian trajectory that grows until it turns back, and a draw from
// it.
//
// Hoffman & Gelman (2014), with the multinomial draw and the generalised criterion of Betancourt (2017), "A
// Conceptual Introduction to Hamiltonian Monte Carlo".
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/posterior/log_density.hpp"
#include "core/random.hpp"

namespace greybox {

// The random numbers of one chain, one after another.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream)
      : random_(seed, Purpose::posterior), stream_(stream) {}
  double uniform() { return random_.uniform(stream_, next_++); }
  double normal() { return random_.normal(stream_, next_++); }

 private:
  Random random_;
  std::uint64_t stream_, next_ = 0;
};

// A point of a trajectory. The kinetic energy is p · M⁻¹ p / 2 with a diagonal mass matrix M.
struct PhasePoint {
  std::vector<double> position, momentum, gradient;
  double log_density = 0;
};

struct TransitionResult {
  double acceptance = 0;  // mean over the trajectory: what the step size is adapted to
  double energy = 0;
  std::size_t depth = 0, n_leapfrog = 0;
  bool is_divergent = false;
};

class NutsTransition {
 public:
  NutsTransition(const LogDensity& density, std::vector<double> start, std::size_t max_depth);

  // Moves `current` on.
  TransitionResult step(double step_size, RandomStream& random);
  void return_to(PhasePoint point) { current_ = std::move(point); }
  // A step size whose first leapfrog step is accepted with a probability of about 0.8.
  double find_step_size(double guess, RandomStream& random);

  const PhasePoint& current() const { return current_; }
  std::vector<double>& inverse_mass() { return inverse_mass_; }
  const std::vector<double>& inverse_mass() const { return inverse_mass_; }

 private:
  struct Stretch;
  struct Walk;

  void draw_momentum(RandomStream& random);
  double energy(const PhasePoint& point) const;
  void leapfrog(PhasePoint& point, double step_size) const;
  Stretch leaf(PhasePoint& end, Walk& walk) const;
  Stretch grow(PhasePoint& end, std::size_t depth, Walk& walk) const;
  Stretch joined(const Stretch& left, const Stretch& right) const;
  bool goes_on(const std::vector<double>& first, const std::vector<double>& last,
               const std::vector<double>& sum) const;

  const LogDensity& density_;
  std::size_t max_depth_;
  PhasePoint current_;
  std::vector<double> inverse_mass_;
};

}  // namespace greybox
