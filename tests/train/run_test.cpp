// Runs in memory, in folders, and on the way from one to the other.
#include "greybox/run.hpp"

#include <atomic>
#include <cmath>
#include <optional>

#include "core/checksum.hpp"
#include "data/table.hpp"
#include "data/table_writer.hpp"
#include "greybox/memory.hpp"
#include "support/paths.hpp"
#include "train/run_record.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

constexpr const char* kSettings =
    "regularizer = \"centred\"\nlambda = 0.01\nepochs = 5\nbatch = 5\nvalidate_every = 2";

// A field that falls, with one convolution.
constexpr const char* kField = R"toml(name = "field"
scale = "none"
[data]
file = "nowhere.npz"
time = "clock"
split = { train = 0.5, validation = 0.25, test = 0.25 }
[parameters]
k = { prior = "uniform", low = 0.5, high = 2 }
[grid]
height = 3
width = 4
[state]
u = "u"
[theory]
u = "-k * u"
[network.fD]
kind = "conv2d"
inputs = ["u"]
channels = [2]
outputs = ["u"]
[observe]
u = "u"
[solver]
method = "rk4"
step = 0.1
[train]
epochs = 2
batch = 2
)toml";

class RunObject : public test::ToyFolder {
 protected:
  static Model toy(const std::string& more = "") {
    return Model::parse(test::toy_model(kSettings + ("\n" + more)), "toy");
  }
  // The rows of data.csv, as arrays.
  static Table arrays(double shift = 0) {
    std::vector<double> x, y;
    for (int i = 0; i < 60; ++i) {
      x.push_back(6.0 * i / 60 - 3);
      y.push_back(std::sin(x.back()) + std::cos(x.back()) + 0.1 * std::sin(77.0 * i) + shift);
    }
    return Table().column("x", x).column("y", y);
  }
  static Table fields() {
    std::vector<std::int64_t> ids;
    std::vector<double> clock;
    std::vector<float> u;
    for (int series = 0; series < 4; ++series)
      for (int step = 0; step < 3; ++step) {
        ids.push_back(series);
        clock.push_back(0.2 * step);
        for (int p = 0; p < 12; ++p)
          u.push_back(static_cast<float>(std::sin(p + series) * std::exp(-0.2 * step)));
      }
    return Table().series(ids).time(clock).field("u", u, 3, 4);
  }
  static TrainOptions options(const std::filesystem::path& folder = {}) {
    return {.folder = folder, .execution = {.n_threads = 1}};
  }
  // Stopped after an epoch.
  static Run interrupted(const Model& model, TrainOptions request, std::size_t epoch) {
    std::atomic<bool> cancel = false;
    request.execution.cancel = &cancel;
    request.execution.progress = [&](const ProgressReport& report) { cancel = report.epoch->epoch == epoch; };
    Run run = train(model, arrays(), request);
    EXPECT_EQ(run.outcome(), TrainOutcome::interrupted);
    return run;
  }
  static void expect_same_curves(const Run& one, const Run& other) {
    const std::vector<EpochReport> a = one.curves(), b = other.curves();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].epoch, b[i].epoch);
      EXPECT_EQ(a[i].epochs, b[i].epochs);
      EXPECT_EQ(a[i].loss, b[i].loss);
      EXPECT_EQ(a[i].regularizer, b[i].regularizer);
      EXPECT_EQ(std::isnan(a[i].validation_loss), std::isnan(b[i].validation_loss));
      EXPECT_TRUE(std::isnan(a[i].validation_loss) || a[i].validation_loss == b[i].validation_loss);
      EXPECT_EQ(a[i].rate, b[i].rate);
    }
  }
  static void expect_same(const Run& one, const Run& other) {
    EXPECT_EQ(one.weights(), other.weights());
    EXPECT_EQ(one.record()->theta, other.record()->theta);
    EXPECT_EQ(one.record()->loss, other.record()->loss);
    expect_same_curves(one, other);
  }
  static double value_at(const Run& run, double x) {
    Evaluator f = run.evaluator({{"a", 1.2}, {"c", 0.3}});
    double y = 0;
    f.value(std::span(&x, 1), std::span(&y, 1));
    return y;
  }
};

