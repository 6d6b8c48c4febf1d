// Made data: the distributions of the toy, and reaction–diffusion against independent arithmetic.
#include "data/generators.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/reaction_diffusion.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

TEST(Toy, FollowsThePaper) {
  double noise = 0, lowest = 10, highest = -10;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const DataTable table = make_toy(seed);
    ASSERT_EQ(table.n_rows(), 120u);
    for (std::size_t i = 0; i < 120; ++i) {
      const double x = table.find("x")->at(i);
      noise += std::pow(table.find("y")->at(i) - std::sin(x) - std::cos(x), 2);
      lowest = std::min(lowest, x);
      highest = std::max(highest, x);
    }
  }
  EXPECT_NEAR(std::sqrt(noise / 6000), 0.1, 0.005);
  EXPECT_NEAR(lowest, -std::numbers::pi, 0.01);
  EXPECT_NEAR(highest, std::numbers::pi, 0.01);
  EXPECT_GE(lowest, -std::numbers::pi);
  EXPECT_LE(highest, std::numbers::pi);
}

TEST(Toy, DependsOnTheSeedAlone) {
  EXPECT_EQ(make_toy(3).columns[1].values, make_toy(3).columns[1].values);
  EXPECT_NE(make_toy(3).columns[1].values, make_toy(4).columns[1].values);
}

DataTable made(std::size_t n_sequences, std::size_t grid_size, std::size_t n_threads,
               std::uint64_t seed = 1) {
  return make_reaction_diffusion({.n_sequences = n_sequences, .grid_size = grid_size, .n_threads = n_threads},
                                 seed);
}

TEST(ReactionDiffusionData, HasThePapersShape) {
  const DataTable table = made(3, 8, 1);
  EXPECT_EQ(table.n_rows(), 48u);
  EXPECT_EQ(table.series[2].first_row, 32u);
  EXPECT_EQ(table.time[15], 1.5);
  EXPECT_EQ(table.time[16], 0);
  for (const char* name : {"u", "v"}) {
    const Column& column = *table.find(name);
    EXPECT_EQ(column.height, 8u);
    EXPECT_EQ(column.width, 8u);
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_GT(column.at(0, i), 0);
      EXPECT_LT(column.at(0, i), 1);
    }
  }
  EXPECT_NE(table.find("u")->at(0), table.find("v")->at(0));
  EXPECT_NE(table.find("u")->at(0), table.find("u")->at(16));
}

TEST(ReactionDiffusionData, DoesNotDependOnThreadsOrOtherSequences) {
  const DataTable one = made(9, 6, 1), three = made(9, 6, 3), fewer = made(2, 6, 1);
  EXPECT_EQ(one.columns[0].values, three.columns[0].values);
  EXPECT_EQ(one.columns[1].values, three.columns[1].values);
  for (std::size_t row = 0; row < fewer.n_rows(); ++row)
    EXPECT_EQ(fewer.columns[0].at(row, 5), one.columns[0].at(row, 5));
  EXPECT_NE(one.columns[0].values, made(9, 6, 1, 2).columns[0].values);
}

TEST(ReactionDiffusionData, ReportsProgressAndCanBeStopped) {
  std::size_t last = 0;
  make_reaction_diffusion({.n_sequences = 10, .grid_size = 3, .n_threads = 1}, 0,
                          [&](std::size_t n_done, std::size_t n_all) {
                            EXPECT_GT(n_done, last);
                            EXPECT_EQ(n_all, 10u);
                            last = n_done;
                          });
  EXPECT_EQ(last, 10u);
  const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("stop"); };
  EXPECT_THROW(make_reaction_diffusion({.n_sequences = 2, .grid_size = 3, .n_threads = 1}, 0, stop),
               std::runtime_error);
}

TEST(ReactionDiffusionData, RefusesGridsItCannotSimulate) {
  for (const std::size_t size : {0u, 1u, 2u, 513u}) {
    test::expect_refused([&] { made(1, size, 1); }, "", "", "cannot be simulated");
  }
}

// A constant field stays constant, and follows u' = u - u³ - v - 0.005, v' = u - v.
TEST(ReactionDiffusionSystem, FollowsItsReactionWithoutGradients) {
  ReactionDiffusion system(5);
  for (std::size_t i = 0; i < 25; ++i) system.set(i, 0.8, 0.3);
  system.advance(100);
  double u = 0.8, v = 0.3;
  for (int i = 0; i < 100000; ++i) {
    const double du = u - u * u * u - v - 0.005, dv = u - v;
    u += 1e-6 * du;
    v += 1e-6 * dv;
  }
  std::vector<float> us(25), vs(25);
  system.copy_to(us.data(), vs.data());
  for (std::size_t i = 0; i < 25; ++i) {
    EXPECT_NEAR(us[i], u, 1e-6);
    EXPECT_NEAR(vs[i], v, 1e-6);
  }
}

// cos(π (x + 1 + h/2) k / (2 + h)) is an eigenvector of the no-flux Laplacian: v' - u = (b λ - 1) v when u is
// nearly zero.
TEST(ReactionDiffusionSystem, DiffusesWithoutFluxOverTheEdge) {
  constexpr std::size_t n = 7;
  constexpr double h = 2.0 / (n - 1), tiny = 1e-3;
  ReactionDiffusion system(n);
  const auto mode = [](std::size_t i) {
    return std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) * 2 / n);
  };
  for (std::size_t i = 0; i < n * n; ++i) system.set(i, 0, tiny * mode(i / n) * mode(i % n));
  system.advance(1);
  std::vector<float> u(n * n), v(n * n);
  system.copy_to(u.data(), v.data());
  const double eigenvalue = 2 * (2 * std::cos(2 * std::numbers::pi / n) - 2) / (h * h);
  for (std::size_t i = 0; i < n * n; ++i) {
    const double start = tiny * mode(i / n) * mode(i % n);
    // Over one step of 0.001, u stays near -0.001 (v + 0.005), which v feels at second order only.
    EXPECT_NEAR(v[i], start * std::exp(0.001 * (0.005 * eigenvalue - 1)), 1e-8);
    EXPECT_NEAR(u[i], -0.001 * (start + 0.005), 1e-8);
  }
}

}  // namespace
}  // namespace greybox
