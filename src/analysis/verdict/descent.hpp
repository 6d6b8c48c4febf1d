// Descents of one quantity over some of the parameters, the others held.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/theta/theta_quantities.hpp"

namespace greybox {

// Where a quantity is allowed to be looked for: θ whose misfit is not above `limit`.
struct MisfitLimit {
  bool is_active = false;
  double limit = 0;
  // What a misfit costs that is above the limit by `unit`.
  double price = 0, unit = 1;
};

struct DescentPoint {
  // Coordinates of all parameters.
  std::vector<double> u;
  // With the price of its misfit; infinite where nothing is finite.
  double value = 0;
};

// What a descent minimises is the sum.
struct PricedValue {
  double quantity = 0;
  // Of its misfit.
  double price = 0;

  double sum() const { return quantity + price; }
};

// Of the rise over the prior: by how much a quantity may still fall where a descent ends.
constexpr double kConverged = 1e-5;

class Descent {
 public:
  // `rise`: by how much the quantity varies over the prior; what counts as converged is a part of it.
  Descent(ThetaQuantities& quantities, const ThetaCoordinates& coordinates, std::size_t quantity, double rise,
          const MisfitLimit& limit)
      : quantities_(quantities), coordinates_(coordinates), quantity_(quantity), rise_(rise), limit_(limit) {}

  double value(const std::vector<double>& u);
  // The lowest point met on the way down from `start` along the axes in `free`.
  DescentPoint minimise(const std::vector<double>& start, const std::vector<std::size_t>& free);

 private:
  // `gradient`: of the quantity, then of the price.
  PricedValue evaluate(const std::vector<double>& u, std::vector<double>* gradient);
  // Whether by its gradient the quantity cannot fall by more than a small part of its rise.
  bool is_converged(const DescentPoint& point, const std::vector<std::size_t>& free);
  // By L-BFGS of the quantity, or of its square, or without gradients.
  enum class Search : std::uint8_t { plain, squared, no_gradient };
  void search(DescentPoint& best, const std::vector<std::size_t>& free, Search kind);

  ThetaQuantities& quantities_;
  const ThetaCoordinates& coordinates_;
  std::size_t quantity_;
  double rise_;
  MisfitLimit limit_;
};

}  // namespace greybox
