// Inputs between the rows of the data: on a line, or held.
#include <gtest/gtest.h>

#include <cmath>

#include "data/scratch_folder.hpp"
#include "model/engine.hpp"
#include "model/loaded_model.hpp"

namespace greybox::test {
namespace {

class HeldInput : public ScratchFolder {
 protected:
  // x' = a u from 0 with a = 1, at the last row.
  double last_x(const std::string& input, const std::string& data) const {
    write("data.csv", data);
    const LoadedModel loaded = load_model(write("model.toml", R"toml(scale = "none"
[data]
file = "data.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 2 }
[inputs]
u = )toml" + input + R"toml(
[state]
x = "x"
[theory]
x = "a * u"
[observe]
x = "x"
)toml"));
    ThreadPool pool(1);
    Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 1});
    Trajectories<double> kept;
    kept.observed.emplace_back(engine.n_outputs());
    const std::vector<std::size_t> windows = {0};
    const std::vector<double> theta = {1};
    engine.forward({&loaded.data->windows(), windows, theta}, &kept);
    return kept.observed[0].back();
  }
};

// On at 1, off at 4.
constexpr const char* kSwitched = "time,pump,x\n0,0,0\n1,2,0\n4,0,0\n6,0,0\n";

TEST_F(HeldInput, StepsWhereItIsToldTo) {
  EXPECT_DOUBLE_EQ(last_x("{ equation = \"pump\", hold = \"previous\" }", kSwitched), 6);
}

TEST_F(HeldInput, IsLinearOtherwise) {
  EXPECT_DOUBLE_EQ(last_x("\"pump\"", kSwitched), 4);
  EXPECT_DOUBLE_EQ(last_x("{ equation = \"pump\" }", kSwitched), 4);
  EXPECT_DOUBLE_EQ(last_x("{ equation = \"pump\", hold = \"linear\" }", kSwitched), 4);
}

TEST_F(HeldInput, HoldsWhereACellIsMissing) {
  const char* gaps = "time,pump,x\n0,0,0\n1,2,0\n2,,0\n4,0,0\n6,,0\n";
  EXPECT_DOUBLE_EQ(last_x("{ equation = \"pump\", hold = \"previous\" }", gaps), 6);
}

}  // namespace
}  // namespace greybox::test
