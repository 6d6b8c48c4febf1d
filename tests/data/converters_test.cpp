// The published data sets converted; on made files always, on the real ones where they are at hand.
#include "data/converters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/npz.hpp"
#include "data/real_data.hpp"
#include "data/scratch_folder.hpp"
#include "data/windows.hpp"

namespace greybox {
namespace {

class ConvertersTest : public test::ScratchFolder {
 protected:
  void write_counts(const std::string& rows) {
    for (int i = 1; i <= 10; ++i) {
      write(fmt::format("C{}.csv", i),
            "time (days), algae (10^6 cells/ml), rotifers (animals/ml), eggs\n" + rows);
    }
  }
};

TEST_F(ConvertersTest, CutsEpisodesOutOfThePendulum) {
  std::vector<float> observations;
  for (std::size_t i = 0; i < 300 * 3; ++i) observations.push_back(static_cast<float>(i));
  std::vector<std::int64_t> starts(300, 0);
  starts[0] = starts[180] = 1;
  write_npz(path("a.npz"),
            std::vector<NamedArray>{{"obs", {{300, 3}, observations}}, {"episode_starts", {{300}, starts}}});
  const DataTable table = convert_pendulum(path("a.npz"));
  EXPECT_EQ(table.n_rows(), 200u);
  EXPECT_EQ(table.time[3], 0.15);
  EXPECT_EQ(table.find("cos_angle")->at(0), 0);
  EXPECT_EQ(table.find("velocity")->at(1), 5);
  EXPECT_EQ(table.find("sin_angle")->at(100), 541);
  EXPECT_EQ(table.series[1].name, "1");
}

TEST_F(ConvertersTest, RefusesOtherPendulumFiles) {
  const auto file = path("a.npz");
  const NpyArray steps{{2, 3}, std::vector<float>(6)}, starts{{2}, std::vector<std::int64_t>{1, 0}};
  const auto expect = [&](const std::vector<NamedArray>& arrays, const std::string& element,
                          const std::string& message) {
    write_npz(file, arrays);
    test::expect_refused([&] { convert_pendulum(file); }, file, element, message);
  };
  expect({{"episode_starts", starts}}, "array `obs`", "missing");
  expect({{"obs", steps}}, "array `episode_starts`", "missing");
  expect({{"obs", starts}, {"episode_starts", starts}}, "array `obs`", "(steps × 3)");
  expect({{"obs", steps}, {"episode_starts", starts}}, "array `episode_starts`, episode 0",
         "an episode of 2 steps");
}

TEST_F(ConvertersTest, InterpolatesCountsToWholeDays) {
  write_counts("0.5,1,100,NaN\n1.5,3,NaN,1\n2.5,5,300,1\n4,8,150,1\n");
  const DataTable table = convert_predator_prey(path(""));
  ASSERT_EQ(table.series.size(), 10u);
  EXPECT_EQ(table.series[9].name, "C10");
  EXPECT_EQ(table.series[1].first_row, 4u);
  // Day 1 lies a quarter of the way from 0.5 to 2.5, since the row between has no rotifers.
  for (const auto& [row, time, prey, predator] :
       {std::tuple{0, 1.0, 1.0, 3.0}, {1, 2.0, 2.0, 5.0}, {2, 3.0, 3.0, 5.0}, {3, 4.0, 4.0, 3.0}}) {
    EXPECT_EQ(table.time[static_cast<std::size_t>(row)], time);
    EXPECT_NEAR(table.find("prey")->at(static_cast<std::size_t>(row)), prey, 1e-12);
    EXPECT_NEAR(table.find("predator")->at(static_cast<std::size_t>(row)), predator, 1e-12);
  }
}

TEST_F(ConvertersTest, RefusesOtherCounts) {
  write_counts("0,1,2,3\n1,2,3,4\n");
  write("C3.csv", "time (days),algae\n0,1\n");
  test::expect_refused([&] { convert_predator_prey(path("")); }, path("") / "C3.csv", "header", "`rotifers`");
  std::filesystem::remove(path("C1.csv"));
  test::expect_refused([&] { convert_predator_prey(path("")); }, path("") / "C1.csv", "", "no such file");
  write("C1.csv", "time (days),algae,rotifers\n0.5,1,2\n");
  test::expect_refused([&] { convert_predator_prey(path("")); }, path("") / "C1.csv", "", "two rows");
}

TEST_F(ConvertersTest, ChecksSources) {
  test::expect_refused([&] { check_sources(path(""), pendulum_sources()); }, path("") / "expert_pendulum.npz",
                       "", "no such file");
  write("expert_pendulum.npz", "something else");
  test::expect_refused([&] { check_sources(path(""), pendulum_sources()); }, path("") / "expert_pendulum.npz",
                       "", "SHA-256");
}

TEST_F(ConvertersTest, RealPendulum) {
  const auto folder = test::real_data();
  if (!folder)
    GTEST_SKIP() << "the pendulum data are not here; point GREYBOX_DATA_DIR to a folder that has them";
  check_sources(*folder / "pendulum", pendulum_sources());
  const DataTable table = convert_pendulum(*folder / "pendulum" / "expert_pendulum.npz");
  EXPECT_EQ(table.series.size(), 100u);
  EXPECT_EQ(table.n_rows(), 10000u);
  EXPECT_NEAR(table.find("cos_angle")->at(0), 0.99722856, 1e-8);
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    EXPECT_NEAR(std::hypot(table.find("cos_angle")->at(row), table.find("sin_angle")->at(row)), 1, 1e-5);
  }
  const auto windows = make_windows(table, {.length = 11});
  const auto splits = split_windows(
      table, windows, {.train = 0.4, .validation = 0.3, .test = 0.3, .by = SplitBy::series, .held_out = {}});
  EXPECT_EQ(std::count(splits.begin(), splits.end(), Split::train), 3600);
  EXPECT_EQ(std::count(splits.begin(), splits.end(), Split::test), 2700);
}

TEST_F(ConvertersTest, RealPredatorPrey) {
  const auto folder = test::real_data();
  if (!folder)
    GTEST_SKIP() << "the predator–prey data are not here; point GREYBOX_DATA_DIR to a folder that has them";
  check_sources(*folder / "predator-prey", predator_prey_sources());
  const DataTable table = convert_predator_prey(*folder / "predator-prey");
  ASSERT_EQ(table.series.size(), 10u);
  EXPECT_EQ(table.series[0].n_rows, 373u);  // days 1 to 373: the first row has no rotifers
  EXPECT_EQ(table.time[0], 1);
  EXPECT_EQ(table.series[7].n_rows, 183u);
  EXPECT_NEAR(table.find("prey")->at(table.series[6].first_row), 0.5 * 7.04, 1e-12);
}

}  // namespace
}  // namespace greybox
