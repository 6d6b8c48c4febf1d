// Descents of one quantity over some of the parameters, the others held.
#pragma once

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

class Descent {
 public:
  Descent(ThetaQuantities& quantities, const ThetaCoordinates& coordinates, std::size_t quantity,
          const MisfitLimit& limit)
      : quantities_(quantities), coordinates_(coordinates), quantity_(quantity), limit_(limit) {}

  double value(const std::vector<double>& u);
  // The lowest point met on the way down from `start` along the axes in `free`.
  DescentPoint minimise(const std::vector<double>& start, const std::vector<std::size_t>& free);

 private:
  double evaluate(const std::vector<double>& u, std::vector<double>* gradient);
  void search(DescentPoint& best, const std::vector<std::size_t>& free, bool by_gradient);

  ThetaQuantities& quantities_;
  const ThetaCoordinates& coordinates_;
  std::size_t quantity_;
  MisfitLimit limit_;
};

}  // namespace greybox
