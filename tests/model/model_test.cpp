// Models and datasets as users of the library meet them.
#include "greybox/model.hpp"

#include <cmath>
#include <limits>

#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "greybox/dataset.hpp"

namespace greybox {
namespace {

constexpr const char* kDecay = R"toml(name = "decay"
about = "falls"
[data]
file   = "data.csv"
series = "run"
time   = "t"
window = { length = 3, stride = 2 }
split  = { train = 0.5, validation = 0.25, test = 0.25 }
[parameters]
k = { prior = "uniform", low = 0.5, high = 2, unit = "1/s", about = "rate" }
s = { prior = "normal", mean = 0, sd = 1 }
[state]
x = "x"
[theory]
x = "-k * x + 0 * s"
[network.fD]
inputs  = ["x", "k", "s"]
hidden  = [3]
outputs = ["x"]
[observe]
x = "x"
[regularizers]
normD = "mean(norm2(network))"
)toml";

class ModelObject : public test::ScratchFolder {
 protected:
  // Four series of seven rows.
  static Table table() {
    std::vector<std::string> ids;
    std::vector<double> time, x;
    for (int series = 0; series < 4; ++series)
      for (int i = 0; i < 7; ++i) {
        ids.push_back("r" + std::to_string(series));
        time.push_back(0.1 * i);
        x.push_back(std::exp(-0.1 * i) + series);
      }
    return Table().series(ids).time(time).column("x", x);
  }
  static std::string with(const std::string& what, const std::string& instead) {
    std::string text = kDecay;
    return text.replace(text.find(what), what.size(), instead);
  }
};

TEST_F(ModelObject, TellsWhatTheFileSays) {
  const Model model = Model::parse(kDecay, "decay.toml");
  EXPECT_EQ(model.name(), "decay");
  EXPECT_EQ(model.about(), "falls");
  EXPECT_EQ(model.text(), kDecay);
  EXPECT_EQ(model.states(), std::vector<std::string>{"x"});
  EXPECT_EQ(model.outputs(), std::vector<std::string>{"x"});
  EXPECT_FALSE(model.is_algebraic());
  ASSERT_EQ(model.parameters().size(), 2U);
  EXPECT_EQ(model.parameters()[0].unit, "1/s");
  EXPECT_EQ(model.parameters()[0].about, "rate");
  EXPECT_EQ(model.parameters()[0].prior, "uniform");
  EXPECT_EQ(model.parameters()[0].high, 2);
  EXPECT_TRUE(std::isinf(model.parameters()[1].low));
  ASSERT_EQ(model.regularizers().size(), 1U);
  EXPECT_EQ(model.regularizers()[0].expression, "mean(norm2(network))");
}

TEST_F(ModelObject, ShowsItsEquationsAndWhichColumnsItReads) {
  const Model model = Model::parse(kDecay, "decay.toml");
  EXPECT_EQ(model.table_options().series_column, "run");
  EXPECT_EQ(model.table_options().time_column, "t");
  std::vector<std::string> sections;
  for (const EquationInfo& equation : model.equations()) sections.push_back(equation.section);
  EXPECT_EQ(sections,
            (std::vector<std::string>{"state", "theory", "composition", "observe", "regularizers"}));
  EXPECT_EQ(model.equations()[0].latex, "x(0) = x");
  EXPECT_EQ(model.equations()[2].latex, "\\frac{d x}{dt} = f_{T,x} + f_{D,x}");
  EXPECT_EQ(model.equations()[4].text, "mean(norm2(network))");
}

TEST_F(ModelObject, IsTheSameFromAFile) {
  const Model model = Model::read(write("decay.toml", kDecay));
  EXPECT_EQ(model.text(), kDecay);
  EXPECT_EQ(model.data_file(), path("data.csv"));
  write("data.csv", "run,t,x\na,0,1\na,1,2\n");
  EXPECT_EQ(model.read_table().data()->series.at(0).name, "a");
  EXPECT_EQ(model.read_table(path("data.csv")).columns(), std::vector<std::string>{"x"});
}

TEST_F(ModelObject, RefusesAtOnceWhatIsWrongWithoutData) {
  test::expect_refused([] { Model::parse(with("-k * x", "-kk * y0 * x"), "mine"); }, "mine", "", "kk");
  test::expect_refused([] { Model::parse(with("hidden ", "hiden "), "mine"); }, "mine", "",
                       "has no `hidden` layers");
  test::expect_refused([&] { Model::read(path("none.toml")); }, path("none.toml"), "", "");
}

TEST_F(ModelObject, SaysWhereItsDataAreMissing) {
  const Model model = Model::read(write("decay.toml", kDecay));
  test::expect_refused([&] { model.read_table(); }, path("decay.toml"), "", "there is no data file");
}

TEST_F(ModelObject, CopiesShareTheSpec) {
  const Model model = Model::parse(kDecay);
  const Model copy = model;  // NOLINT(performance-unnecessary-copy-initialization): the point of the test
  EXPECT_EQ(copy.spec(), model.spec());
}

TEST_F(ModelObject, ADatasetHasWindowsAndSplits) {
  const Dataset dataset(Model::parse(kDecay), table());
  EXPECT_EQ(dataset.n_windows(), 12U);  // starts 0, 2 and 4 of each series
  EXPECT_EQ(dataset.n_windows(Split::train), 6U);
  EXPECT_EQ(dataset.n_windows(Split::validation), 3U);
  EXPECT_EQ(dataset.n_windows(Split::test), 3U);
  const std::vector<WindowInfo> windows = dataset.windows();
  ASSERT_EQ(windows.size(), 12U);
  EXPECT_EQ(windows[4].series, "r1");
  EXPECT_EQ(windows[4].start, 0.2);
  EXPECT_EQ(windows[4].n_snapshots, 3U);
  std::map<std::string, Split> of_series;  // split by series: none is torn
  std::map<Split, std::size_t> counts;
  for (const WindowInfo& window : windows) {
    EXPECT_EQ(of_series.emplace(window.series, window.split).first->second, window.split);
    ++counts[window.split];
  }
  EXPECT_EQ(counts[Split::train], 6U);
  EXPECT_EQ(counts[Split::test], 3U);
}

TEST_F(ModelObject, ADatasetCountsWhatItDrops) {
  std::vector<double> x(28, 1.0);
  x[1] = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::int64_t> ids;
  for (int i = 0; i < 28; ++i) ids.push_back(i / 7);
  x[10] = 5;
  const Table given = Table().series(ids).column("x", x);
  EXPECT_EQ(Dataset(Model::parse(kDecay), given).n_dropped_rows(), 0U);  // only its cell is left out
  const Model model = Model::parse(with("split  =", "missing = \"drop\"\ndrop = \"x > 4\"\nsplit  ="));
  const Dataset dataset(model, given);
  EXPECT_EQ(dataset.n_dropped_rows(), 1U);
  EXPECT_EQ(dataset.n_dropped_windows(), 1U);  // the second of the second series, rows 2 to 4
  EXPECT_EQ(dataset.n_windows(), 10U);         // and two in the six rows that the first series has left
}

TEST_F(ModelObject, ADatasetRefusesATableThatDoesNotFit) {
  const std::vector<double> y = {1, 2, 3, 4};
  const Model model = Model::parse(kDecay);
  try {
    const Dataset dataset(model, Table().named("mine").column("y", y));
    FAIL() << "the column x is missing";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("`x`"), std::string::npos) << error.what();
  }
}

// Data may come from a program instead of a file.
TEST(Model, MayNameNoDataFile) {
  const std::string rest =
      "[theory]\ny = \"a * x\"\n[parameters]\na = { prior = \"uniform\", low = 0, high = 1 }\n";
  const auto message = [](const Model& model) -> std::string {
    try {
      model.read_table();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const Model without = Model::parse(rest, "bare");
  EXPECT_TRUE(without.data_file().empty());
  EXPECT_EQ(message(without),
            "bare: error: the table [data] is missing\n  help: add [data] with file = \"measurements.csv\"");
  EXPECT_EQ(message(Model::parse("[data]\nmissing = \"drop\"\n" + rest, "bare")),
            "bare:1:2: error: `file` is missing in [data]\n  1 | [data]\n    |  ^^^^\n  help: add `file`: a "
            ".csv, .tsv, "
            ".txt or .npz file, relative to the model file's folder");
}

}  // namespace
}  // namespace greybox
