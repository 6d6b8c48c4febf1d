// `greybox reproduce`: the paper's stories in their numbers, in quick form; in full when
// GREYBOX_REPRODUCE=full.
#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "apps/run_tool.hpp"
#include "data/real_data.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool is_full() {
  const char* wanted = std::getenv("GREYBOX_REPRODUCE");
  return wanted != nullptr && std::string(wanted) == "full";
}

class Reproduce : public ToolTest {
 protected:
  Json reproduced(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "reproduce");
    arguments.insert(arguments.end(), {"--json", "-o", "out"});
    const ToolResult result = greybox(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  }

  static double ours(const Json& report, const std::string& quantity) {
    for (const Json& finding : report.at("findings"))
      if (finding.at("quantity") == quantity)
        return finding.at("ours").is_null() ? NAN : finding.at("ours").get<double>();
    ADD_FAILURE() << "no finding `" << quantity << "` in " << report.dump(1);
    return NAN;
  }

  static void expect_agreement(const Json& report) {
    for (const Json& finding : report.at("findings"))
      EXPECT_FALSE(finding.at("agrees") == false) << finding.dump();
  }

  // Findings of the verdicts on some data, one per parameter and regularizer.
  static std::vector<std::string> trust(const Json& report, std::size_t place) {
    std::vector<std::string> findings;
    for (const Json& verdict : report.at("trust").at(place).at("verdicts").at("verdicts"))
      findings.push_back(verdict.at("finding"));
    return findings;
  }

  void expect_files(const std::set<std::string>& figures) const {
    for (const std::string& figure : figures)
      for (const char* ending : {".svg", ".png"})
        EXPECT_GT(fs::file_size(path("out/" + figure + ending)), 5000U) << figure;
    EXPECT_TRUE(fs::exists(path("out/summary.md")));
    const std::string table = bytes_of(path("out/table.csv"));
    for (const char* column :
         {"quantity", "ours", "paper_or_authors", "agrees", "seed", "version", "machine"})
      EXPECT_NE(table.find(column), std::string::npos) << column;
  }
};

TEST_F(Reproduce, TheToyTellsThePapersStory) {
  const Json report =
      reproduced(is_full() ? std::vector<std::string>{"toy"} : std::vector<std::string>{"toy", "--quick"});
  expect_agreement(report);
  expect_files({"figure-2-landscapes", "figure-3-comparison"});
  EXPECT_EQ(report.at("data"), "made");
  const std::vector<std::string> findings = trust(report, 0);  // of a and c, regularizer by regularizer
  EXPECT_EQ(report.at("trust")[0].at("networks"), 5);
  for (const std::size_t under_norm : {0U, 1U}) EXPECT_EQ(findings.at(under_norm), "identifiable");
  for (const std::size_t under_corr : {2U, 3U}) EXPECT_EQ(findings.at(under_corr), "flat");
  EXPECT_NE(bytes_of(path("out/verdicts.csv")).find("do not interpret"), std::string::npos);
}

TEST_F(Reproduce, FindsTheSameAgainWithoutNewWork) {
  const std::vector<std::string> small = {"toy", "--quick", "--trials", "0", "--epochs", "50"};
  const Json first = reproduced(small);
  const fs::file_time_type trained = fs::last_write_time(path("out/run/weights.npz"));
  const Json second = reproduced(small);
  EXPECT_EQ(first.at("findings"), second.at("findings"));
  EXPECT_EQ(first.at("trust"), second.at("trust"));
  EXPECT_EQ(fs::last_write_time(path("out/run/weights.npz")), trained);
}

