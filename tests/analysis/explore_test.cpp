#include "greybox/explore.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "analysis/explore/answers.hpp"
#include "analysis/explore/pins.hpp"
#include "analysis/explore/secret.hpp"
#include "analysis/trained_toy.hpp"
#include "greybox/predict.hpp"

namespace greybox::test {
namespace {

class Explored : public TrainedToy {
 protected:
  Run run_ = trained("epochs = 40\nbatch = 10\nrate = [1e-2, 1e-3]");
  ExploreSession session_{run_, {.n_threads = 2}};
  Newest newest_;
  std::uint64_t sequence_ = 0;

  static ExploredPoint point(double a, double c) { return {{a, c}}; }
  Newest::Ticket ticket() { return newest_.take("test", ++sequence_); }

  // The last line of an answer.
  Json asked(const std::string& name, Json request) {
    request["client"] = "test";
    request["sequence"] = ++sequence_;
    Json last;
    answer(session_, newest_, name, JsonValue(request, "request"), [&](const Json& line) {
      last = line;
      return true;
    });
    return last;
  }
  std::string refused(const std::string& name, const Json& request) {
    return refusal([&] { asked(name, request); });
  }
  static std::size_t resident_pages() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    file >> total >> resident;
    return resident;
  }
};

TEST_F(Explored, ValuesAreThoseOfPredict) {
  const Prediction expected =
      predict(run_, {.theta = {{"a", 1.2}, {"c", 0.4}}, .on = Splits{{Split::validation}}});
  const Json found = asked("evaluate", {{"theta", {{"a", 1.2}, {"c", 0.4}}}, {"shown", Json::array()}});
  ASSERT_FALSE(expected.regularizers.empty());
  for (const auto& [name, value] : expected.regularizers)
    EXPECT_NEAR(found.at("regularizers").at(name).get<double>(), value, 1e-5 * std::abs(value)) << name;
  EXPECT_NEAR(found.at("L").get<double>(), expected.mse, 1e-5 * expected.mse);
  EXPECT_NEAR(found.at("outputs").at(0).at("nrmse").get<double>(), expected.outputs[0].nrmse, 1e-7);
  EXPECT_EQ(found.at("windows"), 18U);
}

TEST_F(Explored, WindowsShownAreThoseOfPredict) {
  const std::vector<std::size_t>& windows = session_.windows_of(Split::validation);
  const auto found = session_.evaluate({point(0.8, -0.5), false, {windows[2], windows[5]}}, ticket());
  const Prediction expected =
      predict(run_, {.theta = {{"a", 0.8}, {"c", -0.5}}, .on = WindowIndex{windows[5]}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->shown.observed("y")[1], expected.observed("y")[0], 1e-12);
  EXPECT_NEAR(found->shown.network("y")[1], expected.network("y")[0], 1e-12);
  EXPECT_EQ(found->window_errors.size(), windows.size());
}

TEST_F(Explored, AQuickAnswerSaysOnHowManyWindows) {
  const Json found = asked("evaluate", {{"theta", {{"a", 1}, {"c", 0}}}, {"quick", true}});
  EXPECT_LE(found.at("windows").get<std::size_t>(), found.at("n_all").get<std::size_t>());
  EXPECT_FALSE(found.contains("errors"));
}

TEST_F(Explored, AnOlderRequestIsSuperseded) {
  const Newest::Ticket old = ticket(), young = ticket();
  EXPECT_FALSE(session_.evaluate({point(1, 0), true, {}}, old));
  EXPECT_TRUE(session_.evaluate({point(1, 0), true, {}}, young));
  std::size_t n_lines = 0;
  session_.scan({point(1, 0), {0, 1}}, old, [&](const Json&) { return ++n_lines > 0; });
  EXPECT_EQ(n_lines, 0U);
}

TEST_F(Explored, AnotherPageSupersedesNothing) {
  const Newest::Ticket first = newest_.take("one page", 1), second = newest_.take("another page", 2);
  EXPECT_FALSE(first.is_superseded());
  EXPECT_FALSE(second.is_superseded());
}

TEST_F(Explored, LandscapesComeCoarseFirstAndAgree) {
  std::vector<Json> levels;
  session_.scan({point(1, 0), {0, 1}}, ticket(), [&](Json level) {
    levels.push_back(std::move(level));
    return true;
  });
  ASSERT_EQ(levels.size(), 4U);
  EXPECT_EQ(levels.front().at("axes").at(0).at("values").size(), 6U);
  EXPECT_EQ(levels.back().at("axes").at(1).at("values").size(), 41U);
  EXPECT_TRUE(levels.back().at("is_last").get<bool>());
  // A level computed at once has the same values as one that was refined.
  const std::vector<std::string> terms = session_.model()->terms;
  ASSERT_FALSE(terms.empty());
  const std::vector<double> theta = {levels.back().at("axes").at(0).at("values").at(3).get<double>(),
                                     levels.back().at("axes").at(1).at("values").at(7).get<double>()};
  const Prediction expected =
      predict(run_, {.theta = {{"a", theta[0]}, {"c", theta[1]}}, .on = Splits{{Split::validation}}});
  const Json found = asked("evaluate", {{"theta", {{"a", theta[0]}, {"c", theta[1]}}}});
  EXPECT_NEAR(found.at("regularizers").at("normD").get<double>(), expected.regularizers[0].second, 1e-9);
}

TEST_F(Explored, ASinkThatHangsUpEndsALandscape) {
  std::size_t n_lines = 0;
  session_.scan({point(1, 0), {0}}, ticket(), [&](const Json&) { return ++n_lines < 2; });
  EXPECT_EQ(n_lines, 2U);
}

TEST_F(Explored, ADescentKeepsWhatIsHeld) {
  const auto end = session_.descend({point(1.5, 0.7), {true, false}, "normD"}, ticket());
  ASSERT_TRUE(end);
  EXPECT_EQ(end->best.theta[1], 0.7);
  const double before =
      asked("evaluate", {{"theta", {{"a", 1.5}, {"c", 0.7}}}}).at("regularizers").at("normD");
  EXPECT_LT(end->best.regularizer, before);
}

TEST_F(Explored, ADescentShowsItsStepsAndEnds) {
  std::size_t n_steps = 0;
  const auto end =
      session_.descend({point(0.3, 1), {true, true}, "normD + 0.1*centred"}, ticket(),
                       [&](const DescentStep& step) { return step.theta.size() == 2 && ++n_steps > 0; });
  ASSERT_TRUE(end);
  EXPECT_EQ(end->n_evaluations, n_steps);
  const Json followed =
      asked("follow", {{"theta", {{"a", 0.3}, {"c", 1}}}, {"free", {1U}}, {"regularizer", "centred"}});
  EXPECT_EQ(followed.at("theta").at("a"), 0.3);
}

TEST_F(Explored, ANewMeanIsKnownFromThenOn) {
  const std::string mean = "mean(abs(network.y))";
  EXPECT_FALSE(asked("evaluate", {{"theta", {{"a", 1}, {"c", 0}}}}).at("regularizers").contains(mean));
  asked("means", {{"expression", "2*mean(abs(network.y)) + normD"}});
  const double value = asked("evaluate", {{"theta", {{"a", 1}, {"c", 0}}}}).at("regularizers").at(mean);
  const Prediction expected = predict(
      run_, {.theta = {{"a", 1}, {"c", 0}}, .on = Splits{{Split::validation}}, .regularizers = {mean}});
  EXPECT_NEAR(value, expected.regularizers.back().second, 1e-5 * value);
  EXPECT_TRUE(has(refused("means", {{"expression", "mean(netwrk)"}}), "netwrk"));
}

TEST_F(Explored, TestWindowsAreLockedUntilTheLedgerSaysSo) {
  const Json request{{"theta", {{"a", 1}, {"c", 0}}}, {"split", "test"}};
  EXPECT_TRUE(has(refused("evaluate", request), "the test windows are locked"));
  EXPECT_TRUE(has(refused("explain", request), "unlocked"));
  asked("unlock", Json::object());
  EXPECT_EQ(asked("evaluate", request).at("n_all"), 18U);
  const std::vector<LedgerEntry> ledger = Run::open(path("run")).record()->ledger;
  const auto n_looks = std::count_if(ledger.begin(), ledger.end(), [](const LedgerEntry& entry) {
    return entry.command == "explore" && entry.split == "test" && entry.regularizer == "normD";
  });
  EXPECT_EQ(n_looks, 1);
}

TEST_F(Explored, ALookEntersTheLedgerOnce) {
  for (int i = 0; i < 2; ++i) {
    asked("evaluate", {{"theta", {{"a", 1}, {"c", 0}}}});
    ExploreSession again(run_, {.n_threads = 1});
    again.evaluate({point(1, 0), true, {}}, ticket());
  }
  std::size_t n_looks = 0;
  const std::optional<RunRecord> record = run_.record();
  for (const LedgerEntry& entry : record->ledger) n_looks += entry.command == "explore" ? 1 : 0;
  EXPECT_EQ(n_looks, 2U);  // one per regularizer
}

TEST_F(Explored, WrongRequestsAreRefused) {
  EXPECT_TRUE(has(refused("evaluate", {{"theta", {{"a", 9}, {"c", 0}}}}), "a"));
  EXPECT_TRUE(has(refused("evaluate", {{"theta", {{"a", 1}}}}), "c"));
  EXPECT_TRUE(has(refused("evaluate", {{"theta", {{"a", 1}, {"c", 0}}}, {"network", 3U}}), "no network 3"));
  EXPECT_TRUE(has(refused("evaluate", {{"theta", {{"a", 1}, {"c", 0}}}, {"shown", {100000U}}}), "100000"));
  EXPECT_TRUE(has(refused("scan", {{"theta", {{"a", 1}, {"c", 0}}}, {"axes", {0U, 0U}}}), "one or two"));
  EXPECT_TRUE(has(refused("descend", {{"theta", {{"a", 1}, {"c", 0}}}, {"regularizer", "normD"}}), "locked"));
  EXPECT_TRUE(
      has(refused("pins", {{"pins", {{{"name", "D"}, {"theta", {{"a", 1}, {"c", 0}}}}}}}), "A, B or C"));
}

TEST_F(Explored, PinsAreKept) {
  EXPECT_TRUE(kept_pins(run_).empty());
  asked("pins", {{"pins", {{{"name", "B"}, {"theta", {{"a", 1.5}, {"c", 0.25}}}}}}});
  const std::vector<Pin> kept = kept_pins(Run::open(path("run")));
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].name, "B");
  EXPECT_EQ(kept[0].theta.at("c"), 0.25);
}

