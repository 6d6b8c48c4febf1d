// Tables as people have them, from `greybox new` to what `greybox check` says of them.
#include <fmt/format.h>

#include <cmath>

#include "apps/run_tool.hpp"
#include "cases/golden_cases.hpp"

namespace greybox::test {
namespace {

class RawData : public ToolTest {
 protected:
  void expect_lines(const std::string& text, std::initializer_list<const char*> lines) const {
    for (const char* line : lines) EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
  void expect_none(const std::string& text, std::initializer_list<const char*> lines) const {
    for (const char* line : lines) EXPECT_EQ(text.find(line), std::string::npos) << line << "\n" << text;
  }
  std::string new_model(const std::string& name, std::vector<std::string> options = {}) const {
    std::vector<std::string> arguments{"new", name + ".csv"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_done(arguments);
    return read_text(path(name + ".toml"));
  }
};

// A lake with remarks of two kinds, which are no codes, and no names of series.
TEST_F(RawData, ColumnsOfWordsAreLeftOutAndNamed) {
  std::string text = "Date,NO3 (umol/l),Chl-a (ug/l),Remarks\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("{:02}.{:02}.2010,{},{:.2f},{}\n", i % 28 + 1, i / 28 + 1,
                        i % 9 == 4 ? "-999" : fmt::format("{:.2f}", 8 + std::cos(0.3 * i)),
                        2 + std::sin(0.3 * i), i % 10 < 7 ? "ok" : "cloudy");
  write("lake.csv", text);
  expect_lines(new_model("lake"), {"# Note: `Remarks` holds words, and is left out.", "time = \"Date\"",
                                   "missing_words = [\"-999\"]"});
  expect_lines(expect_done({"check", "lake.toml"}), {"  not read, for they hold words: Remarks\n"});
}

TEST_F(RawData, LongTablesAreFoundByGermanNames) {
  std::string text = "Station;Datum;Parameter;Wert\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("A;2020-{0:02}-{1:02};Chl;{2},5\nA;2020-{0:02}-{1:02};NO3;{3},5\n", i / 28 + 1,
                        i % 28 + 1, 3 + i * 7 % 11, 5 + i * 5 % 13);
  write("stations.csv", text);
  expect_lines(new_model("stations"), {"long = { variable = \"Parameter\", value = \"Wert\" }"});
  EXPECT_EQ(greybox({"check", "stations.toml"}).exit_code, 0);
}

std::string regions_with_a_lockdown() {
  std::string text = "region,date,population,infected,recovered,lockdown\n";
  for (int region = 0; region < 6; ++region)
    for (int day = 0; day < 28; ++day)
      text += fmt::format("R{},2020-03-{:02},{},{:.0f},{:.0f},{}\n", region, day + 1, 100000 * (region + 1),
                          50 * std::exp(0.15 * day), 20 * std::exp(0.15 * day), day < 10 + region ? 0 : 1);
  return text;
}

// The size of a region would tell a network which one it sees.
TEST_F(RawData, EpidemicsHaveATermForMeasuresAndCountInShares) {
  write("seir.csv", regions_with_a_lockdown());
  const std::string seir = new_model("seir", {"--template", "seir"});
  expect_lines(seir,
               {"policy = { equation = \"lockdown\", hold = \"previous\" }",
                "* max(infected, 0) * exp(-policy_effect * policy)\"",
                "exposed = { start = \"learned\", prior = \"lognormal\", mean = \"log(max(infected, 1) / "
                "population)\", sd = 1 }",
                "recovered = \"recovery_rate * infected\"", "recovered = \"recovered * population\"",
                "inputs  = [\"infected\", \"susceptible\", \"recovered\", \"exposed\", \"policy\", "});
  expect_done({"check", "seir.toml"});
  expect_done({"new", "seir.csv", "--template", "sir", "--force"});
  const std::string sir = read_text(path("seir.toml"));
  expect_lines(sir, {"recovered = \"population * (1 - susceptible - infected)\"", "policy_effect"});
  expect_none(sir, {"acts from outside", "\"susceptible\", \"population\""});
}

TEST_F(RawData, NewCasesAreNotThoseWhoAreIll) {
  std::string text = "day,new_cases\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},{}\n", i, 10 + i * (40 - i));
  write("cases.csv", text);
  expect_lines(new_model("cases", {"--template", "sir"}), {"# Note: `new_cases` seems to count new cases"});
}

// At 1 kHz, and with a velocity by its usual short name.
TEST_F(RawData, PriorsOfAJointAreOfItsSize) {
  std::string text = "time_ms,tau_Nm,q_rad,dq_rad_s\n";
  double q = 0.1, w = 0;
  for (int i = 0; i < 8000; ++i) {
    const double tau = 2.5 * std::sin(0.004 * i) + std::sin(0.011 * i);
    text += fmt::format("{},{:.5f},{:.6f},{:.6f}\n", i, tau, q, w);
    w += 1e-3 * (tau - 0.25 * w - 2 * std::sin(q)) / 0.12;
    q += 1e-3 * w;
  }
  write("joint.csv", text);
  const std::string model = new_model("joint", {"--template", "pendulum"});
  expect_lines(model, {"velocity = \"dq_rad_s\"", "window = { length = 76,"});
  const auto centre = [&](const std::string& name) {
    const std::size_t at = model.find("log(", model.find(name + " = {"));
    return std::stod(model.substr(at + 4));
  };
  for (const auto& [name, truth] : {std::pair{"stiffness", 16.7}, {"friction", 2.1}, {"per_inertia", 8.3}})
    EXPECT_LT(std::abs(std::log(centre(name) / truth)), 2.0) << name << "\n" << model;
}

constexpr const char* kPump = R"toml(
[data]
file = "pump.csv"
window = { length = 10, stride = 10 }
split = { train = 0.6, validation = 0.4, by = "series" }
[parameters]
k = { prior = "uniform", low = 1e-6, high = 1e3 }
m = { prior = "lognormal", mean = "log(7e10)", sd = 2 }
[inputs]
pump = "pump"
size = "size"
[state]
x = "x"
[theory]
x = "pump - k * x / m"
[network.fD]
inputs = ["x", "size", "k", "m"]
hidden = [4]
outputs = ["x"]
[observe]
x = "x"
[regularizers]
normD = "mean(norm2(network))"
)toml";

