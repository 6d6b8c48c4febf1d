// What residuals say about a model and its noise.
#pragma once

#include <vector>

#include "data/json_file.hpp"
#include "greybox/predict.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// `spreads`: the parameter of the noise at every value, where an equation gives it; empty otherwise. Windows
// that overlap one that counts already are left out: the same noise would count twice.
ResidualReport residual_report(const BoundModel& model, std::size_t observed, const Prediction& prediction,
                               const std::vector<double>& spreads);

Json json_of(const std::vector<ResidualReport>& residuals);

// P(χ² ≥ x) for an even number of degrees of freedom.
double chi_squared_tail(double x, std::size_t df);

}  // namespace greybox
