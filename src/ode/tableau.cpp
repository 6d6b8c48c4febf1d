// The methods' coefficients.
#include "ode/tableau.hpp"

#include <algorithm>

namespace greybox {
namespace {

Tableau euler() {
  return {.name = "euler", .order = 1, .a = {{}}, .b = {1}, .c = {0}, .b_error = {}};
}

Tableau midpoint() {
  return {
      .name = "midpoint", .order = 2, .a = {{}, {1.0 / 2}}, .b = {0, 1}, .c = {0, 1.0 / 2}, .b_error = {}};
}

Tableau rk4() {
  return {.name = "rk4",
          .order = 4,
          .a = {{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
          .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
          .c = {0, 1.0 / 2, 1.0 / 2, 1},
          .b_error = {}};
}

// Kutta's 3/8 rule.
Tableau rk4_38() {
  return {.name = "rk4_38",
          .order = 4,
          .a = {{}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}},
          .b = {1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8},
          .c = {0, 1.0 / 3, 2.0 / 3, 1},
          .b_error = {}};
}

// Dormand & Prince, "A family of embedded Runge–Kutta formulae" (1980), RK5(4)7M.
Tableau dopri5() {
  return {.name = "dopri5",
          .order = 5,
          .a = {{},
                {1.0 / 5},
                {3.0 / 40, 9.0 / 40},
                {44.0 / 45, -56.0 / 15, 32.0 / 9},
                {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
          .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
          .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
          .b_error = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};
}

// Tsitouras (2011), "Runge–Kutta pairs of order 5(4) satisfying only the first column simplifying
// assumption".
Tableau tsit5() {
  return {
      .name = "tsit5",
      .order = 5,
      .a = {{},
            {0.161},
            {-0.0084806554923569885444, 0.33548065549235698854},
            {2.8971530571054934321, -6.3594484899750748431, 4.3622954328695814110},
            {5.3258648284392566044, -11.748883564062827878, 7.4955393428898362083, -0.092495066361755249257},
            {5.8614554429464200287, -12.920969317847109292, 8.1593678985761586432, -0.071584973281400997225,
             -0.028269050394068382909},
            {0.096460766818065229518, 0.01, 0.47988965041449957478, 1.3790085741037418932,
             -3.2900695154360806799, 2.3247105240997739824}},
      .b = {0.096460766818065229518, 0.01, 0.47988965041449957478, 1.3790085741037418932,
            -3.2900695154360806799, 2.3247105240997739824, 0},
      .c = {0, 0.161, 0.327, 0.9, 0.98002554090450968573, 1, 1},
      .b_error = {0.0017800110522257714434, 0.00081643445965674690322, -0.0078808780102619960103,
                  0.14471100717326290754, -0.58235716545255522502, 0.45808210592918694666, -1.0 / 66}};
}

}  // namespace

std::size_t Tableau::n_solution_stages() const {
  const auto last = std::find_if(b.rbegin(), b.rend(), [](double weight) { return weight != 0; });
  return static_cast<std::size_t>(b.rend() - last);
}

std::span<const Tableau> tableaux() {
  static const std::vector<Tableau> all = {euler(), midpoint(), rk4(), rk4_38(), dopri5(), tsit5()};
  return all;
}

const Tableau* find_tableau(std::string_view name) {
  const auto all = tableaux();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Tableau& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace greybox
