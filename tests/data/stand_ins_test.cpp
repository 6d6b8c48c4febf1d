// Stand-ins for published data: the form of the originals, and physics that a reader can check.
#include "data/stand_ins.hpp"

#include <algorithm>
#include <cmath>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

TEST(SteeredPendulum, HasTheFormOfThePublishedEpisodes) {
  const DataTable table = make_steered_pendulum(0);
  ASSERT_EQ(table.series.size(), 100U);
  EXPECT_EQ(table.n_rows(), 10'000U);
  for (const Series& series : table.series) EXPECT_EQ(series.n_rows, 100U);
  EXPECT_DOUBLE_EQ(table.time[101] - table.time[100], 0.05);
}

TEST(SteeredPendulum, EndsUprightAndAtRest) {
  const DataTable table = make_steered_pendulum(3);
  for (const Series& series : table.series) {
    const std::size_t last = series.first_row + series.n_rows - 1;
    EXPECT_GT(table.find("cos_angle")->at(last), 0.95) << series.name;
    EXPECT_LT(std::abs(table.find("velocity")->at(last)), 0.5) << series.name;
  }
}

// The largest acceleration of an episode that is left over beside that of gravity.
double most_beside_gravity(const DataTable& table, const Series& series, double gravity) {
  double most = 0;
  for (std::size_t row = series.first_row + 1; row + 1 < series.first_row + series.n_rows; ++row) {
    const double acceleration =
        (table.find("velocity")->at(row + 1) - table.find("velocity")->at(row - 1)) / 0.1;
    most = std::max(most, std::abs(acceleration - 1.5 * gravity * table.find("sin_angle")->at(row)));
  }
  return most;
}

constexpr double kMotor = 6.5;  // 3 × 2, and the error of the difference

// What the theory lacks is the torque: the acceleration left over beside gravity is that of a limited motor.
TEST(SteeredPendulum, LeavesOutOfTheTheoryNoMoreThanTheMotorCanDo) {
  const DataTable table = make_steered_pendulum(1);
  double most = 0;
  for (const Series& series : table.series) most = std::max(most, most_beside_gravity(table, series, 10));
  EXPECT_GT(most, 3);
  EXPECT_LT(most, kMotor);
}

TEST(SteeredPendulum, TellsItsGravityOnlyWhenAskedForOne) {
  const DataTable usual = make_steered_pendulum(3), same = make_steered_pendulum(3, GravityRange{}),
                  other = make_steered_pendulum(3, GravityRange{.low = 7});
  EXPECT_EQ(usual.columns.size(), 3U);
  EXPECT_EQ(usual.find("true_gravity"), nullptr);
  for (const char* name : {"cos_angle", "sin_angle", "velocity"}) {
    EXPECT_EQ(same.find(name)->values, usual.find(name)->values);
    EXPECT_NE(other.find(name)->values, usual.find(name)->values);
  }
  EXPECT_EQ(same.find("true_gravity")->at(0), 10);
  EXPECT_EQ(other.find("true_gravity")->at(9'999), 7);
}

TEST(SteeredPendulum, DrawsAGravityPerEpisode) {
  const DataTable table = make_steered_pendulum(2, GravityRange{6, 14});
  double lowest = 100, highest = 0;
  for (const Series& series : table.series) {
    const double gravity = table.find("true_gravity")->at(series.first_row);
    EXPECT_EQ(table.find("true_gravity")->at(series.first_row + 99), gravity);
    lowest = std::min(lowest, gravity);
    highest = std::max(highest, gravity);
  }
  EXPECT_GE(lowest, 6);
  EXPECT_LT(lowest, 6.5);
  EXPECT_GT(highest, 13.5);
  EXPECT_LE(highest, 14);
}

// With another gravity than the told one more than a motor would be left over.
TEST(SteeredPendulum, FallsWithTheGravityItTells) {
  const DataTable table = make_steered_pendulum(2, GravityRange{6, 14});
  double most_otherwise = 0;
  for (const Series& series : table.series) {
    const double gravity = table.find("true_gravity")->at(series.first_row);
    EXPECT_LT(most_beside_gravity(table, series, gravity), kMotor) << series.name;
    most_otherwise = std::max(most_otherwise, most_beside_gravity(table, series, 20 - gravity));
  }
  EXPECT_GT(most_otherwise, 2 * kMotor);
}

TEST(SteeredPendulum, RefusesWhatIsNoGravity) {
  for (const GravityRange& range : {GravityRange{0, 1}, {-1, 1}, {2, 1}, {1, 1e9}, {NAN, 1}, {1, NAN}})
    test::expect_refused([&] { make_steered_pendulum(0, range); }, "", "", "not those of a pendulum");
}

TEST(Plankton, HasTenSeriesOfPositiveDensities) {
  const DataTable table = make_plankton(0);
  ASSERT_EQ(table.series.size(), 10U);
  EXPECT_EQ(table.series[6].name, "C7");
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    EXPECT_GT(table.find("prey")->at(row), 0);
    EXPECT_LT(table.find("prey")->at(row), 5);
    EXPECT_GT(table.find("predator")->at(row), 0);
    EXPECT_LT(table.find("predator")->at(row), 5);
  }
}

TEST(Plankton, GoesOnCycling) {
  const DataTable table = make_plankton(2);
  for (const Series& series : table.series) {
    int n_peaks = 0;
    for (std::size_t row = series.first_row + 1; row + 1 < series.first_row + series.n_rows; ++row) {
      const double here = table.find("prey")->at(row);
      if (here > 0.8 && here > table.find("prey")->at(row - 1) && here > table.find("prey")->at(row + 1))
        ++n_peaks;
    }
    EXPECT_GE(n_peaks, 8) << series.name;
    EXPECT_LE(n_peaks, 40) << series.name;
  }
}

TEST(StandIns, DependOnTheSeedAlone) {
  EXPECT_EQ(make_plankton(4).find("prey")->at(100), make_plankton(4).find("prey")->at(100));
  EXPECT_NE(make_plankton(4).find("prey")->at(100), make_plankton(5).find("prey")->at(100));
  EXPECT_NE(make_steered_pendulum(4).find("velocity")->at(50),
            make_steered_pendulum(5).find("velocity")->at(50));
}

}  // namespace
}  // namespace greybox
