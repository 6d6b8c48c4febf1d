// The methods' coefficients.
#include "ode/tableau.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

// The methods of Kværnø (2004), "Singly diagonally implicit Runge–Kutta methods with an explicit first
// stage": the last two stages are at the step's end, of the method's order and of one less.
Tableau stiffly_accurate(std::string_view name, int order, std::vector<std::vector<double>> a) {
  Tableau tableau{.name = name, .order = order, .a = std::move(a), .b = {}, .c = {}, .b_error = {}};
  tableau.b = tableau.a.back();
  for (const std::vector<double>& row : tableau.a)
    tableau.c.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  tableau.c[tableau.c.size() - 2] = tableau.c.back() = 1;
  tableau.b_error = tableau.b;
  const std::vector<double>& embedded = tableau.a[tableau.a.size() - 2];
  for (std::size_t j = 0; j < embedded.size(); ++j) tableau.b_error[j] -= embedded[j];
  return tableau;
}

Tableau kvaerno3() {
  const double g = 0.43586652150845899942;  // 6 g³ - 18 g² + 9 g = 1
  return stiffly_accurate(
      "kvaerno3", 3,
      {{},
       {g, g},
       {(-4 * g * g + 6 * g - 1) / (4 * g), (1 - 2 * g) / (4 * g), g},
       {(6 * g - 1) / (12 * g), -1 / ((24 * g - 12) * g), (-6 * g * g + 6 * g - 1) / (6 * g - 3), g}});
}

Tableau kvaerno5() {
  const double g = 0.26;
  return stiffly_accurate(
      "kvaerno5", 5,
      {{},
       {g, g},
       {0.13, 0.84033320996790809, g},
       {0.22371961478320505, 0.47675532319799699, -0.06470895363112615, g},
       {0.16648564323248321, 0.10450018841591720, 0.03631482272098715, -0.13090704451073998, g},
       {0.13855640231268224, 0, -0.04245337201752043, 0.02446657898003141, 0.61943039072480676, g},
       {0.13659751177640291, 0, -0.05496908796538376, -0.04118626728321046, 0.62993304899016403,
        0.06962479448202728, g}});
}

}  // namespace

std::size_t Tableau::n_solution_stages() const {
  const auto last = std::find_if(b.rbegin(), b.rend(), [](double weight) { return weight != 0; });
  return static_cast<std::size_t>(b.rend() - last);
}

std::span<const Tableau> tableaux() {
  static const std::vector<Tableau> all = {euler(),  midpoint(), rk4(),      rk4_38(),
                                           dopri5(), tsit5(),    kvaerno3(), kvaerno5()};
  return all;
}

const Tableau* find_tableau(std::string_view name) {
  const auto all = tableaux();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Tableau& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace greybox
