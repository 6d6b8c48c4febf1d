// How points lie around their centre: in which directions wide, in which narrow.
#pragma once

#include <vector>

namespace greybox {

using Coordinates = std::vector<double>;

Coordinates centre_of(const std::vector<Coordinates>& points);

// Orthonormal, widest first; the largest component of each is positive.
std::vector<Coordinates> principal_directions(const std::vector<Coordinates>& points);

// The factors of the linear form whose variance over `some` is smallest compared with that over `all`.
Coordinates narrowest_form(const std::vector<Coordinates>& some, const std::vector<Coordinates>& all);

}  // namespace greybox
