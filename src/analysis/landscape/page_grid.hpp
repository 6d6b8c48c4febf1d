// Landscapes for the report page: not of regularizers but of the means they are made of, so that the page can
// compute any regularizer over them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/landscape/landscape_scan.hpp"
#include "data/json_file.hpp"

namespace greybox {

// Numbers in single precision, as base64: a page reads millions of them at once.
Json packed_numbers(std::span<const double> values);

// Every distinct mean(…) that the regularizers are made of, and a few that are generally useful, as
// expressions: from their values the page computes any regularizer.
std::vector<std::string> mean_terms(const ModelSpec& spec, const std::vector<std::string>& regularizers);

// `run` was opened with the terms as regularizers, and `values` are of all its regularizers.
Json page_grid(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
               const ThetaGrid& grid, const GridValues& values, const std::vector<std::string>& terms);

}  // namespace greybox
