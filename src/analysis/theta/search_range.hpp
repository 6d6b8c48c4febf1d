// The finite part of θ's space that a grid or DIRECT looks through, and how it follows a minimum beyond its
// ends.
#pragma once

#include <functional>
#include <vector>

#include "analysis/theta/point_estimate.hpp"
#include "analysis/theta/theta_box.hpp"

namespace greybox {

class SearchRange {
 public:
  // The likely range.
  explicit SearchRange(const ThetaBox& box);

  const ThetaBox& box() const { return *box_; }
  // Ends in coordinates of the box: θ or its logarithm.
  double low(std::size_t parameter) const { return low_[parameter]; }
  double high(std::size_t parameter) const { return high_[parameter]; }

  double theta_low(std::size_t parameter) const;
  double theta_high(std::size_t parameter) const;

  // So many times as wide as the likely range, θ in the middle, as far as the bounds allow.
  SearchRange around(const std::vector<double>& theta, double factor) const;
  // Parameters within `margin` (a part of the width) of an end that is no bound.
  std::vector<std::size_t> at_open_ends(const std::vector<double>& theta, double margin) const;

 private:
  const ThetaBox* box_;
  std::vector<double> low_, high_;
};

// Searches the likely range; while the lowest lies at an end that is no bound, around it, ever more widely.
// The result names the parameters for which that did not come to an end, or changed nothing.
PointEstimate search_beyond(const ThetaBox& box, double margin,
                            const std::function<PointEstimate(const SearchRange&)>& search);

}  // namespace greybox