TEST_F(RawData, CheckNamesPriorsStepsLabelsGapsAndWhatIsNotRead) {
  std::string text = "series,time,x,pump,size,constant,NOTE\n";
  for (int series = 0; series < 5; ++series)
    for (int i = 0; i < 40; ++i)
      text += fmt::format("{},{},{:.4f},{},{},5,see {}\n", series, i < 20 ? i : i + 30,
                          1 + std::sin(0.2 * i + series), i / 10, 100 + series, i);
  write("pump.csv", text);
  write("pump.toml", kPump);
  expect_lines(
      expect_done({"check", "pump.toml"}),
      {"k ~ uniform on [1e-06, 1000]\n",
       "m ~ lognormal, log-mean 24.9718, log-sd 2: 4.05e+08 to 1.21e+13 (99 %), in logarithmic steps",
       "the prior of `k` spans 9 orders of magnitude and is uniform",
       "prior = \"lognormal\", mean = \"log(0.032)\", sd = 4 covers the same range",
       "`pump` changes in steps, which are ramps from one row to the next here: write pump = { "
       "equation = \"pump\", hold = \"previous\" }",
       "a network reads `size`, which stays the same in a series, and learns from 3 series alone",
       "5 gaps of more than 3 median steps, the longest after 19", "  not read: constant: 5 to 5",
       "  not read, for they hold words: NOTE\n"});
}

}  // namespace
}  // namespace greybox::test
