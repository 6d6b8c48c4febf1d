#include "train/curves.hpp"

#include <limits>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class CurvesFile : public test::ScratchFolder {
 protected:
  static EpochResult result(std::size_t epoch) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {.epoch = epoch,
            .loss = 0.5,
            .regularizer = 2,
            .validation = {nan, nan},
            .rate = 0.01,
            .multiplier = nan};
  }
};

TEST_F(CurvesFile, GrowsRowByRow) {
  Curves curves(path("curves.csv"), 0);
  curves.add(result(1));
  EpochResult validated = result(2);
  validated.validation = {0.25, 0.125};
  validated.multiplier = 8;
  curves.add(validated);
  curves.flush();
  EXPECT_EQ(
      bytes_of(path("curves.csv")),
      "epoch,L,R,validation_L,validation_R,rate,multiplier\n1,0.5,2,,,0.01,\n2,0.5,2,0.25,0.125,0.01,8\n");
}

TEST_F(CurvesFile, CutsRowsAfterTheCheckpointAndHalfRows) {
  const std::string header = "epoch,L,R,validation_L,validation_R,rate,multiplier\n";
  write("curves.csv", header + "1,1,1,,,1\n2,2,2,,,1\n3,3,3,,,1\n4,4");
  { Curves curves(path("curves.csv"), 2); }
  EXPECT_EQ(bytes_of(path("curves.csv")), header + "1,1,1,,,1\n2,2,2,,,1\n");
  write("curves.csv", header + "1,1,1,,,1\n2,2");
  { Curves curves(path("curves.csv"), 2); }
  EXPECT_EQ(bytes_of(path("curves.csv")), header + "1,1,1,,,1\n");
}

TEST_F(CurvesFile, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(Curves(path("missing/curves.csv"), 0), std::system_error);
}

}  // namespace
}  // namespace greybox