// With scales that are measured on the data, too.
TEST_F(RunObject, LearnsTheSameFromFieldsThatStayInTheirFile) {
  std::string text = kField;
  text.replace(text.find("\"none\""), 6, "\"auto\"");
  const Model model = Model::parse(text, "field");
  write_table(path("fields.npz"), *fields().data(), model.table_options());
  const Table in_memory = model.read_table(path("fields.npz"));
  set_memory_limit(6400);
  const Table in_file = model.read_table(path("fields.npz"));
  set_memory_limit(0);
  const auto stays_in_file = [](const Table& table) {
    return std::visit([](const auto& values) { return values.is_in_file(); },
                      table.data()->find("u")->values);
  };
  ASSERT_TRUE(stays_in_file(in_file));
  ASSERT_FALSE(stays_in_file(in_memory));
  expect_same(train(model, in_file, options()), train(model, in_memory, options()));
}

TEST_F(RunObject, InMemoryAndInAFolderHaveTheSameBits) {
  for (bool is_single : {true, false})
    for (TrainMode mode : {TrainMode::adaptive, TrainMode::inductive, TrainMode::aphynity}) {
      TrainOptions request = options();
      request.mode = mode;
      request.single_precision = is_single;
      const Run in_memory = train(toy(), arrays(), request);
      EXPECT_TRUE(in_memory.folder().empty());
      EXPECT_EQ(in_memory.curves().size(), 5U);
      request.folder = path("run-" + to_string(mode) + (is_single ? "-float" : "-double"));
      expect_same(in_memory, train(toy(), arrays(), request));
      if (std::filesystem::exists(request.folder)) expect_same(in_memory, Run::open(request.folder));
    }
}

TEST_F(RunObject, ArraysAndAFileOfTheSameNumbersHaveTheSameBits) {
  const Table from_file = Table::read(path("data.csv"));
  std::vector<double> x, y;
  for (std::size_t row = 0; row < 60; ++row) {
    x.push_back(from_file.data()->find("x")->at(row));
    y.push_back(from_file.data()->find("y")->at(row));
  }
  expect_same(train(toy(), Table().column("x", x).column("y", y), options()),
              train(Model::read(model(kSettings)), options()));
}

TEST_F(RunObject, InMemoryTouchesNoDisk) {
  const auto n_files = [&] {
    return std::distance(std::filesystem::directory_iterator(path("")),
                         std::filesystem::directory_iterator());
  };
  const auto before = n_files();
  const Run run = train(toy(), arrays(), options());
  EXPECT_EQ(run.record()->data.file, "");
  EXPECT_EQ(run.dataset().n_windows(), 60U);
  EXPECT_EQ(n_files(), before);
}

TEST_F(RunObject, IsOpenedAsItWasSaved) {
  Run run = train(toy(), arrays(), options());
  run.save(path("saved"));
  EXPECT_EQ(run.folder(), path("saved"));
  const Run back = Run::open(path("saved"));
  expect_same(run, back);
  EXPECT_EQ(back.model().text(), run.model().text());
  EXPECT_EQ(back.outcome(), TrainOutcome::finished);
  EXPECT_EQ(back.record()->data.sha256, sha256_of_file(path("saved/data.csv")));
  EXPECT_EQ(back.dataset().n_windows(Split::test), 18U);
  EXPECT_EQ(value_at(back, 0.7), value_at(run, 0.7));
  std::filesystem::rename(path("saved"), path("moved"));
  EXPECT_EQ(Run::open(path("moved")).dataset().n_windows(), 60U) << "its data are with it";
}

