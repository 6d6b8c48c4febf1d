// Which windows may be taken as independent of each other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/windows.hpp"

namespace greybox {

// Fewer independent units tell nothing about how R would differ on other data.
inline constexpr std::size_t kFewestUnits = 6;

// The unit that each chosen window belongs to, counted from 0: windows; whole series where their windows
// overlap; or, of few series, stretches of overlapping windows no shorter than a window. Windows stand in the
// order of the table.
std::vector<std::size_t> independent_units(const std::vector<Window>& windows,
                                           std::span<const std::size_t> chosen);
std::size_t count_independent(const std::vector<Window>& windows, std::span<const std::size_t> chosen);

}  // namespace greybox
