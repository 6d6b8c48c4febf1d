// Inputs with files of their own, in trainings and run folders.
#include <filesystem>
#include <fstream>

#include "data/scratch_folder.hpp"
#include "greybox/check.hpp"
#include "greybox/train.hpp"
#include "support/paths.hpp"
#include "train/run_state.hpp"

namespace greybox::test {
namespace {

class InputFiles : public ScratchFolder {
 protected:
  Model written() const {
    write("data.csv", "series,time,x\na,0,0\na,1,0.2\na,2,0.9\na,3,1.3\nb,0,0\nb,1,0.1\nb,2,1\nb,3,1.4\n");
    write("pump.csv", "time,rate\n0,0\n0.7,1\n2.4,0.5\n");
    return Model::read(write("model.toml", R"toml(
[data]
file = "data.csv"
[inputs.u]
file = "pump.csv"
equation = "rate"
hold = "previous"
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
[state]
x = "x"
[theory]
x = "u - k * x"
[network.f]
inputs = ["x"]
hidden = [3]
outputs = ["x"]
[observe]
x = "x"
[regularizers]
R = "mean(norm2(network))"
[train]
regularizer = "R"
lambda = 1e-3
epochs = 2
)toml"));
  }
  TrainOptions options(const std::string& folder) const {
    return {.folder = folder.empty() ? std::filesystem::path() : path(folder), .execution = {.n_threads = 1}};
  }
};

TEST_F(InputFiles, AreRecordedAndReadAgain) {
  const Run run = train(written(), options("run"));
  const RunRecord record = *Run::open(path("run")).record();
  ASSERT_TRUE(record.inputs.contains("u"));
  EXPECT_EQ(record.inputs.at("u").file, std::filesystem::absolute(path("pump.csv")).string());
  const Run opened = Run::open(path("run"));
  EXPECT_EQ(own_table(opened.state())->sha256, record.data.sha256);
  EXPECT_EQ(opened.dataset().n_windows(), 2U);
  write("pump.csv", "time,rate\n0,0\n0.8,1\n");
  EXPECT_NE(own_table(Run::open(path("run")).state())->sha256, record.data.sha256) << "a change is seen";
}

TEST_F(InputFiles, GivenInMemoryAreKept) {
  const Model model = written();
  std::filesystem::remove(path("pump.csv"));
  EXPECT_THROW(model.read_table(), InputError);
  Table pump;
  pump.time(std::vector<double>{0, 0.7, 2.4}).column("rate", std::vector<double>{0, 1, 0.5});
  Table table = model.read_table(path("data.csv"));
  table.input("u", pump);
  const Run run = train(model, table, options("run"));
  EXPECT_TRUE(std::filesystem::exists(path("run/input.u.csv")));
  const Run opened = Run::open(path("run"));
  EXPECT_EQ(own_table(opened.state())->sha256, opened.record()->data.sha256);
  EXPECT_EQ(opened.dataset().n_windows(), 2U);
  Run copy = opened.in_memory();
  copy.save(path("copy"));
  EXPECT_TRUE(std::filesystem::exists(path("copy/input.u.csv")));
  EXPECT_EQ(Run::open(path("copy")).dataset().n_windows(), 2U);
}

TEST_F(InputFiles, CheckTellsWhatTheyAre) {
  const ModelSummary summary = check(Dataset(written()));
  EXPECT_NE(
      summary.text.find("  u: 3 values of " + path("pump.csv").string() +
                        " at times of their own, 0 to 2.4, steps 0.7 to 1.7; 0 to 1; for all series; held "
                        "from value to value\n"),
      std::string::npos)
      << summary.text;
}

TEST_F(InputFiles, TheExampleOfDosesLearns) {
  const Model model = Model::read(std::string(kSourceFolder) + "/examples/dosing.toml");
  TrainOptions few = {.epochs = 15, .execution = {.n_threads = 1}};
  const RunRecord record = *train(model, few).record();
  few.epochs = 1;
  EXPECT_LT(record.loss, 0.7 * train(model, few).record()->loss);
  EXPECT_EQ(record.inputs.size(), 2U);
}

}  // namespace
}  // namespace greybox::test
