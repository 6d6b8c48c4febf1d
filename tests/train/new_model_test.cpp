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

// Rates count in R, and what they add up to in L: the same motion in other units of time has another λ.
TEST_F(NewModel, WeighsTheRegularizerByTheDurationOfAWindow) {
  const auto wave = [](double t) { return Cells{std::sin(t) + 2}; };
  dataset_of(data("time,level", wave), "");
  EXPECT_NE(text_.find("\nlambda = 1e-4 "), std::string::npos) << text_;
  std::string text = "time [ms],level\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},{}\n", 2.5 * i, std::sin(0.25 * i) + 2);
  dataset_of(write("fast.csv", text), "");
  EXPECT_NE(text_.find("\nlambda = 1e-8 "), std::string::npos) << text_;
}

TEST_F(NewModel, OfEachTemplate) {
  const auto cycle = [](double t) { return Cells{2 + std::sin(t), 1.5 + 0.5 * std::cos(t)}; };
  expect_trains(data("year,hare,lynx", cycle), "lotka-volterra");
  const auto epidemic = [](double t) { return Cells{300 * std::exp(-(t - 6) * (t - 6) / 8)}; };
  expect_trains(data("day,cases", epidemic), "sir");
  expect_trains(data("day,cases", epidemic), "seir");
  const auto growth = [](double t) { return Cells{10 / (1 + 9 * std::exp(-t))}; };
  expect_trains(data("time [h],biomass", growth), "logistic");
  const auto decay = [](double t) { return Cells{5 * std::exp(-0.4 * t) + 0.3, t < 2 ? 1.0 : 0.0}; };
  expect_trains(data("time,concentration,infusion", decay), "compartments");
  const auto fill = [](double t) { return Cells{3 + std::sin(0.5 * t), 2 + std::floor(t / 4)}; };
  expect_trains(data("t,y,u", fill), "tanks");
  const auto swing = [](double t) { return Cells{0.5 * std::cos(2 * t), -std::sin(2 * t)}; };
  expect_trains(data("time,angle,velocity", swing), "pendulum");
  const auto vessel = [](double t) {
    return Cells{0.5 + 0.3 * std::exp(-0.4 * t), 330 + 8 * std::sin(0.5 * t), 290 + 3 * std::floor(t / 5)};
  };
  expect_trains(data("Time (min),C_A,T,T_coolant", vessel), "reactor");
  EXPECT_NE(text_.find("coolant = { equation = \"T_coolant\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("# Note: `feed_rate`"), std::string::npos) << text_;
  const auto reaction = [](double t) { return Cells{300 + 3 * t, std::exp(20 - 6000 / (300 + 3 * t))}; };
  expect_trains(data("run,temperature,rate", reaction), "arrhenius");
}

TEST_F(NewModel, HasEveryTemplateTested) {
  EXPECT_EQ(model_templates().size(), 9U);
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

TEST_F(NewModel, TakesATimeForNoTemperature) {
  const auto reaction = [](double t) { return Cells{300 + 3 * t, std::exp(20 - 6000 / (300 + 3 * t))}; };
  dataset_of(data("Time (min),T,rate", reaction), "arrhenius");
  EXPECT_NE(text_.find("kelvin = \"T\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("`Time` is left out"), std::string::npos) << text_;
}

// Of an epidemic whose table says how many live there and how many have recovered, nothing is hidden.
TEST_F(NewModel, OfAnEpidemicWithItsPopulation) {
  std::string text = "region,date,population,infectious,recovered,lockdown\n";
  for (int region = 0; region < 8; ++region) {
    double ill = 200, recovered = 0;
    for (int day = 1; day <= 28; ++day) {
      text += fmt::format("r{},2020-02-{:02},{},{:.0f},{:.0f},{}\n", region, day, 100000 * (region + 1), ill,
                          recovered, day > 14 + region ? 1 : 0);
      recovered += 0.15 * ill;
      ill *= day > 14 + region ? 0.95 : 1.2;
    }
  }
  expect_trains(write("epidemic.csv", text), "sir");
  for (const char* line :
       {"susceptible = \"1 - (infectious + recovered) / population\"",
        "recovered = \"population * (1 - susceptible - infected)\"", "population = \"population\"",
        "policy = { equation = \"lockdown\", hold = \"previous\" }", "* exp(-policy_effect * policy)\""})
    EXPECT_NE(text_.find(line), std::string::npos) << line << "\n" << text_;
  EXPECT_EQ(text_.find("n_total"), std::string::npos) << text_;
}

// Doses and measurements at the same times, as pharmacometricians write them.
TEST_F(NewModel, TakesDosesForBoluses) {
  std::string text = "ID,TIME,AMT,DV,EVID,WT\n";
  for (int subject = 1; subject <= 12; ++subject)
    for (const int time : {0, 1, 2, 4, 8, 12, 24, 25, 28, 36}) {
      if (time % 24 == 0) text += fmt::format("{},{},300,.,1,{}\n", subject, time, 50 + subject);
      if (time > 0)
        text += fmt::format("{},{},.,{:.3f},0,{}\n", subject, time,
                            (12 + 0.1 * subject) * std::exp(-0.15 * (time % 24)), 50 + subject);
    }
  const auto file = write("doses.csv", text);
  for (const char* chosen : {"compartments", ""}) {
    expect_trains(file, chosen);
    for (const char* line :
         {"series = \"ID\"", "AMT = { equation = \"AMT\", hold = \"bolus\", into = \"depot\" }",
          "depot = \"-absorption * depot\"", "WT = \"WT\"", "given at instants (boluses)"})
      EXPECT_NE(text_.find(line), std::string::npos) << line << "\n" << text_;
    EXPECT_EQ(text_.find("EVID"), std::string::npos) << text_;
    EXPECT_EQ(check(Dataset(Model::parse(text_, "new.toml"))).text.find("no verdict"), std::string::npos)
        << text_;
    EXPECT_EQ(text_.find("window ="), std::string::npos) << "doses before a window would be forgotten\n"
                                                         << text_;
  }
}

TEST_F(NewModel, CountsMillisecondsInSeconds) {
  const auto swing = [](double t) { return Cells{std::sin(3 * t), 3 * std::cos(3 * t)}; };
  std::string text = "time_ms,q [rad],qd [rad/s]\n";
  for (int i = 0; i < 300; ++i)
    text += fmt::format("{},{:.6f},{:.6f}\n", 10 * i, swing(0.01 * i)[0], swing(0.01 * i)[1]);
  const Dataset dataset = dataset_of(write("joint.csv", text), "pendulum");
  EXPECT_NE(text_.find("time_unit = \"seconds\""), std::string::npos) << text_;
  const auto report = check(dataset);
  EXPECT_NE(report.text.find("0 to 2.99 seconds, steps of 0.01 seconds, converted from ms"),
            std::string::npos)
      << report.text;
}

// Lynx and hares of 91 and of 21 years.
TEST_F(NewModel, LeavesEnoughToJudgeBy) {
  for (const int n_years : {91, 21}) {
    std::string text = "Year,Hare,Lynx\n";
    for (int year = 0; year < n_years; ++year)
      text += fmt::format("{},{:.0f},{:.0f}\n", 1845 + year, 3e4 + 2e4 * std::sin(0.6 * year),
                          2e4 + 1e4 * std::cos(0.6 * year));
    const Dataset dataset = dataset_of(write("lynx.csv", text), "lotka-volterra");
    const auto report = check(dataset);
    EXPECT_EQ(report.text.find("there will be no verdict"), std::string::npos) << text_ << report.text;
    EXPECT_EQ(text_.find("too few rows to hold some back") == std::string::npos, n_years > 21) << text_;
  }
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

// Points around a ring, from -1 on.
NamedArray ring(std::vector<std::size_t> shape, std::size_t n_steps) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n_steps; ++i)
    for (int x = 0; x < 16; ++x)
      values.push_back(std::exp(-0.1 * static_cast<double>(i % 20)) * std::sin(std::acos(-1) * x / 8 + 1));
  return {"u", {std::move(shape), std::move(values)}};
}

TEST_F(NewModel, KnowsWhereThePointsOfFieldsAre) {
  std::vector<double> x, time;
  for (int i = 0; i < 16; ++i) x.push_back(-1 + 0.125 * i);
  for (int i = 0; i < 20; ++i) time.push_back(0.1 * i);
  const NamedArray points = {"x", {{16}, x}}, times = {"t", {{20}, time}};
  write_npz(path("many.npz"), std::vector{points, times, ring({8, 20, 16}, 160)});
  write_npz(path("one.npz"), std::vector{times, ring({20, 16}, 20), points});
  expect_trains(path("many.npz"), "");
  for (const char* file : {"one.npz", "many.npz"}) {
    dataset_of(path(file), "");
    for (const char* line : {"spacing = 0.125", "origin  = -1 ", "boundary = \"periodic\"", "width = 16"})
      EXPECT_NE(text_.find(line), std::string::npos) << line << "\n" << text_;
  }
  text_.replace(text_.find("spacing = 0.125"), 15, "spacing = 1");
  const auto warnings = check(Dataset(Model::parse(text_, "new.toml"))).warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("write spacing = 0.125"), std::string::npos) << warnings[0];
}

// No usual name of a time, and words for the experiments.
TEST_F(NewModel, FindsTimesByHowTheyRise) {
  std::string text = "Batch,h,biomass\n";
  for (int batch = 0; batch < 6; ++batch)
    for (int hour = 0; hour < 20; ++hour)
      text += fmt::format("B{},{},{:.4f}\n", batch, hour, 10 / (1 + (8.0 + batch) * std::exp(-0.4 * hour)));
  expect_trains(write("batches.csv", text), "logistic");
  for (const char* line : {"time = \"h\"", "series = \"Batch\"", "it is taken for the time"})
    EXPECT_NE(text_.find(line), std::string::npos) << line << "\n" << text_;
}

TEST_F(NewModel, OfOneValuePerRow) {
  std::string text = "Sample,t [h],Parameter,Result\n";
  for (int sample = 0; sample < 6; ++sample)
    for (int hour = 0; hour < 20; ++hour) {
      text += fmt::format("S{},{},glucose,{:.4f}\n", sample, hour, 5 * std::exp(-0.1 * hour) + 0.1 * sample);
      if (hour % 2 == 0)
        text += fmt::format("S{},{},lactate,{:.4f}\n", sample, hour, 2 - std::exp(-0.1 * hour));
    }
  expect_trains(write("long.csv", text), "");
  for (const char* line : {"long = { variable = \"Parameter\", value = \"Result\" }", "series = \"Sample\"",
                           "lactate = \"lactate\""})
    EXPECT_NE(text_.find(line), std::string::npos) << line << "\n" << text_;
}

TEST_F(NewModel, TakesInputsByNameAndByLetter) {
  const auto fill = [](double t) { return Cells{3 + std::sin(t), 2 + std::cos(t), std::cos(3 * t)}; };
  const auto file = data("time,uEst,yEst,room", fill);
  dataset_of(file, "tanks");
  EXPECT_NE(text_.find("pump = \"uEst\""), std::string::npos) << text_;
  EXPECT_NE(text_.find("lower = \"yEst\""), std::string::npos) << text_;
  text_ = new_model(file, {.inputs = {"uEst,room"}});
  EXPECT_NE(text_.find("uEst = \"uEst\"\nroom = \"room\""), std::string::npos) << text_;
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
