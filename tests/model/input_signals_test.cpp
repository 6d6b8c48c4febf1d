// Inputs at times of their own: files, steps, curves, dead time and boluses, against scipy
// (tests/fixtures/make_input_references.py) and against differences.
#include "model/input_signals.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "data/scratch_folder.hpp"
#include "model/engine.hpp"
#include "model/engine_harness.hpp"
#include "model/loaded_model.hpp"
#include "model/model_texts.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

struct InputReference {
  double time, value;
};

std::vector<InputReference> input_references(const std::string& problem, int entry = 0) {
  std::ifstream file(std::string(kSourceFolder) + "/tests/fixtures/input_references.csv");
  std::vector<InputReference> found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string name, time, which, value;
    for (std::string* cell : {&name, &time, &which, &value}) std::getline(cells, *cell, ',');
    if (name == problem && std::stoi(which) == entry) found.push_back({std::stod(time), std::stod(value)});
  }
  return found;
}

const std::string kKnots = "0,0\n0.37,2\n1.9,0.5\n2.6,3\n4,3.1\n5,1\n";
const std::vector<double> kKnotTimes = {0, 0.37, 1.9, 2.6, 4, 5}, kKnotValues = {0, 2, 0.5, 3, 3.1, 1};

TEST(SignalTrack, CubicIsThatOfScipy) {
  const SignalTrack track = make_track(Hold::cubic, kKnotTimes, kKnotValues, 0);
  const auto references = input_references("pchip");
  ASSERT_EQ(references.size(), 21U);
  for (const auto& [time, value] : references) EXPECT_NEAR(track.at(time), value, 1e-13) << time;
  EXPECT_TRUE(track.breaks.empty());
}

TEST(SignalTrack, LeavesOutWhatIsMissingAndHoldsTheEnds) {
  const SignalTrack track = make_track(Hold::linear, {0, 1, 2, 3}, {0, NAN, 4, 4}, 0.5);
  EXPECT_EQ(track.n_values, 3U);
  EXPECT_DOUBLE_EQ(track.at(1.5), 2);
  EXPECT_DOUBLE_EQ(track.at(0), 0);
  EXPECT_DOUBLE_EQ(track.at(9), 4);
  EXPECT_EQ(track.breaks, std::vector<double>{2.5});
  EXPECT_EQ(track.first, 0.5);
  EXPECT_EQ(track.last, 3.5);
}

TEST(SignalTrack, JumpsWhereATimeIsRepeated) {
  for (const Hold hold : {Hold::linear, Hold::cubic}) {
    const SignalTrack track = make_track(hold, {0, 1, 1, 2}, {1, 1, 3, 5}, 0);
    EXPECT_EQ(track.breaks, std::vector<double>{1});
    EXPECT_DOUBLE_EQ(track.at(1), 3);
    EXPECT_DOUBLE_EQ(track.piece_within(0.5, 1, 1).at(1), 1) << "before the jump";
    EXPECT_DOUBLE_EQ(track.piece_within(1, 2, 1).at(1), 3);
    EXPECT_DOUBLE_EQ(track.at(1.5), 4);
  }
  const SignalTrack held = make_track(Hold::previous, {0, 1, 1, 2}, {1, 7, 3, 3}, 0);
  EXPECT_EQ(held.breaks, std::vector<double>{1});
  EXPECT_DOUBLE_EQ(held.at(5), 3);
}

class OwnInput : public ScratchFolder {
 protected:
  std::string text(const std::string& inputs, const std::string& solver = "") const {
    return R"toml(scale = "none"
[data]
file = "data.csv"
[parameters]
k = { prior = "uniform", low = 0, high = 2 }
[inputs]
)toml" + inputs +
           R"toml(
[state]
x = "x"
[theory]
x = "u - k * x"
[observe]
x = "x"
[solver]
)toml" + solver;
  }

  // Values of what is observed at the rows after the first.
  std::vector<double> trajectory(const LoadedModel& loaded, double k = 1.3) const {
    ThreadPool pool(1);
    Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 1});
    Trajectories<double> kept;
    for (std::size_t o = 0; o < loaded.model->observed.size(); ++o)
      kept.observed.emplace_back(engine.n_outputs());
    const std::vector<std::size_t> windows = {0};
    const std::vector<double> theta(loaded.spec->parameters.size(), k);
    engine.forward({&loaded.data->windows(), windows, theta}, &kept);
    return kept.observed[0];
  }

  std::vector<double> trajectory(const std::string& model, double k = 1.3) const {
    return trajectory(load_model(write("model.toml", model)), k);
  }

  std::string message(const std::string& model) const {
    try {
      load_model(write("model.toml", model));
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string folder = path("").string();
      for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
      return text;
    }
    return "";
  }

  void write_rows(const std::vector<InputReference>& rows) const {
    std::string data = "time,x\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
      data += fmt::format("{},{}\n", rows[i].time, i == 0 ? 0.2 : 0.0);
    write("data.csv", data);
  }

  void expect_reference(const std::string& problem, const std::string& inputs, const std::string& solver,
                        double tolerance) const {
    const auto references = input_references(problem);
    write_rows(references);
    write("u.csv", "time,u\n" + kKnots);
    const std::vector<double> x = trajectory(text(inputs, solver));
    ASSERT_EQ(x.size() + 1, references.size());
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR(x[k], references[k + 1].value, tolerance) << references[k + 1].time << " " << solver;
  }
};

