// Model files that are written for data: every template checks without a warning, and trains.
#include "greybox/new_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/npz.hpp"
#include "data/scratch_folder.hpp"
#include "greybox/check.hpp"
#include "greybox/train.hpp"

namespace greybox {
namespace {

class NewModel : public test::ScratchFolder {
 protected:
  // One row per time, made by `cells`.
  template <class F>
  std::filesystem::path data(const std::string& header, F&& cells, int n = 60) {
    std::string text = header + "\n";
    for (int i = 0; i < n; ++i) text += fmt::format("{},{}\n", 0.25 * i, fmt::join(cells(0.25 * i), ","));
    return write("data.csv", text);
  }

  Dataset dataset_of(const std::filesystem::path& file, const std::string& chosen) {
    text_ = new_model(file, {.template_name = chosen, .data_name = file.string()});
    return Dataset(Model::parse(text_, "new.toml"));
  }

  void expect_trains(const std::filesystem::path& file, const std::string& chosen) {
    const Dataset dataset = dataset_of(file, chosen);
    EXPECT_EQ(check(dataset).warnings, std::vector<std::string>{}) << text_;
    const Run run = train(dataset, {.epochs = 1});
    EXPECT_TRUE(run.record()->is_finished()) << text_;
    EXPECT_TRUE(std::isfinite(run.record()->loss)) << text_;
  }

  std::string text_;
};

using Cells = std::vector<double>;

TEST_F(NewModel, OfAnyColumns) {
  expect_trains(data("time,level [m],valve",
                     [](double t) {
                       return Cells{std::sin(t) + 2, std::floor(t / 5)};
                     }),
                "");
  EXPECT_NE(text_.find("[data.rename]"), std::string::npos) << text_;
  EXPECT_NE(text_.find("level = \"level [m]\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("by = \"time\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("[inputs]"), std::string::npos) << text_;
}

TEST_F(NewModel, OfEachTemplate) {
  const auto cycle = [](double t) { return Cells{2 + std::sin(t), 1.5 + 0.5 * std::cos(t)}; };
  expect_trains(data("year,hare,lynx", cycle), "lotka-volterra");
  const auto epidemic = [](double t) { return Cells{300 * std::exp(-(t - 6) * (t - 6) / 8)}; };
  expect_trains(data("day,cases", epidemic), "sir");
  const auto growth = [](double t) { return Cells{10 / (1 + 9 * std::exp(-t))}; };
  expect_trains(data("time [h],biomass", growth), "logistic");
  const auto decay = [](double t) { return Cells{5 * std::exp(-0.4 * t) + 0.3, t < 2 ? 1.0 : 0.0}; };
  expect_trains(data("time,concentration,infusion", decay), "compartments");
  const auto fill = [](double t) { return Cells{3 + std::sin(0.5 * t), 2 + std::floor(t / 4)}; };
  expect_trains(data("t,y,u", fill), "tanks");
  const auto swing = [](double t) { return Cells{0.5 * std::cos(2 * t), -std::sin(2 * t)}; };
  expect_trains(data("time,angle,velocity", swing), "pendulum");
  const auto reaction = [](double t) { return Cells{300 + 3 * t, std::exp(20 - 6000 / (300 + 3 * t))}; };
  expect_trains(data("run,temperature,rate", reaction), "arrhenius");
}

TEST_F(NewModel, HasEveryTemplateTested) {
  EXPECT_EQ(model_templates().size(), 7U);
}

// A window that begins in the middle of a series does not begin as the series does.
TEST_F(NewModel, LearnsWhereHiddenStatesStart) {
  const auto fill = [](double t) { return Cells{3 + std::sin(0.5 * t), 2 + std::floor(t / 4)}; };
  expect_trains(data("t,Level (V),Pump_V", fill), "tanks");
  EXPECT_NE(text_.find("upper = { start = \"learned\", prior = \"lognormal\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("observed = "), std::string::npos) << text_;
  EXPECT_NE(text_.find("pump = { equation = \"Pump_V\""), std::string::npos) << text_;
  // A network in a hidden equation would leave verdicts to how well it was trained.
  EXPECT_NE(text_.find("outputs = [\"lower\"]"), std::string::npos) << text_;
}

TEST_F(NewModel, FindsStatesByWordsInTheirNames) {
  const auto fill = [](double t) {
    return Cells{3 + std::sin(0.5 * t), 2 + std::cos(0.5 * t), 2 + std::floor(t / 4)};
  };
  expect_trains(data("t,level,level_above,pump", fill), "tanks");
  EXPECT_NE(text_.find("lower = \"level\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("upper = \"level_above\""), std::string::npos) << text_;
}

TEST_F(NewModel, SaysWhatATemplateLeavesOut) {
  const auto swing = [](double t) {
    return Cells{0.5 * std::cos(2 * t), -std::sin(2 * t), std::cos(t), t * t};
  };
  expect_trains(data("time,q [rad],qd [rad/s],tau_motor [Nm],current", swing), "pendulum");
  EXPECT_NE(text_.find("torque = \"tau_motor\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("`current` has no part in this theory"), std::string::npos) << text_;
}

TEST_F(NewModel, OfFields) {
  std::vector<double> values;
  for (int s = 0; s < 6; ++s)
    for (int k = 0; k < 20; ++k)
      for (int i = 0; i < 8; ++i) values.push_back(std::exp(-0.1 * k) * std::cos(i + s));
  const std::vector<NamedArray> arrays = {{"u", {{6, 20, 8}, std::move(values)}}};
  write_npz(path("line.npz"), arrays);
  expect_trains(path("line.npz"), "");
  EXPECT_NE(text_.find("width = 8"), std::string::npos) << text_;
  EXPECT_NE(text_.find("laplacian(u)"), std::string::npos) << text_;
}

TEST_F(NewModel, OfDatesAndSeries) {
  std::string text = "id,date,x\n";
  for (int s = 0; s < 6; ++s)
    for (int d = 1; d <= 28; ++d) text += fmt::format("p{},2021-02-{:02},{}\n", s, d, std::exp(-0.1 * d) + s);
  text_ = new_model(write("data.csv", text), {.table = {.series_column = "id"}});
  EXPECT_NE(text_.find("time_unit = \"days\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("by = \"series\""), std::string::npos) << text_;
}

TEST_F(NewModel, RefusesWhatItCannotStartFrom) {
  const auto file = data("time,x", [](double t) { return Cells{t}; });
  test::expect_option_refused([&] { new_model(file, {.template_name = "lotka"}); }, "template",
                              "no template `lotka`");
  test::expect_refused([&] { new_model(file, {.template_name = "lotka-volterra"}); }, file, "",
                       "needs a column for `predator`");
  test::expect_refused([&] { new_model(data("time,x", [](double) { return Cells{1}; })); }, file, "",
                       "no column varies");
}

}  // namespace
}  // namespace greybox