// An interrupted reproduction ends where one without interruption would.
TEST_F(Reproduce, ContinuesWhereItWasInterrupted) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(path("").c_str()) != 0 || ::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(127);
    ::execl(kTool, "greybox", "reproduce", "toy", "--trials", "30", "-o", "out", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  for (int i = 0; i < 3000 && !fs::exists(path("out/compare/trials.csv")); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(fs::exists(path("out/figure-2-landscapes.png"))) << "finished figures are kept";
  const Json continued = reproduced({"toy", "--trials", "3"});
  fs::rename(path("out"), path("interrupted"));
  EXPECT_EQ(continued.at("findings"), reproduced({"toy", "--trials", "3"}).at("findings"));
}

TEST_F(Reproduce, ThePendulumHasTwoMinimaAndOneError) {
  const auto folder = real_data();
  if (!folder) GTEST_SKIP() << kNoRealData;
  const std::string data = (*folder / "pendulum").string();
  const Json report = is_full() ? reproduced({"pendulum", "--data", data, "--trials", "0"})
                                : reproduced({"pendulum", "--quick", "--data", data, "--trials", "0",
                                              "--epochs", "25", "--seeds", "2"});
  EXPECT_EQ(report.at("data"), "published");
  expect_files({"figure-4-landscapes"});
  if (is_full()) expect_agreement(report);
  // 25 epochs know less.
  EXPECT_GT(ours(report, "corr: lowest at g"), 9.0);
  EXPECT_LT(ours(report, "corr: lowest at g"), 11.0);
  EXPECT_LT(ours(report, "test NRMSE over all g, per cent: highest"), 2.5);
  const std::string networks = fmt::format("corr: lowest at g, of {} networks ", is_full() ? 5 : 2);
  EXPECT_LE(ours(report, networks + "from"), ours(report, networks + "to"));
}

// In little time: what is compared is there, whatever it says.
TEST_F(Reproduce, SaysThatDataAreAStandIn) {
  const Json report =
      reproduced({"pendulum", "--quick", "--simulated", "--trials", "1", "--epochs", "2", "--seeds", "1"});
  EXPECT_EQ(report.at("data"), "simulated stand-in");
  EXPECT_NE(bytes_of(path("out/summary.md")).find("simulated stand-in"), std::string::npos);
  EXPECT_NE(bytes_of(path("out/table.csv")).find("simulated stand-in"), std::string::npos);
  for (const Json& finding : report.at("findings"))
    if (finding.at("quantity") == "corr: lowest at g") {
      EXPECT_TRUE(finding.at("agrees").is_null());
    }
  expect_files({"figure-4-landscapes", "figure-6-comparison"});
  EXPECT_GT(ours(report, "R at λ = 0.001: inductive over adaptive"), 0);
}

TEST_F(Reproduce, ReactionDiffusionRunsOnASmallGrid) {
  const Json report = reproduced(
      {"reaction-diffusion", "--quick", "--grid", "8", "--size", "20", "--epochs", "20", "--trials", "1"});
  expect_files({"figure-5-one-sequence", "figure-5-test-set", "fields", "figure-7-comparison"});
  for (const char* error : {"RMSE, the test set: median over all θ", "the sequence shown as fields: RMSE"}) {
    EXPECT_GT(ours(report, error), 0);
    EXPECT_LT(ours(report, error), 0.5);  // u and v start in [0, 1]
  }
  EXPECT_TRUE(std::isfinite(ours(report, "R at λ = 1e-07: inductive minus adaptive")));
  const double b = ours(report, "normD · corr, the test set: lowest along b at the true a");
  EXPECT_TRUE(b >= 0.001 && b <= 0.01) << b;
}

TEST_F(Reproduce, ReactionDiffusionTellsThePapersStory) {
  if (!is_full()) GTEST_SKIP() << "takes more than an hour: GREYBOX_REPRODUCE=full";
  const Json report = reproduced({"reaction-diffusion", "--trials", "0"});
  for (const std::string where : {"one test sequence", "the test set"}) {
    EXPECT_NEAR(ours(report, "normD · corr, " + where + ": lowest along b at the true a"), 0.005, 0.0005);
    EXPECT_GT(ours(report, "normD, " + where + ": lowest this far from the truth"), 0.1);
    EXPECT_LT(ours(report, "RMSE, " + where + ": median over all θ"), 0.02);
  }
}

TEST_F(Reproduce, PredatorPreyShowsBothSeries) {
  const auto folder = real_data();
  std::vector<std::string> arguments = {"predator-prey"};
  if (folder)
    arguments.insert(arguments.end(), {"--data", (*folder / "predator-prey").string()});
  else
    arguments.emplace_back("--simulated");
  if (!is_full()) arguments.insert(arguments.end(), {"--quick", "--epochs", "15", "--seeds", "2"});
  const Json report = reproduced(arguments);
  expect_files({"figure-8-C7", "figure-8-C8", "figure-8-slices", "figure-8-profiles"});
  for (const std::size_t place : {0U, 1U})  // a window, and the test windows
    EXPECT_GE(trust(report, place).size(), 8U) << "four rates under normD and corr";
  if (is_full()) {
    EXPECT_LT(ours(report, "C7: NRMSE in per cent"), 6.6);
  }
  EXPECT_LT(ours(report, "C8: NRMSE in per cent"), 25);
  EXPECT_EQ(report.at("findings"), reproduced(arguments).at("findings"))
      << "a second call trains nothing anew";
  for (const char* name : {"α", "β", "γ", "δ"}) {
    EXPECT_GT(ours(report, std::string("C8: mean ") + name), 0);
    EXPECT_LT(ours(report, std::string("C8: mean ") + name), 3);
  }
}

TEST_F(Reproduce, RefusesMistakes) {
  expect_wrong_input({"reproduce", "tyo"}, "tyo");
  expect_wrong_input({"reproduce", "toy", "--data", "x.csv"}, "its data are made");
  expect_wrong_input({"reproduce", "pendulum", "--data", "nowhere"}, "there is no such file");
  expect_wrong_input({"reproduce", "pendulum", "--data", "nowhere", "--simulated"}, "--simulated");
  expect_wrong_input({"reproduce", "toy", "--trials", "-1"}, "negative");
  expect_wrong_input({"reproduce", "toy", "--seeds", "0"}, "--seeds");
}

}  // namespace
}  // namespace greybox::test
