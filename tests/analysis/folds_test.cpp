// Comparisons over folds: what each trial holds out, what it reports, and that finished folds are kept.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/compare/compare_trial.hpp"
#include "greybox/compare.hpp"
#include "model/prediction.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

constexpr const char* kDecay = R"toml([data]
file   = "decay.csv"
window = { length = 3 }
split  = { train = 0.5, validation = 0.25, test = 0.25, by = "series" }
[parameters]
a = { prior = "uniform", low = 0.5, high = 2 }
[state]
x = "x"
[theory]
x = "-a * x"
[network.fD]
inputs  = ["x"]
hidden  = [4]
outputs = ["x"]
[observe]
x = "x"
[solver]
method = "rk4"
[train]
epochs = 3
)toml";

class FoldsTest : public test::ScratchFolder {
 protected:
  FoldsTest() {
    std::string rows = "series,time,x\n";
    for (int s = 0; s < 5; ++s)
      for (int k = 0; k < 18; ++k)
        rows += fmt::format("s{},{:.1f},{:.6f}\n", s, 0.1 * k,
                            (1 + 0.2 * s) * std::exp(-0.1 * k) + 0.01 * std::sin(7 * k + s));
    write("decay.csv", rows);
    write("decay.toml", kDecay);
  }

  CompareOptions options(Folds folds, std::size_t trials) const {
    CompareOptions result;
    result.folds = folds;
    result.trials = trials;
    result.modes = {TrainMode::inductive};
    result.lambdas = {0};
    result.execution.n_threads = 1;
    return result;
  }
  Comparison compared(const CompareOptions& request) const {
    return compare(Model::read(path("decay.toml")), request);
  }
};

TEST_F(FoldsTest, LeaveEachSeriesOutOnce) {
  const Comparison report = compared(options(Folds::series, 20));
  ASSERT_EQ(report.folds.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(report.folds[k].tested_on, fmt::format("s{}", k));
    EXPECT_EQ(report.folds[k].fold, k);
    ASSERT_EQ(report.folds[k].outputs.size(), 1U);
    EXPECT_GT(report.folds[k].outputs[0].rmse, 0);
    EXPECT_TRUE(std::isfinite(report.folds[k].log_likelihood));
  }
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].trials, 5U);
  double sum = 0;
  for (const ComparedFold& fold : report.folds) sum += fold.log_likelihood;
  EXPECT_NEAR(report.rows[0].log_likelihood.mean, sum / 5, 1e-12);
  EXPECT_GT(report.rows[0].log_likelihood.standard_error, 0);
}

TEST_F(FoldsTest, LeaveOutSeveralWhereThereAreMoreSeriesThanTrials) {
  const Comparison report = compared(options(Folds::series, 2));
  ASSERT_EQ(report.folds.size(), 2U);
  EXPECT_EQ(report.folds[0].tested_on, "s0, s2, s4");
  EXPECT_EQ(report.folds[1].tested_on, "s1, s3");
}

// Each trial is tested on rows that come after all that it learned from, and learns from more than the one
// before.
TEST_F(FoldsTest, RollTheOriginThroughTime) {
  const Model model = Model::read(path("decay.toml"));
  const std::vector<Fold> folds =
      make_folds(options(Folds::time, 2), model.spec()->data, *model.read_table().data());
  ASSERT_EQ(folds.size(), 2U);
  EXPECT_EQ(folds[0].tested_on, "0.6 to 1.1");
  EXPECT_EQ(folds[1].tested_on, "1.2 to 1.7");
  for (std::size_t k = 0; k < 2; ++k) {
    auto spec = std::make_shared<ModelSpec>(*model.spec());
    spec->data.split = folds[k].split;
    const LoadedModel loaded = assemble(spec, model.read_table().data(), std::vector<std::string>{});
    const auto rows_of = [&](Split split) {
      std::pair<std::size_t, std::size_t> rows = {1000, 0};
      for (const std::size_t w : loaded.data->of_split(split)) {
        const Window& window = loaded.data->windows().windows[w];
        const std::size_t first = window.first_row - loaded.data->table().series[window.series].first_row;
        rows = {std::min(rows.first, first), std::max(rows.second, first + window.n_rows)};
      }
      return rows;
    };
    EXPECT_EQ(rows_of(Split::test), std::pair(6 * (k + 1), 6 * (k + 2)));
    EXPECT_EQ(rows_of(Split::train).first, 0U);
    EXPECT_LE(rows_of(Split::train).second, rows_of(Split::validation).first);
    EXPECT_LE(rows_of(Split::validation).second, 6 * (k + 1));
  }
}

// The likelihood of one fold, computed from its own prediction.
TEST_F(FoldsTest, LikelihoodIsThatOfNormalErrorsAsOnValidationWindows) {
  const Model model = Model::read(path("decay.toml"));
  const CompareOptions request = options(Folds::series, 5);
  const TrialRunner runner(model, model.read_table(), request);
  const TrialResult result = runner.run({TrainMode::inductive, 0, 3}, {});
  EXPECT_EQ(result.log_likelihood, compared(request).folds[3].log_likelihood);
  const double rmse = result.outputs[0].rmse;
  // With the test errors' own size it would be this; any other size gives less.
  EXPECT_LE(result.log_likelihood, -0.5 - std::log(rmse) - 0.5 * std::log(2 * 3.14159265358979) + 1e-9);
  EXPECT_GT(result.log_likelihood, -0.5 - std::log(rmse) - 0.5 * std::log(2 * 3.14159265358979) - 5);
}

TEST_F(FoldsTest, FinishedFoldsAreKept) {
  CompareOptions request = options(Folds::time, 3);
  request.folder = path("folds");
  const Comparison first = compared(request);
  EXPECT_EQ(first.n_kept, 0U);
  const Comparison again = compared(request);
  EXPECT_EQ(again.n_kept, 3U);
  EXPECT_EQ(to_json(again), to_json(first));
  request.trials = 2;
  test::expect_refused([&] { compared(request); }, path("folds"), "", "its trials were run with");
  const auto json = nlohmann::json::parse(to_json(first));
  EXPECT_EQ(json["folds"].size(), 3U);
  EXPECT_TRUE(json["rows"][0]["log_likelihood"]["mean"].is_number());
  const auto files = write_comparison(first, path("folds"));
  ASSERT_EQ(files.size(), 6U);
  for (const auto& file : files) EXPECT_GT(std::filesystem::file_size(file), 100U) << file;
}

TEST_F(FoldsTest, ByDefaultLearnAsTheModelFileSays) {
  CompareOptions request = options(Folds::series, 2);
  request.modes.clear();
  request.lambdas.clear();
  const Comparison report = compared(request);
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].mode, "adaptive");
  EXPECT_EQ(report.rows[0].lambda, 0);
}

TEST_F(FoldsTest, RefuseDataThatCannotBeCut) {
  write("decay.csv", "time,x\n0,1\n1,0.5\n2,0.2\n3,0.1\n4,0.1\n5,0.1\n6,0.05\n7,0.04\n");
  test::expect_refused([&] { compared(options(Folds::series, 5)); }, path("decay.csv"), "",
                       "there is one series");
  test::expect_refused([&] { compared(options(Folds::time, 5)); }, path("decay.csv"), "", "no window");
}

}  // namespace
}  // namespace greybox