TEST_F(OwnInput, StepsWhereItsFileDoes) {
  const std::string held = "u = { file = \"u.csv\", hold = \"previous\" }";
  expect_reference("stepped", held, "method = \"rk4\"\nstep = 0.02\n", 1e-8);
  expect_reference("stepped", held, "method = \"tsit5\"\nrelative_tolerance = 1e-10\n", 1e-8);
  expect_reference("stepped", held, "method = \"kvaerno5\"\nrelative_tolerance = 1e-10\n", 1e-8);
}

TEST_F(OwnInput, FollowsACurve) {
  const std::string cubic = "u = { file = \"u.csv\", hold = \"cubic\" }";
  expect_reference("curved", cubic, "method = \"tsit5\"\nrelative_tolerance = 1e-10\n", 1e-6);
  expect_reference("curved", cubic, "method = \"rk4\"\nstep = 0.01\n", 1e-6);
}

// One step from row to row: rk4 makes exact what is a polynomial between kinks.
TEST_F(OwnInput, EndsStepsAtKinks) {
  write("data.csv", "time,x\n0,0\n10,0\n");
  write("u.csv", "time,u\n-2,0\n2.5,0\n3.5,2\n12,2\n");
  EXPECT_NEAR(trajectory(text("u = { file = \"u.csv\" }"), 0).back(), 1 + 2 * 6.5, 1e-12);
  EXPECT_NEAR(trajectory(text("u = { file = \"u.csv\", delay = 1.25 }"), 0).back(), 1 + 2 * 5.25, 1e-12);
  const std::string seconds = "u = { file = \"u.csv\", delay = \"75 s\" }";
  const std::string in_minutes =
      text(seconds).replace(text(seconds).find("file ="), 0, "time_unit = \"minutes\"\n");
  EXPECT_NEAR(trajectory(in_minutes, 0).back(), 1 + 2 * 5.25, 1e-12);
}

TEST_F(OwnInput, OfEachSeriesIsItsOwn) {
  write("data.csv", "series,time,x\na,0,0\na,2,0\nb,0,0\nb,2,0\n");
  write("u.csv", "series,time,u\nb,0,5\na,0,0\na,1,3\n");
  const LoadedModel loaded = load_model(
      write("model.toml", text("u = { file = \"u.csv\", hold = \"previous\" }", "method = \"euler\"\n")));
  ThreadPool pool(1);
  Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 2});
  Trajectories<double> kept;
  kept.observed.emplace_back(2 * engine.n_outputs());
  const std::vector<std::size_t> windows = {0, 1};
  const std::vector<double> theta(2, 0.0);
  engine.forward({&loaded.data->windows(), windows, theta}, &kept);
  EXPECT_EQ(kept.observed[0], (std::vector<double>{3, 10}));
}

TEST_F(OwnInput, RepeatedTimesOfTheDataAreSteps) {
  write("data.csv", "time,x,pump\n0,0,1\n2,0,1\n2,,3\n4,0,3\n");
  for (const std::string hold : {"linear", "previous", "cubic"}) {
    const LoadedModel loaded =
        load_model(write("model.toml", text("u = { equation = \"pump\", hold = \"" + hold + "\" }")));
    EXPECT_EQ(loaded.data->table().n_rows(), 3U);
    EXPECT_EQ(loaded.data->account().n_repeated_rows, 1U);
    const std::vector<double> x = trajectory(loaded, 0);
    EXPECT_NEAR(x[0], 2, 1e-12) << hold;
    EXPECT_NEAR(x[1], 8, 1e-12) << hold;
  }
}

TEST_F(OwnInput, DelayCostsTheRowsBeforeIt) {
  write("data.csv", "time,x,pump\n0,0,0\n1,0,2\n2,0,2\n3,0,2\n4,0,2\n");
  const LoadedModel loaded =
      load_model(write("model.toml", text("u = { equation = \"pump\", delay = 1.5 }")));
  EXPECT_EQ(loaded.data->account().n_rows_without_inputs, 2U);
  EXPECT_NEAR(trajectory(loaded, 0).back(), 0.5 * (1 + 2) * 0.5 + 2 * 1.5, 1e-12);
}

