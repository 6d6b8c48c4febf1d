// Bands over several predictions of the same windows.
#pragma once

#include <optional>
#include <vector>

#include "greybox/predicted_curves.hpp"
#include "model/prediction.hpp"

namespace greybox {

// Of a variable at some places of its values: from the lowest to the highest member, or between the quantiles
// that hold the share `level`. NaN where no member is finite.
CurveBand band_over(const std::vector<const Prediction*>& members, std::size_t variable,
                    const std::vector<std::size_t>& places, std::optional<double> level = {});

}  // namespace greybox
