// Pendulums with friction against an independent integration, and what the seed and the options change.
#include "data/damped_pendulum.hpp"

#include <algorithm>
#include <cmath>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

constexpr double kUsual = 0.2741556778080377;  // (2π / 12)²

// The midpoint rule in small steps: another method than the generator's.
std::pair<double, double> after_half_a_second(double angle, double velocity, double stiffness) {
  constexpr int n_steps = 5000;
  constexpr double step = 0.5 / n_steps;
  const auto pull = [&](double a, double v) { return -stiffness * std::sin(a) - 0.2 * v; };
  for (int i = 0; i < n_steps; ++i) {
    const double middle_angle = angle + step / 2 * velocity;
    const double middle_velocity = velocity + step / 2 * pull(angle, velocity);
    angle += step * middle_velocity;
    velocity += step * pull(middle_angle, middle_velocity);
  }
  return {angle, velocity};
}

TEST(DampedPendulum, FollowsItsEquation) {
  const DataTable table = make_damped_pendulum({.n_series = 3}, 5);
  ASSERT_EQ(table.n_rows(), 120U);
  for (const Series& series : table.series)
    for (std::size_t row = series.first_row; row + 1 < series.first_row + series.n_rows; ++row) {
      const auto [angle, velocity] =
          after_half_a_second(table.find("angle")->at(row), table.find("velocity")->at(row), kUsual);
      EXPECT_NEAR(table.find("angle")->at(row + 1), angle, 1e-8);
      EXPECT_NEAR(table.find("velocity")->at(row + 1), velocity, 1e-8);
      EXPECT_EQ(table.time[row + 1] - table.time[row], 0.5);
    }
}

TEST(DampedPendulum, StartsAtTheGivenDistances) {
  const DataTable table = make_damped_pendulum({.n_series = 500}, 1);
  double nearest = 10, farthest = 0;
  for (const Series& series : table.series) {
    const double distance =
        std::hypot(table.find("angle")->at(series.first_row), table.find("velocity")->at(series.first_row));
    nearest = std::min(nearest, distance);
    farthest = std::max(farthest, distance);
  }
  EXPECT_GE(nearest, 1.3);
  EXPECT_LE(farthest, 2.3);
  EXPECT_LT(nearest, 1.32);
  EXPECT_GT(farthest, 2.28);
}

TEST(DampedPendulum, DependsOnTheSeedAndNotOnOtherSeries) {
  const auto angles = [](std::size_t n, std::uint64_t seed) {
    return std::get<SharedValues<double>>(make_damped_pendulum({.n_series = n}, seed).columns[0].values);
  };
  const SharedValues<double> many = angles(5, 3), few = angles(2, 3);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(few, angles(2, 4));
}

TEST(DampedPendulum, DrawsAStiffnessPerSeries) {
  const DataTable table = make_damped_pendulum({.n_series = 200, .low = 0.1, .high = 1.5}, 2);
  double lowest = 10, highest = 0;
  for (const Series& series : table.series) {
    const double stiffness = table.find("true_stiffness")->at(series.first_row);
    EXPECT_EQ(table.find("true_stiffness")->at(series.first_row + 39), stiffness);
    lowest = std::min(lowest, stiffness);
    highest = std::max(highest, stiffness);
  }
  EXPECT_GE(lowest, 0.1);
  EXPECT_LT(lowest, 0.15);
  EXPECT_GT(highest, 1.45);
  EXPECT_LE(highest, 1.5);
}

TEST(DampedPendulum, RefusesWhatIsNoPendulum) {
  for (const auto& range : {std::pair{0.0, 1.0}, {-1.0, 1.0}, {2.0, 1.0}, {1.0, 1e9}, {NAN, 1.0}})
    test::expect_refused(
        [&] { make_damped_pendulum({.n_series = 1, .low = range.first, .high = range.second}, 0); }, "", "",
        "not those of a pendulum");
}

}  // namespace
}  // namespace greybox
