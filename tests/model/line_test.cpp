// Grids of one row, coordinates, upwind differences and fields as inputs: against scipy, exact solutions and
// finite differences.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"
#include "model/prediction.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

const std::string kOneParameter = "[parameters]\nc = { prior = \"uniform\", low = 0, high = 1 }\n";

// Rows at these times, of which the first is known and the others are placeholders.
LoadedModel load_line(const std::string& text, const std::vector<double>& times,
                      std::vector<Column> columns) {
  const auto spec = std::make_shared<const ModelSpec>(
      parse_model_spec("[data]\nfile = \"line.npz\"\n" + kOneParameter + text, "line.toml"));
  DataTable table;
  table.file = "line.npz";
  table.series.push_back({"s", 0, times.size()});
  table.time = times;
  table.lines.assign(times.size(), 0);
  table.columns = std::move(columns);
  return assemble(spec, std::make_shared<const DataTable>(table));
}

Column first_snapshot(const std::string& name, std::size_t height, std::size_t width, std::size_t n_rows,
                      const std::function<double(std::size_t)>& value) {
  std::vector<double> values(n_rows * height * width);
  for (std::size_t p = 0; p < height * width; ++p) values[p] = value(p);
  return {name, height, width, std::move(values)};
}

std::vector<double> predicted_field(const LoadedModel& loaded, const std::string& variable, double c) {
  ThreadPool pool(1);
  return variable_of(make_prediction<double>(loaded, {{}, {0}, {c}}, pool), variable).values;
}

// By problem, then time and point.
std::map<std::string, std::vector<double>> line_references() {
  std::ifstream file(std::string(kSourceFolder) + "/tests/fixtures/line_references.csv");
  std::map<std::string, std::vector<double>> values;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line))
    values[line.substr(0, line.find(','))].push_back(std::stod(line.substr(line.rfind(',') + 1)));
  return values;
}

constexpr const char* kTight =
    "[solver]\nmethod = \"tsit5\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-11\n";

void expect_reference(const std::string& problem, const std::string& text, double c, std::size_t height,
                      std::size_t width, const std::function<double(std::size_t)>& start) {
  SCOPED_TRACE(problem);
  const LoadedModel loaded =
      load_line(text + kTight, {0, 0.25, 0.5, 1}, {first_snapshot("u", height, width, 4, start)});
  const std::vector<double> found = predicted_field(loaded, "u", c), expected = line_references()[problem];
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-8) << i;
}

TEST(Line, TheoryAgreesWithScipy) {
  expect_reference("heat", R"toml(
[grid]
width = 12
spacing = 0.1
origin = 0.2
boundary = "fixed"
outside = 0.5
[state]
u = "u"
[theory]
u = "c * (1 + 0.5*x) * laplacian(u) + exp(-t) * x"
[observe]
u = "u"
)toml",
                   0.02, 1, 12,
                   [](std::size_t p) { return std::cos(3 * (0.2 + 0.1 * static_cast<double>(p))); });
  expect_reference("burgers", R"toml(
[grid]
width = 16
spacing = "1/16"
boundary = "periodic"
[state]
u = "0.3 + sin(2*pi*x)"
[theory]
u = "-upwind_x(u, u) + c * laplacian(u)"
[observe]
u = "u"
)toml",
                   0.01, 1, 16, [](std::size_t) { return 0; });
  expect_reference("drift", R"toml(
[grid]
height = 4
width = 5
spacing = [0.5, 0.3]
origin = [0, -1]
[state]
u = "sin(x + 2*y)"
[theory]
u = "-upwind_x(u, c) - upwind_y(u, -0.4)"
[observe]
u = "u"
)toml",
                   0.7, 4, 5, [](std::size_t) { return 0; });
}

constexpr const char* kFed = R"toml(
[grid]
width = 3
fields = ["u", "force"]
[inputs]
push = { equation = "2 * force * x", hold = "HOLD" }
[state]
u = "u"
[theory]
u = "push + 0*c"
[observe]
u = "u"
)toml";

// u' = push with push = 2 x times 0, 1, 3 at times 0, 1, 2.
TEST(Line, FieldsActAsInputsBetweenTheirRows) {
  for (const std::string hold : {"linear", "previous"}) {
    std::string text = kFed;
    text.replace(text.find("HOLD"), 4, hold);
    const LoadedModel loaded = load_line(text, {0, 1, 2},
                                         {first_snapshot("u", 1, 3, 3, [](std::size_t) { return 1; }),
                                          {"force", 1, 3, std::vector<double>{0, 0, 0, 1, 1, 1, 3, 3, 3}}});
    EXPECT_EQ(loaded.model->columns[loaded.model->input_columns[0]].shape, Shape::field);
    const std::vector<double> u = predicted_field(loaded, "u", 0.5);
    for (std::size_t p = 0; p < 3; ++p) {
      const double at_end = hold == "linear" ? 0.5 + 2 : 1;
      EXPECT_NEAR(u[3 + p], 1 + 2 * static_cast<double>(p) * at_end, 1e-12) << hold;
    }
  }
}

// Everything that a line can have, for the gradients.
std::string line_model(const std::string& boundary, const std::string& padding, const std::string& norm) {
  return kParameters + R"toml(
[grid]
width = 6
spacing = 0.5
origin = -1
fields = ["u"]
boundary = ")toml" +
         boundary + (boundary == "fixed" ? "\"\noutside = 0.3" : "\"") + R"toml(
[inputs]
push = "u * cos(x)"
pull = "w"
[state]
u = "u + 0.1*x*k"
w = "w"
[theory]
u = "k*laplacian(u) - upwind_x(u, d*x + 0.2*u) + 0.1*push*x + 0.1*w*pull*dx(u)"
w = "0.01*norm2(u*x) - w"
[network.conv]
kind = "conv1d"
inputs = ["u", "w", "x", "k*x", "push"]
channels = [3]
activation = "tanh"
padding = ")toml" +
         padding + "\"\nnorm = \"" + norm + R"toml("
outputs = ["u"]
[observe]
u = "u + 0.1*x"
w = "w"
)toml" + kRungeKutta;
}

TEST(Line, GradientsAreExact) {
  for (const char* boundary : {"no_flux", "periodic", "fixed"})
    expect_model_gradients(line_model(boundary, "replicate", "none") + kRegularizers, 2e-7, {1, 7});
  for (const char* padding : {"zero", "periodic"})
    expect_model_gradients(line_model("no_flux", padding, "instance") + kRegularizers, 2e-7, {3});
  expect_model_gradients(line_model("periodic", "replicate", "batch") + kRegularizers, 2e-7, {5});
}

TEST(Line, ResultsDoNotDependOnThreads) {
  expect_same_on_threads(line_model("no_flux", "replicate", "none") + kRegularizers);
}

// An output of an algebraic model may be called `y`, and then is no coordinate.
TEST(Line, OutputsOfAlgebraicModelsGoBeforeCoordinates) {
  const ModelSpec spec = parse_model_spec(
      "[data]\nfile = \"d.npz\"\n[grid]\nheight = 2\nwidth = 3\n[theory]\ny = \"2*x\"\n", "d.toml");
  EXPECT_FALSE(spec.coordinate("y"));
  EXPECT_EQ(spec.coordinate("x"), Operation::grid_x);
}

}  // namespace
}  // namespace greybox::test