TEST_F(RunObject, FieldsAreSavedToo) {
  const Model model = Model::parse(kField, "field");
  Run run = train(model, fields(), options());
  ASSERT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  run.save(path("saved"));
  EXPECT_TRUE(std::filesystem::exists(path("saved/data.npz")));
  const Run back = Run::open(path("saved"));
  EXPECT_EQ(back.weights(), run.weights());
  const std::vector<WindowInfo> before = run.dataset().windows(), after = back.dataset().windows();
  ASSERT_EQ(after.size(), 4U);
  for (std::size_t w = 0; w < 4; ++w) {
    EXPECT_EQ(after[w].series, before[w].series);
    EXPECT_EQ(after[w].start, before[w].start);
    EXPECT_EQ(after[w].split, before[w].split);
  }
  EXPECT_EQ(train(model, back.dataset().table(), options()).weights(), run.weights());
}

TEST_F(RunObject, ASavedRunMayBeSavedElsewhere) {
  Run run = train(toy(), arrays(), options());
  run.save(path("first"));
  Run back = Run::open(path("first"));
  back.save(path("second"));
  std::filesystem::remove_all(path("first"));
  const Run again = Run::open(path("second"));
  EXPECT_EQ(again.weights(), run.weights());
  EXPECT_EQ(again.dataset().n_windows(), 60U);
}

TEST_F(RunObject, TrainedFromArraysInAFolderHasItsDataThere) {
  const Run run = train(toy(), arrays(), options(path("run")));
  EXPECT_EQ(Run::open(path("run")).dataset().n_windows(), 60U);
}

TEST_F(RunObject, SavingDoesNotReplaceAnotherRunUnasked) {
  Run run = train(toy(), arrays(), options()), other = train(toy("draws = 2"), arrays(), options());
  run.save(path("run"));
  test::expect_refused([&] { other.save(path("run")); }, path("run"), "", "a finished run");
  EXPECT_TRUE(other.folder().empty());
  other.save(path("run"), true);
  EXPECT_EQ(Run::open(path("run")).weights(), other.weights());
}

TEST_F(RunObject, ResumesInMemoryToTheSameBits) {
  const Run whole = train(toy(), arrays(), options());
  const Run parts = interrupted(toy(), options(), 3);
  EXPECT_EQ(parts.curves().size(), 3U);
  const Run resumed = resume(parts);
  EXPECT_EQ(resumed.outcome(), TrainOutcome::finished);
  expect_same(whole, resumed);
  expect_same(whole, resume(resumed));  // there is nothing left to do
}

TEST_F(RunObject, ResumesAfterSavingAndOpeningToTheSameBits) {
  const Run whole = train(toy(), arrays(), options());
  Run parts = interrupted(toy(), options(), 3);
  parts.save(path("saved"));
  const Run back = Run::open(path("saved"));
  EXPECT_EQ(back.outcome(), TrainOutcome::interrupted);
  const Run resumed = resume(back);
  EXPECT_EQ(resumed.outcome(), TrainOutcome::finished);
  expect_same(whole, resumed);
  expect_same(whole, Run::open(path("saved")));
}

TEST_F(RunObject, ResumesAfterSavingToTheSameBits) {
  const Run whole = train(toy(), arrays(), options());
  Run parts = interrupted(toy(), options(), 3);
  parts.save(path("saved"));
  expect_same(whole, resume(parts));
}

TEST_F(RunObject, ARefitMayBeResumed) {
  const Theta theta = {{"a", 1}, {"c", 0.25}};
  TrainOptions request = options();
  request.mode = TrainMode::refit;
  request.theta = theta;
  const Run whole = train(toy(), arrays(), request);
  expect_same(whole, resume(interrupted(toy(), request, 2)));
}

TEST_F(RunObject, SaysItIsNotFinished) {
  const Run run = interrupted(toy(), options(), 2);
  EXPECT_EQ(run.message(), "interrupted after 2 of 5 epochs");
  EXPECT_THROW(run.evaluator({{"a", 1}, {"c", 0}}), InputError);
}

TEST_F(RunObject, ReportsEveryEpochOnce) {
  std::vector<std::size_t> epochs;
  TrainOptions request = options();
  request.execution.progress = [&](const ProgressReport& report) {
    EXPECT_EQ(report.stage, "training");
    EXPECT_EQ(report.unit, "epochs");
    EXPECT_EQ(report.n_total, 5U);
    EXPECT_EQ(report.n_done, report.epoch->epoch);
    epochs.push_back(report.epoch->epoch);
  };
  train(toy(), arrays(), request);
  EXPECT_EQ(epochs, (std::vector<std::size_t>{1, 2, 3, 4, 5}));
}

