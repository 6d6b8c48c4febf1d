// `greybox new`, from outside.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

#include "apps/run_tool.hpp"
#include "cases/golden_cases.hpp"

namespace greybox::test {
namespace {

class New : public ToolTest {};

TEST_F(New, WritesAModelThatChecks) {
  std::string text = "Time,x\n";
  for (int i = 0; i < 50; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  write("flow.csv", text);
  EXPECT_TRUE(expect_done({"new", "flow.csv"}).starts_with("flow.toml\n"));
  const std::string checked = expect_done({"check", "flow.toml"});
  EXPECT_NE(checked.find("time `Time`: 0 to 49, steps of 1"), std::string::npos) << checked;
  EXPECT_NE(checked.find("Before training\n"), std::string::npos) << checked;
  expect_wrong_input({"new", "flow.csv"}, "flow.toml: error: this file is already there");
  expect_done({"new", "flow.csv", "--template", "logistic", "--force"});
  expect_wrong_input({"new", "flow.csv", "--template", "logistik", "-o", "other.toml"},
                     "--template: error: there is no template `logistik`");
}

// 160 KB of names that are the same without their brackets.
TEST_F(New, NamesManyColumnsApartInNoTime) {
  constexpr int kColumns = 20'000;
  std::string text = "time";
  for (int k = 0; k < kColumns; ++k) text += fmt::format(",x({})", k);
  for (int row = 0; row < 3; ++row) {
    text += fmt::format("\n{}", row);
    for (int k = 0; k < kColumns; ++k) text += fmt::format(",{}", row);
  }
  write("many.csv", text + "\n");
  expect_done({"new", "many.csv", "-o", "many.toml"});
  const std::string model = read_text(path("many.toml"));
  for (const char* name : {"`x_data4`", "`x_data19999`"})
    EXPECT_NE(model.find(name), std::string::npos) << name;
}

// Columns that change slowly remember half of their rows; the time went with the square of those, 8 s here.
TEST_F(New, ReadsLongTablesQuickly) {
  std::string text = "time,x,y\n";
  for (int i = 0; i < 80'000; ++i) text += fmt::format("{},{},{}\n", i, i, i % 7);
  write("long.csv", text);
  const auto seconds = [] {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
  };
  const double before = seconds();
  expect_done({"new", "long.csv", "-o", "long.toml"});
  EXPECT_LT(seconds() - before, 3);
}

TEST_F(New, FindsTrajectoriesAndInputs) {
  std::string text = "batch,time [min],valve,torque,level\n";
  for (int batch = 0; batch < 6; ++batch)
    for (int i = 0; i < 40; ++i)
      text += fmt::format("b{},{},{:.3f},{:.4f},{:.4f}\n", batch, i, 1.37 * (i / 10) + 0.11 * batch,
                          std::sin(0.3 * i), std::cos(0.2 * i + batch));
  write("reactor.csv", text);
  expect_done({"new", "reactor.csv", "--inputs", "torque"});
  const std::string model = read_text(path("reactor.toml"));
  for (const char* line :
       {"series = \"batch\"", "valve = { equation = \"valve\", hold = \"previous\" }", "torque = \"torque\"",
        "[state]                             # initial values, from "
        "columns of a window's first row\nlevel = \"level\"\n\n"})
    EXPECT_NE(model.find(line), std::string::npos) << line << "\n" << model;
  expect_done({"check", "reactor.toml"});
  expect_wrong_input({"new", "reactor.csv", "--force", "--inputs", "tork"},
                     "--inputs: error: `reactor.csv` has no column `tork`");
}

// Headers, dates, decimal commas and codes as instruments and offices leave them.
TEST_F(New, ReadsUntidyTables) {
  std::string regions = "region,report_date,Population,Infectious (active)\n";
  std::string reactors = "Versuch;Zeit (min);C_A [mol/l];temp °C\n";
  for (int series = 0; series < 6; ++series)
    for (int i = 0; i < 24; ++i) {
      regions += fmt::format("R{},2020-03-{:02},{},{}\n", series, i + 1, 100000 * (series + 1),
                             i % 7 == 3 ? -9999 : 20000 + 900 * i * (series + 1));
      reactors += fmt::format("run{};{},5;0,{};{}\n", series, i, 10 + i,
                              i == 5 ? "n.d." : fmt::format("{},1", 30 + i % 5));
    }
  write("regions.csv", regions);
  write("reactors.csv", reactors);
  expect_done({"new", "regions.csv"});
  const std::string region = read_text(path("regions.toml"));
  for (const char* line : {"series = \"region\"", "time = \"report_date\"", "missing_words = [\"-9999\"]",
                           "[inputs]", "Population = \"Population\""})
    EXPECT_NE(region.find(line), std::string::npos) << line << "\n" << region;
  expect_done({"check", "regions.toml"});
  expect_done({"new", "reactors.csv"});
  const std::string reactor = read_text(path("reactors.toml"));
  for (const char* line : {"series = \"Versuch\"", "time = \"Zeit (min)\"", "temp_C = \"temp °C\"",
                           "missing_words = [\"n.d.\"]"})
    EXPECT_NE(reactor.find(line), std::string::npos) << line << "\n" << reactor;
  expect_done({"check", "reactors.toml"});
}

// Each batch a week after the one before, so that the time never starts again.
TEST_F(New, FindsTrajectoriesOnOneClock) {
  std::string text = "batch_id,sample time,biomass g/L\n";
  for (int batch = 0; batch < 6; ++batch)
    for (int i = 0; i < 20; ++i)
      text += fmt::format("B-{},2023-05-{:02} {:02}:00,{}\n", batch, 1 + 4 * batch, i, 0.1 * i * i);
  write("batches.csv", text);
  expect_done({"new", "batches.csv"});
  const std::string model = read_text(path("batches.toml"));
  for (const char* line : {"series = \"batch_id\"", "time = \"sample time\"", "time_unit = \"hours\""})
    EXPECT_NE(model.find(line), std::string::npos) << line << "\n" << model;
}

// Times in ms, velocities per s: nothing that is learned could mend `angle = "velocity"`.
TEST_F(New, IsToldAboutUnitsAndTooLittleData) {
  std::string text = "timestamp_ms,q [rad],qd [rad/s]\n", few = "stamp,q,qd\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("{},{:.6f},{:.6f}\n", 10 * i, std::sin(0.03 * i), 3 * std::cos(0.03 * i));
  for (int i = 0; i < 12; ++i)
    few += fmt::format("{},{:.6f},{:.6f}\n", 10 * i, std::sin(0.03 * i), 3 * std::cos(0.03 * i));
  write("joint.csv", text);
  write("few.csv", few);
  expect_done({"new", "joint.csv", "--template", "pendulum"});
  EXPECT_EQ(expect_done({"check", "joint.toml"}).find("times as fast as its equation says"),
            std::string::npos);
  expect_done({"new", "few.csv", "--template", "pendulum", "--time", "stamp"});
  const std::string checked = greybox({"check", "few.toml"}).out;
  EXPECT_NE(checked.find("`angle` changes in the data 0.001 times as fast"), std::string::npos) << checked;
  EXPECT_NE(checked.find("there will be no verdict"), std::string::npos) << checked;
}

TEST_F(New, NamesTheColumnOfDates) {
  write("visits.csv", "visit,x\n2020-03-01,1\n2020-03-02,2\n");
  expect_wrong_input({"new", "visits.csv"}, "`2020-03-01` is a date, and no column was taken for the time");
}

}  // namespace
}  // namespace greybox::test
