// Butcher tables against the order conditions, which no wrong digit survives.
#include "ode/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace greybox {
namespace {

using Vector = std::vector<double>;

Vector times_a(const Tableau& tableau, const Vector& x) {
  Vector result(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < tableau.a[i].size(); ++j) result[i] += tableau.a[i][j] * x[j];
  }
  return result;
}

Vector operator*(const Vector& x, const Vector& y) {
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i] * y[i];
  return result;
}

struct Condition {
  int order;
  Vector stages;  // Σ b_i stages_i = value
  double value;
};

// One condition per rooted tree with up to five nodes.
std::vector<Condition> order_conditions(const Tableau& t) {
  const Vector one(t.n_stages(), 1.0), &c = t.c;
  const Vector ac = times_a(t, c), acc = times_a(t, c * c), aac = times_a(t, ac);
  return {{1, one, 1.0},
          {2, c, 1.0 / 2},
          {3, c * c, 1.0 / 3},
          {3, ac, 1.0 / 6},
          {4, c * c * c, 1.0 / 4},
          {4, c * ac, 1.0 / 8},
          {4, acc, 1.0 / 12},
          {4, aac, 1.0 / 24},
          {5, c * c * c * c, 1.0 / 5},
          {5, c * c * ac, 1.0 / 10},
          {5, c * acc, 1.0 / 15},
          {5, c * aac, 1.0 / 30},
          {5, ac * ac, 1.0 / 20},
          {5, times_a(t, c * c * c), 1.0 / 20},
          {5, times_a(t, c * ac), 1.0 / 40},
          {5, times_a(t, acc), 1.0 / 60},
          {5, times_a(t, aac), 1.0 / 120}};
}

double residual(const Vector& b, const Condition& condition) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * condition.stages[i];
  return std::abs(sum - condition.value);
}

// The largest p such that all conditions up to order p hold.
int order_of(const Tableau& tableau, const Vector& b) {
  int order = 5;
  for (const Condition& condition : order_conditions(tableau)) {
    if (residual(b, condition) > 1e-14) order = std::min(order, condition.order - 1);
  }
  return order;
}

TEST(Tableau, HasTheOrderItClaims) {
  for (const Tableau& tableau : tableaux())
    EXPECT_EQ(order_of(tableau, tableau.b), tableau.order) << tableau.name;
}

TEST(Tableau, EmbeddedMethodIsOneOrderLower) {
  for (const Tableau& tableau : tableaux()) {
    if (!tableau.is_adaptive()) continue;
    Vector embedded = tableau.b;
    for (std::size_t i = 0; i < embedded.size(); ++i) embedded[i] -= tableau.b_error[i];
    EXPECT_EQ(order_of(tableau, embedded), tableau.order - 1) << tableau.name;
  }
}

TEST(Tableau, NodesAreRowSums) {
  for (const Tableau& tableau : tableaux()) {
    const Vector sums = times_a(tableau, Vector(tableau.n_stages(), 1.0));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      EXPECT_EQ(tableau.a[i].size(), i > 0 && tableau.is_implicit() ? i + 1 : i) << tableau.name;
      EXPECT_NEAR(sums[i], tableau.c[i], 2e-15) << tableau.name << ", stage " << i;
    }
  }
}

TEST(Tableau, LastStageOfAnAdaptiveMethodIsTheNewState) {
  for (const Tableau& tableau : tableaux()) {
    if (!tableau.is_adaptive()) continue;
    Vector last = tableau.a.back();
    if (!tableau.is_implicit()) last.push_back(0);
    EXPECT_EQ(last, tableau.b) << tableau.name;
    EXPECT_EQ(tableau.n_solution_stages(), tableau.n_stages() - (tableau.is_implicit() ? 0 : 1))
        << tableau.name;
  }
}

TEST(Tableau, ImplicitStagesHaveTheSameDiagonal) {
  for (const Tableau& tableau : tableaux()) {
    if (!tableau.is_implicit()) continue;
    EXPECT_GT(tableau.diagonal(), 0) << tableau.name;
    for (std::size_t i = 1; i < tableau.n_stages(); ++i)
      EXPECT_EQ(tableau.a[i].back(), tableau.diagonal()) << tableau.name;
  }
}

TEST(Tableau, ThreeEighthsRuleIsTheOneOfThePaper) {
  const Tableau& tableau = *find_tableau("rk4_38");
  EXPECT_EQ(tableau.c, (Vector{0, 1.0 / 3, 2.0 / 3, 1}));
  EXPECT_EQ(tableau.a[2], (Vector{-1.0 / 3, 1}));
  EXPECT_EQ(tableau.a[3], (Vector{1, -1, 1}));
  EXPECT_EQ(tableau.b, (Vector{0.125, 0.375, 0.375, 0.125}));
}

TEST(Tableau, IsFoundByName) {
  for (const char* name : {"euler", "midpoint", "rk4", "rk4_38", "dopri5", "tsit5", "kvaerno3", "kvaerno5"}) {
    ASSERT_NE(find_tableau(name), nullptr) << name;
    EXPECT_EQ(find_tableau(name)->name, name);
  }
  EXPECT_EQ(find_tableau("rk5"), nullptr);
}

}  // namespace
}  // namespace greybox
