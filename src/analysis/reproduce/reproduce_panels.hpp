// From landscapes and comparisons to panels and findings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/reproduce/reproduction.hpp"

namespace greybox {

const LandscapeMap& map_of(const LandscapeGrid& landscape, const std::string& regularizer);

FigurePanel panel_of(const LandscapeGrid& landscape, const std::string& regularizer,
                     std::vector<double> truth = {});
// The error of the predictions in the data's unit, or in per cent of their range; from 0 upward, so that an
// error that is the same everywhere looks so.
FigurePanel rmse_panel(const LandscapeGrid& landscape, std::vector<double> truth = {});
FigurePanel nrmse_panel(const LandscapeGrid& landscape, std::vector<double> truth = {});

std::pair<double, double> range_of(const std::vector<double>& values);  // of those that are numbers

// Where R is below `share` of its median: the values of one axis there, lowest and highest. A valley is long.
std::pair<double, double> valley(const LandscapeGrid& landscape, const std::string& regularizer,
                                 std::size_t axis, double share);

// Where the networks behind a landscape have their lowest points; nothing of one network.
void find_spread(Reproduction& work, const LandscapeGrid& seen, const std::string& regularizer,
                 std::size_t axis);

// About landscapes and a comparison in a figure's note.
std::string networks_text(std::size_t n_networks);
std::string trials_text(std::size_t n_trials, std::size_t epochs);

// What the paper says of its comparisons. R that is a logarithm is compared by differences.
void find_in_comparison(Reproduction& work, const Comparison& compared, bool is_logarithm = false);

}  // namespace greybox
