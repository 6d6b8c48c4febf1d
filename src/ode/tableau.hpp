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
  std::vector<std::vector<double>> a;  // stage i uses derivatives 0 … i-1
  std::vector<double> b;
  std::vector<double> c;
  // b minus the embedded method's weights; empty for methods without error control. Methods with error
  // control have their last stage at the new state ("first same as last"), only for the error estimate.
  std::vector<double> b_error;
  std::size_t n_stages() const { return b.size(); }
  std::size_t n_solution_stages() const;  // without trailing stages that only the error estimate needs
  bool is_adaptive() const { return !b_error.empty(); }
};

// euler, midpoint, rk4, rk4_38, dopri5, tsit5.
std::span<const Tableau> tableaux();
// Null for an unknown name.
const Tableau* find_tableau(std::string_view name);

}  // namespace greybox