TEST_F(RunObject, CopiesAreTheSameRun) {
  Run run = train(toy(), arrays(), options());
  const Run copy = run;
  run.save(path("saved"));
  EXPECT_EQ(copy.folder(), path("saved"));
}

TEST_F(RunObject, AFolderOfNoRunIsRefused) {
  test::expect_refused([&] { Run::open(path("nowhere")); }, path("nowhere"), "", "it has no model.toml");
  Run run = train(toy(), arrays(), options());
  run.save(path("run"));
  RunRecord record = read_record(path("run"));
  record.version = "7.0.0";
  write_record(path("run"), record);
  test::expect_refused([&] { Run::open(path("run")); }, path("run/run.json"), "", "made by greybox 7.0.0");
  std::filesystem::remove(path("run/run.json"));
  EXPECT_FALSE(Run::open(path("run")).record()) << "model.toml and weights.npz alone are enough";
}

TEST_F(RunObject, ACopyInMemoryNeedsNoFolder) {
  const Run whole = train(toy(), arrays(), options());
  {
    const Run stopped = interrupted(toy(), options(path("run")), 2);
    const Run copy = stopped.in_memory();
    std::filesystem::remove_all(path("run"));
    EXPECT_TRUE(copy.folder().empty());
    expect_same_curves(copy.in_memory(), copy);
    expect_same(resume(copy, {.n_threads = 1}), whole);
  }
  Run finished = train(toy(), arrays(), options(path("run")));
  Run copy = finished.in_memory();
  std::filesystem::remove_all(path("run"));
  expect_same(copy, whole);
  EXPECT_EQ(copy.dataset().n_windows(), whole.dataset().n_windows());
  copy.save(path("again"));
  expect_same(Run::open(path("again")), whole);
  EXPECT_EQ(whole.in_memory().record()->ledger.size(), 1U);
}

// tests/fixtures/old_run was written by the tool of version 0.1.0; the paths of its record were made
// relative.
class OldRun : public RunObject {
 protected:
  OldRun() {
    std::filesystem::copy(std::filesystem::path(kSourceFolder) / "tests/fixtures/old_run", path("old"));
  }
};

TEST_F(OldRun, IsOpened) {
  const Run run = Run::open(path("old"));
  EXPECT_EQ(run.outcome(), TrainOutcome::finished);
  const std::optional<RunRecord> record = run.record();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->version, "0.1.0");
  EXPECT_EQ(record->options.mode, TrainMode::inductive);
  EXPECT_EQ(record->theta.at("a"), 1.2809159755706787);
  EXPECT_EQ(record->ledger.at(0).regularizer, "normD");
  ASSERT_EQ(run.curves().size(), 2U);
  EXPECT_EQ(run.curves()[1].loss, record->loss);
  EXPECT_EQ(run.dataset().n_windows(), 8U);
}

// Recorded from `greybox predict` of the same version.
TEST_F(OldRun, SaysWhatItSaidThen) {
  Evaluator f = Run::open(path("old")).evaluator({{"a", 1.5}});
  const double x[] = {0.5, 2, -1.5}, expected[] = {1.7632980995983287, 4.177891784081081, -1.390103968810111};
  for (std::size_t i = 0; i < 3; ++i) {
    double y = 0;
    f.value(std::span(&x[i], 1), std::span(&y, 1));
    EXPECT_NEAR(y, expected[i], 1e-12);
  }
}

TEST_F(OldRun, MayBeSavedAndRefitted) {
  Run run = Run::open(path("old"));
  run.save(path("copy"));
  EXPECT_EQ(Run::open(path("copy")).weights(), run.weights());
  EXPECT_EQ(refit(run, {{"a", 1}}, options()).record()->options.lambda, 0.1);
}

}  // namespace
}  // namespace greybox
