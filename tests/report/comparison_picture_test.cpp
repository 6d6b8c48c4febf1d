#include "report/comparison_picture.hpp"

#include <limits>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class ComparisonPicture : public test::ScratchFolder {
 protected:
  static Comparison report(std::vector<ComparedRow> rows) {
    Comparison result;
    result.model = "toy";
    result.regularizer = "normD";
    result.rows = std::move(rows);
    return result;
  }
};

TEST_F(ComparisonPicture, WritesATableWithEmptyCellsForWhatIsNotKnown) {
  const auto files = write_comparison(
      report({{"adaptive", 0.01, 2, {0.5, 0.25}, {4, 1}}, {"inductive", 0.01, 1, {0.75, kNaN}, {8, kNaN}}}),
      path(""));
  EXPECT_EQ(bytes_of(files.at(0)),
            "mode,lambda,trials,L_mean,L_se,R_mean,R_se\n"
            "adaptive,0.01,2,0.5,0.25,4,1\n"
            "inductive,0.01,1,0.75,,8,\n");
}

TEST_F(ComparisonPicture, IsTheSameAgain) {
  const Comparison compared =
      report({{"adaptive", 1e-3, 2, {0.5, 0.25}, {4, 1}}, {"adaptive", 1e-1, 2, {0.5, 0.25}, {0.04, 0.1}}});
  draw_comparison(compared, {path("a.svg"), path("a.png")});
  draw_comparison(compared, {path("b.svg"), path("b.png")});
  EXPECT_EQ(bytes_of(path("a.png")), bytes_of(path("b.png")));
  EXPECT_TRUE(bytes_of(path("a.svg")).starts_with("<?xml"));
  EXPECT_TRUE(bytes_of(path("a.png")).starts_with("\x89PNG"));
}

TEST_F(ComparisonPicture, MovesWithTheValues) {
  const auto picture = [&](double mean) {
    draw_comparison(
        report({{"adaptive", 0.1, 2, {1, 0.1}, {mean, 0.1}}, {"inductive", 0.1, 2, {1, 0.1}, {2, 0.1}}}),
        {path("a.png")});
    return bytes_of(path("a.png"));
  };
  EXPECT_NE(picture(1), picture(0.9));
  EXPECT_NE(picture(-1), picture(-0.9));  // regularizers such as a logarithm may be negative
}

TEST_F(ComparisonPicture, CopesWithNoValuesAtAll) {
  EXPECT_NO_THROW(write_comparison(report({{"adaptive", 0, 0, {kNaN, kNaN}, {kNaN, kNaN}},
                                           {"adaptive", 1, 0, {kNaN, kNaN}, {kNaN, kNaN}}}),
                                   path("")));
}

}  // namespace
}  // namespace greybox