TEST_F(Explored, ThePageStartsFromWhatTheRunHolds) {
  const Json start = start_of(session_, "/secret/");
  const Json& live = start.at("live");
  EXPECT_EQ(live.at("kind"), "points");
  EXPECT_EQ(live.at("parameters").at(0).at("density").at("y").at(0).get<double>(), 0.5);
  EXPECT_EQ(live.at("splits").at("validation").at("n"), 18U);
  EXPECT_EQ(start.at("regularizers").size(), 2U);
}

// 10 000 drags leave the memory as it was.
TEST_F(Explored, ManyDragsTakeNoMemory) {
  const auto drag = [&](int n) {
    for (int i = 0; i < n; ++i)
      asked("evaluate", {{"theta", {{"a", 0.5 + 1e-4 * (i % 5000)}, {"c", 0.1}}}, {"quick", true}});
  };
  drag(500);
  const std::size_t before = resident_pages();
  drag(10000);
  EXPECT_LT(resident_pages(), before + 512);  // 2 MiB
}

TEST(Secrets, AreLongAndDiffer) {
  const std::string one = random_secret(), other = random_secret();
  EXPECT_EQ(one.size(), 32U);
  EXPECT_NE(one, other);
  EXPECT_TRUE(is_same_secret(one, one));
  EXPECT_FALSE(is_same_secret(one, other));
  EXPECT_FALSE(is_same_secret(one, one.substr(1)));
}

}  // namespace
}  // namespace greybox::test