// x' = k (u - x) with u from 0 to 1 at 2.9, sampled at 0, 1, 2, …: the k that fits best.
TEST_F(OwnInput, StepBetweenSamplesKeepsTheRate) {
  std::string data = "time,x,measured\n";
  for (int t = 0; t <= 10; ++t)
    data += fmt::format("{},{},{}\n", t, t < 3 ? 0 : 1 - std::exp(-(t - 2.9)), t < 3 ? 0 : 1);
  write("data.csv", data);
  write("u.csv", "time,u\n0,0\n2.9,1\n");
  const auto fitted = [&](const std::string& inputs) {
    std::string model = text(inputs, "method = \"rk4\"\nstep = 0.1\n");
    model.replace(model.find("u - k * x"), 9, "k * (u - x)");
    const LoadedModel loaded = load_model(write("model.toml", model));
    ThreadPool pool(1);
    Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 1});
    const std::vector<std::size_t> windows = {0};
    const auto error = [&](double k) {
      engine.forward({&loaded.data->windows(), windows, std::vector<double>{k}});
      return engine.squared_errors()[0];
    };
    double low = 0.5, high = 1.5;
    while (high - low > 1e-6) {
      const double left = low + (high - low) / 3, right = high - (high - low) / 3;
      (error(left) < error(right) ? high : low) = error(left) < error(right) ? right : left;
    }
    return low;
  };
  EXPECT_NEAR(fitted("u = { file = \"u.csv\", hold = \"previous\" }"), 1, 1e-3);
  EXPECT_GT(std::abs(fitted("u = \"measured\"") - 1), 0.05);
}

const std::string kDosed = R"toml(scale = "none"
[data]
file = "data.csv"
[parameters]
k = { prior = "uniform", low = 0, high = 2 }
[inputs.dose]
file = "doses.csv"
equation = "amount"
hold = "bolus"
into = "central"
[state]
central = "0"
peripheral = "0"
[define]
exchange = "0.4 * central - 0.25 * peripheral"
[theory]
central = "-30 * central / (40 + central) - exchange + 0 * k"
peripheral = "exchange"
[observe]
central = "central"
peripheral = "peripheral"
[solver]
method = "tsit5"
relative_tolerance = 1e-10
[regularizers]
size = "mean(central)"
duration = "mean(1)"
)toml";

TEST_F(OwnInput, BolusesJumpAsScipysDo) {
  write("doses.csv", "time,amount\n0,100\n3.3,50\n6,80\n6,20\n");
  for (const int entry : {0, 1}) {
    const auto references = input_references("dosed", entry);
    std::string data = "time,central,peripheral\n";
    for (const auto& [time, value] : references) data += fmt::format("{},0,0\n", time);
    write("data.csv", data);
    const LoadedModel loaded = load_model(write("model.toml", kDosed));
    ThreadPool pool(1);
    Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 1});
    Trajectories<double> kept;
    kept.observed = {std::vector<double>(engine.n_outputs()), std::vector<double>(engine.n_outputs())};
    const std::vector<std::size_t> windows = {0};
    const std::vector<double> theta = {1};
    engine.forward({&loaded.data->windows(), windows, theta}, &kept);
    for (std::size_t k = 1; k < references.size(); ++k)
      EXPECT_NEAR(kept.observed[static_cast<std::size_t>(entry)][k - 1], references[k].value, 1e-7)
          << references[k].time;
  }
}

// Ten steps of 0.1 from row to row: cut once they are eleven, and mean(t) must not move towards the cut.
TEST_F(OwnInput, CutsDoNotDistortMeans) {
  const auto mean_of_time = [&](const std::string& knots) {
    write("data.csv", "time,x\n0,0\n1,0\n");
    write("u.csv", "time,u\n" + knots);
    const LoadedModel loaded = load_model(
        write("model.toml", text("u = { file = \"u.csv\", hold = \"previous\" }",
                                 "method = \"midpoint\"\nstep = 0.1\n[regularizers]\nm = \"mean(t)\"\n")));
    ThreadPool pool(1);
    Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 1});
    const std::vector<std::size_t> windows = {0};
    const std::vector<double> theta = {1};
    engine.forward({&loaded.data->windows(), windows, theta});
    EXPECT_NEAR(engine.evaluation_weights()[0], 20, 1e-9);
    return engine.term_sums(0)[0] / engine.evaluation_weights()[0];
  };
  EXPECT_NEAR(mean_of_time("0,0\n0.999,1\n"), mean_of_time("0,0\n"), 2e-3);
}

