// Data sets by name: what is written, what is refused, and that a refusal leaves everything as it was.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/checksum.hpp"
#include "data/canned_server.hpp"
#include "data/real_data.hpp"
#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "greybox/data.hpp"

namespace greybox {
namespace {

class DataSetsTest : public test::ScratchFolder {
 protected:
  // `make_data` refuses, and there is no output after it.
  void expect_nothing_made(const DataOptions& options, const std::filesystem::path& where,
                           const std::string& message) {
    test::expect_refused([&] { make_data(options); }, where, "", message);
    EXPECT_FALSE(std::filesystem::exists(options.output));
  }
};

TEST_F(DataSetsTest, MakesTheToy) {
  const DataReport report = make_data({.output = path("toy.csv"), .seed = 5});
  const DataTable table = read_table(path("toy.csv"));
  EXPECT_EQ(report.file, path("toy.csv"));
  EXPECT_EQ(report.n_rows, 120u);
  EXPECT_EQ(report.n_series, 1u);
  EXPECT_EQ(table.n_rows(), 120u);
  ASSERT_NE(table.find("y"), nullptr);
  EXPECT_EQ(report.sha256, sha256_of_file(path("toy.csv")));
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json.size(), 4u);
  EXPECT_EQ(json["file"], path("toy.csv").string());
  EXPECT_EQ(json["rows"], 120);
  EXPECT_EQ(json["series"], 1);
  EXPECT_EQ(json["sha256"], report.sha256);
}

TEST_F(DataSetsTest, ToysOfOneSeedBeginAlike) {
  make_data({.output = path("short.csv"), .seed = 5, .size = 7});
  make_data({.output = path("long.csv"), .seed = 5, .size = 300});
  make_data({.output = path("other.csv"), .seed = 6, .size = 7});
  const std::string few = bytes_of(path("short.csv")), many = bytes_of(path("long.csv"));
  EXPECT_EQ(read_table(path("short.csv")).n_rows(), 7u);
  EXPECT_EQ(read_table(path("long.csv")).n_rows(), 300u);
  EXPECT_EQ(many.substr(0, few.size()), few);
  EXPECT_NE(bytes_of(path("other.csv")), few);
}

TEST_F(DataSetsTest, MakesFields) {
  std::size_t n_done = 0;
  const DataReport report =
      make_data({.set = DataSet::reaction_diffusion,
                 .output = path("f.npz"),
                 .size = 2,
                 .grid = 4,
                 .execution = {.progress = [&](const ProgressReport& now) { n_done = now.n_done; }}});
  const DataTable table = read_table(path("f.npz"));
  EXPECT_EQ(report.n_rows, 32u);
  EXPECT_EQ(report.n_series, 2u);
  EXPECT_EQ(table.series.size(), 2u);
  EXPECT_EQ(table.find("v")->height, 4u);
  EXPECT_EQ(n_done, 2u);
}

TEST_F(DataSetsTest, RefusesFieldsBeyondMemory) {
  expect_nothing_made(
      {.set = DataSet::reaction_diffusion, .output = path("f.npz"), .size = 1'000'000, .grid = 512}, "",
      "GB of memory");
}

TEST_F(DataSetsTest, KeepsWhatIsThere) {
  write("toy.csv", "mine");
  test::expect_refused([&] { make_data({.output = path("toy.csv")}); }, path("toy.csv"), "", "already there");
  EXPECT_EQ(bytes_of(path("toy.csv")), "mine");
  make_data({.output = path("toy.csv"), .overwrite = true});
  EXPECT_EQ(read_table(path("toy.csv")).n_rows(), 120u);
}

TEST_F(DataSetsTest, RefusesOutputsThatCannotBe) {
  expect_nothing_made({.output = path("toy.npz")}, path("toy.npz"), "ends in .csv");
  expect_nothing_made({.set = DataSet::reaction_diffusion, .output = path("f.csv")}, path("f.csv"),
                      "ends in .npz");
  expect_nothing_made({.output = path("no/toy.csv")}, path("no/toy.csv"), "no folder");
  std::filesystem::create_directory(path("folder.csv"));
  test::expect_refused([&] { make_data({.output = path("folder.csv"), .overwrite = true}); },
                       path("folder.csv"), "", "is a folder");
}

TEST_F(DataSetsTest, RefusesOtherFilesThanThePublished) {
  const DataSet pendulum = DataSet::pendulum, plankton = DataSet::predator_prey;
  const auto wrong = write("expert_pendulum.npz", "something else");
  expect_nothing_made({.set = pendulum, .output = path("o.csv"), .from = wrong}, wrong, "SHA-256");
  expect_nothing_made({.set = pendulum, .output = path("o.csv"), .from = path("")},
                      path("") / "expert_pendulum.npz", "SHA-256");
  expect_nothing_made({.set = pendulum, .output = path("o.csv"), .from = path("none")}, path("none"),
                      "no such file");
  expect_nothing_made({.set = plankton, .output = path("o.csv"), .from = path("none")}, path("none"),
                      "no such folder");
  expect_nothing_made({.set = plankton, .output = path("o.csv"), .from = path("")}, path("") / "C1.csv",
                      "no such file");
}

TEST_F(DataSetsTest, MakesPendulumsOfOtherGravity) {
  const auto gravities = [&](const std::vector<double>& asked) {
    make_data({.set = DataSet::pendulum,
               .output = path("p.csv"),
               .overwrite = true,
               .is_simulated = true,
               .gravity = asked});
    const DataTable table = read_table(path("p.csv"));
    return std::pair{table.find("true_gravity")->at(0), table.find("true_gravity")->at(9'999)};
  };
  EXPECT_EQ(gravities({7}), std::pair(7.0, 7.0));
  const auto [first, last] = gravities({6, 14});
  EXPECT_NE(first, last);
}

TEST_F(DataSetsTest, RefusesGravitiesOfNoPendulum) {
  DataOptions options{.set = DataSet::pendulum, .output = path("p.csv"), .gravity = {7}};
  expect_nothing_made(options, "", "the gravity that it has");
  options.is_simulated = true;
  for (const std::vector<double>& gravity : {std::vector{0.0}, {14, 6}, {1e9}}) {
    options.gravity = gravity;
    expect_nothing_made(options, "", "not those of a pendulum");
  }
}

TEST_F(DataSetsTest, RefusesOtherDownloads) {
  test::CannedServer server;
  server.answer("/expert_pendulum.npz", test::http_reply("something else"));
  expect_nothing_made({.set = DataSet::pendulum, .output = path("o.csv"), .mirror = server.address()},
                      server.address("/expert_pendulum.npz"), "SHA-256");
}

TEST_F(DataSetsTest, DownloadsThePendulum) {
  const auto folder = test::real_data();
  if (!folder) GTEST_SKIP() << test::kNoRealData;
  test::CannedServer server;
  server.answer("/expert_pendulum.npz",
                test::http_reply(bytes_of(*folder / "pendulum" / "expert_pendulum.npz")));
  const DataReport report =
      make_data({.set = DataSet::pendulum, .output = path("downloaded.csv"), .mirror = server.address()});
  make_data({.set = DataSet::pendulum, .output = path("converted.csv"), .from = *folder / "pendulum"});
  EXPECT_EQ(report.n_series, 100u);
  EXPECT_EQ(read_table(path("downloaded.csv")).n_rows(), 10000u);
  EXPECT_EQ(bytes_of(path("downloaded.csv")), bytes_of(path("converted.csv")));
}

}  // namespace
}  // namespace greybox
