// Runge–Kutta methods as data: a method is its Butcher table.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace greybox {

struct Tableau {
  std::string_view name;
  int order = 1;
  // Stage i uses derivatives 0 … i-1, and its own where the row has that entry: an implicit stage. Stage 0 is
  // explicit, and all implicit stages have the same entry.
  std::vector<std::vector<double>> a;
  std::vector<double> b;
  std::vector<double> c;
  // b minus the embedded method's weights; empty for methods without error control. Methods with error
  // control have their last stage at the new state ("first same as last"); with explicit stages only for the
  // error estimate.
  std::vector<double> b_error;
  std::size_t n_stages() const { return b.size(); }
  std::size_t n_solution_stages() const;  // without trailing stages that only the error estimate needs
  bool is_adaptive() const { return !b_error.empty(); }
  bool is_implicit() const { return a.back().size() == n_stages(); }
  double diagonal() const { return is_implicit() ? a.back().back() : 0; }
};

// euler, midpoint, rk4, rk4_38, dopri5, tsit5, kvaerno3, kvaerno5.
std::span<const Tableau> tableaux();
// Null for an unknown name.
const Tableau* find_tableau(std::string_view name);

}  // namespace greybox