TEST(OwnInputGradient, PassesThroughJumpsCurvesAndDelays) {
  const std::string inputs = R"toml([inputs]
push = { equation = "u", hold = "cubic" }
pull = { equation = "w", hold = "previous", delay = 0.05 }
[inputs.kick]
equation = "y"
hold = "bolus"
into = "v"
delay = 0.03
)toml";
  const std::string before = "[inputs]\npush = \"u\"\npull = \"w\"\n";
  const auto with = [&](std::string text, const std::string& solver) {
    text.replace(text.find(before), before.size(), inputs);
    text.replace(text.find(kRungeKutta), kRungeKutta.size(), solver);
    return text;
  };
  expect_model_gradients(with(driven_oscillator(), kRungeKutta), 2e-7, {1, 5});
  expect_model_gradients(with(driven_oscillator(), "[solver]\nmethod = \"rk4\"\n"), 2e-7, {3});
  expect_model_gradients(with(driven_oscillator(), "[solver]\nmethod = \"kvaerno3\"\n"), 1e-5, {3});
}

TEST_F(OwnInput, SaysWhatItsFileLacks) {
  const std::string data = "time,x\n0,0\n1,0\n5,0\n", linear = "u = { file = \"u.csv\" }";
  write("data.csv", data);
  EXPECT_EQ(message(text(linear)),
            "model.toml:7:14: error: there is no file u.csv for the input `u`\n"
            "  7 | u = { file = \"u.csv\" }\n    |              ^^^^^^^\n"
            "  help: paths are relative to the model file");
  write("u.csv", "time,u\n0,1\n4,1\n");
  EXPECT_EQ(
      message(text(linear)),
      "u.csv: error: the input `u` has values from 0 to 4, and a window of series `all` reaches from 0 to 5\n"
      "  help: give later values, or write hold = \"previous\" where the last one stays");
  EXPECT_EQ(
      message(text("u = { file = \"u.csv\", hold = \"previous\", delay = 2 }")),
      "u.csv: error: the input `u` has values from 2 on, its delay included, and a window of series `all` "
      "reaches from 0 to 5\n  help: give earlier values, or leave out what is measured before them");
  EXPECT_EQ(message(text("u = { file = \"u.csv\", equation = \"v\" }")),
            "model.toml:7:35: error: `v` is not a column of the data\n"
            "  7 | u = { file = \"u.csv\", equation = \"v\" }\n    |                                   ^\n"
            "  help: u.csv has the columns u");
  EXPECT_NE(message(text("u = { file = \"u.csv\", time = \"tmie\" }")).find("did you mean `time`?"),
            std::string::npos);
  write("u.csv", "a,u\n0,1\n4,1\n");
  EXPECT_NE(message(text(linear)).find("u.csv has no column that is the time"), std::string::npos);
  write("u.csv", "time,u\n2021-01-01,1\n2021-01-02,1\n");
  EXPECT_NE(message(text(linear)).find("the times of u.csv are dates, and those of data.csv are numbers"),
            std::string::npos);
  write("u.csv", "series,time,u\na,0,1\na,4,1\nb,0,1\n");
  EXPECT_NE(message(text(linear)).find("the input `u` has no values for series `all`"), std::string::npos);
  write("u.csv", "time,u\n3,1\n2,1\n");
  EXPECT_NE(message(text(linear)).find("time must increase within a series"), std::string::npos);
  write("data.csv", "time,x,u\n0,0,1\n5,0,1\n");
  write("u.csv", "time,u\n0,1\n5,1\n");
  EXPECT_NE(message(text(linear)).find("`u` is an input and also a column of the data"), std::string::npos);
}

TEST_F(OwnInput, OfSeriesWithoutADoseIsNone) {
  write("data.csv", "series,time,central,peripheral\na,0,0,0\na,1,0,0\nb,0,0,0\nb,1,0,0\n");
  write("doses.csv", "series,time,amount\nb,0.5,10\n");
  EXPECT_EQ(message(kDosed), "");
  write("doses.csv", "series,time,amount\nc,0.5,10\n");
  EXPECT_EQ(message(kDosed),
            "doses.csv: error: none of its series is one of the data, whose first is `a`\n"
            "  help: the file has c");
}

TEST_F(OwnInput, TimesOfDataWithoutInputsMustIncrease) {
  write("data.csv", "time,x\n0,0\n1,0\n1,0\n");
  write("u.csv", "time,u\n0,1\n4,1\n");
  EXPECT_NE(message(text("u = { file = \"u.csv\" }")).find("time must increase within a series"),
            std::string::npos);
}

}  // namespace
}  // namespace greybox::test
