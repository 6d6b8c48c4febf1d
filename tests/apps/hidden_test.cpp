// A state that is not measured, from the model file to predictions and simulations.
#include "apps/run_tool.hpp"
#include "data/npz.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class Hidden : public ToolTest {
 protected:
  void SetUp() override {
    for (const char* file : {"tanks.toml", "tanks.csv"})
      fs::copy_file(std::string(kSourceFolder) + "/examples/" + file, path(file));
  }

  // Warnings about a fit after a few epochs are no concern here.
  std::string done(const std::vector<std::string>& arguments) const {
    const ToolResult result = greybox(arguments);
    EXPECT_EQ(result.exit_code, 0) << ::testing::PrintToString(arguments) << '\n' << result.err;
    return result.out;
  }

  std::vector<std::size_t> shape_of(const char* file, const std::string& array) const {
    for (const auto& [name, values] : read_npz(path(file)))
      if (name == array) return values.shape;
    ADD_FAILURE() << file << " has no " << array;
    return {};
  }
};

TEST_F(Hidden, StartIsLearnedKeptAndPredicted) {
  const std::string check = done({"check", "tanks.toml"});
  EXPECT_NE(check.find("above(0) ~ lognormal(log(1.6), 0.4), learned for every window"), std::string::npos)
      << check;
  EXPECT_NE(check.find("level(0) = level, smoothed over 5 snapshots (order 2)"), std::string::npos) << check;
  done({"train", "tanks.toml", "-o", "run", "--epochs", "10"});
  EXPECT_EQ(shape_of("run/weights.npz", "start.above"), (std::vector<std::size_t>{24, 3}));

  done({"predict", "run", "--theta", "k=0.8,m=0.5", "-o", "own.npz"});
  const std::size_t n_test = shape_of("own.npz", "initial.above")[0];
  EXPECT_EQ(shape_of("own.npz", "state.above"), (std::vector<std::size_t>{n_test, 12}));
  // Other data: their starts are found in their first snapshots.
  std::string other = bytes_of(path("tanks.csv"));
  other.resize(other.find("run5,"));
  write("other.csv", other);
  write("pump.csv", "time,pump\n0,0.5\n3,0.5\n");
  done({"predict", "run", "--theta", "k=0.8,m=0.5", "--data", "other.csv", "-o", "other.npz"});
  EXPECT_EQ(shape_of("other.npz", "initial.above"), (std::vector<std::size_t>{4}));

  done({"simulate", "run", "--theta", "k=0.8,m=0.5", "--start", "0", "--horizon", "3", "-o",
        "from-window.csv"});
  done({"simulate", "run", "--theta", "k=0.8,m=0.5", "--start", "above=2,level=1", "--inputs", "pump.csv",
        "--horizon", "1", "-o", "from-values.csv"});
}

}  // namespace
}  // namespace greybox::test
