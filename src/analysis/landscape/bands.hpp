// What several networks say about the same quantity: mean, spread, and which points might be the lowest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace greybox {

// One value per place; NaN where some network has none.
std::vector<double> network_mean(std::span<const std::vector<double>> networks);
// Standard deviations (with n - 1); NaN for a single network.
std::vector<double> network_spread(std::span<const std::vector<double>> networks);

// Places whose height above the lowest place of the mean is within twice the spread of that height: a network
// trained anew might well be lowest there. Heights are compared network by network, so that what shifts a
// whole map does not count.
std::vector<std::uint8_t> may_be_lowest(std::span<const std::vector<double>> networks);

// Half-width of a 95 % interval of a mean over `n` independent units, in standard deviations of that mean
// over bootstrapped sets of them; these know n units alone, and Student's t knows that.
double bootstrap_factor(std::size_t n);

// Half-width of the 95 % prediction interval for one more network, given the mean of `n`, in units of their
// standard deviation.
double prediction_factor(std::size_t n);

}  // namespace greybox
