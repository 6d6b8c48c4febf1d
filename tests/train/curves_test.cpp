#include "train/curves.hpp"

#include <cmath>
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

// With λ = 0, R may be anything.
TEST_F(CurvesFile, NothingStandsForWhatIsNoNumber) {
  {
    Curves curves(path("curves.csv"), 0);
    EpochResult without = result(1);
    without.regularizer = -std::numeric_limits<double>::quiet_NaN();
    curves.add(without);
    without.epoch = 2;
    without.regularizer = std::numeric_limits<double>::infinity();
    curves.add(without);
    curves.flush();
  }
  const std::vector<EpochResult> rows = read_curves(path("curves.csv"));
  ASSERT_EQ(rows.size(), 2U);
  for (const EpochResult& row : rows) {
    EXPECT_EQ(row.loss, 0.5);
    EXPECT_TRUE(std::isnan(row.regularizer));
  }
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

TEST_F(CurvesFile, OfALongTrainingHasFewerRows) {
  EXPECT_TRUE(has_row(1));
  EXPECT_TRUE(has_row(99'999));
  EXPECT_FALSE(has_row(100'001));
  EXPECT_TRUE(has_row(100'010));
  EXPECT_FALSE(has_row(1'000'010));
  EXPECT_TRUE(has_row(1'000'100));
  EXPECT_FALSE(has_row(9'007'199'254'740'991));
}

TEST_F(CurvesFile, OfAnySizeIsCutAndRead) {
  const std::string header = "epoch,L,R,validation_L,validation_R,rate,multiplier\n";
  std::string text = header;
  for (int epoch = 1; epoch <= 20'000; ++epoch) text += std::to_string(epoch) + ",1,2,,,0.5,\n";
  write("curves.csv", text + "20001,1,2");
  { Curves curves(path("curves.csv"), 15'000); }
  EXPECT_EQ(bytes_of(path("curves.csv")), text.substr(0, text.find("15001,")));
  const std::vector<EpochResult> rows = read_curves(path("curves.csv"));
  ASSERT_EQ(rows.size(), 15'000U);
  EXPECT_EQ(rows.back().epoch, 15'000U);
  EXPECT_EQ(rows.back().rate, 0.5);
}

TEST_F(CurvesFile, FromElsewhereIsReplaced) {
  write("curves.csv", "not ours\n");
  { Curves curves(path("curves.csv"), 5); }
  EXPECT_EQ(bytes_of(path("curves.csv")), "epoch,L,R,validation_L,validation_R,rate,multiplier\n");
}

TEST_F(CurvesFile, DamagedIsRefusedWithItsRow) {
  for (const char* row : {"x,1,2,,,1,", "-1,1,2,,,1,", "1e308,1,2,,,1,", "1,y,2,,,1,", "1,1"}) {
    write("curves.csv", std::string("epoch,L,R,validation_L,validation_R,rate,multiplier\n") + row + "\n");
    test::expect_refused([&] { read_curves(path("curves.csv")); }, path("curves.csv"), "", "row 2: ");
  }
}

TEST_F(CurvesFile, HalfARowAtTheEndIsStillBeingWritten) {
  const std::string whole = "epoch,L,R,validation_L,validation_R,rate,multiplier\n1,0.5,2,,,0.01,\n";
  for (const char* half : {"2", "2,0.", "2,-", "2,0.5,2,,,0.0"}) {
    write("curves.csv", whole + half);
    EXPECT_EQ(read_curves(path("curves.csv")).size(), 1U) << half;
  }
}

TEST_F(CurvesFile, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(Curves(path("missing/curves.csv"), 0), std::system_error);
}

}  // namespace
}  // namespace greybox
