// The table and the page of a reproduction.
#include <cmath>

#include "data/scratch_folder.hpp"
#include "greybox/reproduce.hpp"

namespace greybox {
namespace {

class ReproductionFiles : public test::ScratchFolder {
 protected:
  ReproduceReport report() const {
    ReproduceReport result;
    result.name = "toy";
    result.folder = path("");
    result.data = "made";
    result.settings = "3 epochs";
    result.version = "9.9";
    result.machine = "abacus";
    result.findings = {{"near, or far", 0.5, "0.4", 0, 1}, {"off", 2, "1", 0.5, 1.5}, {"told only", 7, ""}};
    return result;
  }
};

TEST_F(ReproductionFiles, SayWhatAgrees) {
  write_reproduction(report(), {path("figure-1.svg"), path("figure-1.png")});
  const std::string table = bytes_of(path("table.csv"));
  EXPECT_NE(table.find("toy,\"near, or far\",0.5,0.4,0 … 1,yes,made,3 epochs,0,9.9,abacus"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("off,2,1,0.5 … 1.5,no"), std::string::npos) << table;
  const std::string page = bytes_of(path("summary.md"));
  EXPECT_NE(page.find("| told only | 7 |  |  |  |"), std::string::npos) << page;
  EXPECT_NE(page.find("![figure-1](figure-1.png)"), std::string::npos) << page;
  EXPECT_EQ(page.find("figure-1.svg"), std::string::npos);
}

TEST_F(ReproductionFiles, SayWhatCanBeTrusted) {
  ReproduceReport judged = report();
  EXPECT_EQ(write_reproduction(judged, {}).size(), 2U) << "without verdicts, no table of them";
  Verdict verdict;
  verdict.parameter = "a";
  verdict.regularizer = "normD";
  verdict.finding = Finding::one_sided;
  verdict.sentence = "a ≤ 2";
  verdict.best = 1;
  verdict.interval = {0, 2};
  judged.verdicts = {
      {"the test inputs", 5, {.verdicts = {verdict}, .combinations = {}, .split = "", .warnings = {}}}};
  EXPECT_EQ(write_reproduction(judged, {}).size(), 3U);
  const std::string table = bytes_of(path("verdicts.csv"));
  EXPECT_NE(table.find("toy,the test inputs,5,a,normD,one-sided,1,0,2,a ≤ 2,made,3 epochs,0,9.9,abacus"),
            std::string::npos)
      << table;
  const std::string page = bytes_of(path("summary.md"));
  EXPECT_NE(page.find("On the test inputs, over 5 networks."), std::string::npos) << page;
  EXPECT_NE(page.find("| a | normD | one-sided | a ≤ 2 |"), std::string::npos) << page;
}

TEST(Findings, AgreeWithinTheirLimits) {
  EXPECT_TRUE(agrees({"", 1, "", 0, 1}));
  EXPECT_FALSE(agrees({"", 1.01, "", 0, 1}));
  EXPECT_FALSE(agrees({"", std::nan(""), "", 0, 1}));
  EXPECT_TRUE(is_judged({"", 1, "", 0}));
  EXPECT_FALSE(is_judged({"", 1, ""}));
}

}  // namespace
}  // namespace greybox
