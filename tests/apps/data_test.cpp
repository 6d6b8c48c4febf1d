// `greybox data`: made, converted, downloaded from a real server, or refused without a trace.
#include "apps/http_server.hpp"
#include "apps/run_tool.hpp"
#include "data/real_data.hpp"
#include "data/table.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class Data : public ToolTest {
 protected:
  // Nothing but what the test put there itself.
  void expect_no_file(const std::string& name) const { EXPECT_FALSE(fs::exists(path(name))); }
};

TEST_F(Data, MakesTheToyOfTheExamples) {
  const std::string text = expect_done({"data", "toy"});
  EXPECT_TRUE(text.starts_with("toy.csv: 120 rows, 1 series\n")) << text;
  EXPECT_EQ(bytes_of(path("toy.csv")), bytes_of(source("examples/toy.csv")));
}

TEST_F(Data, TellsTheResultAsJson) {
  const auto json =
      expect_json({"data", "reaction-diffusion", "--size", "2", "--grid", "4", "-o", "f.npz", "--json"});
  EXPECT_EQ(json["file"], "f.npz");
  EXPECT_EQ(json["rows"], 32);
  EXPECT_EQ(json["series"], 2);
  EXPECT_EQ(json["sha256"].get<std::string>().size(), 64u);
}

TEST_F(Data, DependsOnTheSeedAndNotOnThreads) {
  const auto sum = [&](const std::string& seed, const std::string& threads) {
    return expect_json({"data", "reaction-diffusion", "--size", "5", "--grid", "4", "--seed", seed,
                        "--threads", threads, "--force", "--json"})["sha256"];
  };
  EXPECT_EQ(sum("1", "1"), sum("1", "3"));
  EXPECT_NE(sum("1", "1"), sum("2", "1"));
}

TEST_F(Data, NeverReplacesAFileUnasked) {
  write("toy.csv", "mine");
  expect_wrong_input({"data", "toy"}, "--force");
  EXPECT_EQ(bytes_of(path("toy.csv")), "mine");
  expect_done({"data", "toy", "--force"});
  EXPECT_NE(bytes_of(path("toy.csv")), "mine");
}

TEST_F(Data, RefusesWrongUse) {
  expect_wrong_input({"data", "toy", "-o", "toy.txt"}, ".csv");
  expect_wrong_input({"data", "toy", "-o", "no/toy.csv"}, "no folder");
  expect_wrong_input({"data", "toy", "--size", "0"}, "--size");
  expect_wrong_input({"data", "toy", "--size", "many"}, "--size");
  expect_wrong_input({"data", "toy", "--seed", "-1"}, "--seed");
  expect_wrong_input({"data", "toy", "--grid", "8"}, "--grid");
  expect_wrong_input({"data", "reaction-diffusion", "--grid", "2"}, "--grid");
  expect_wrong_input({"data", "pendulum", "--from", "nowhere.npz"}, "nowhere.npz");
  expect_wrong_input({"data", "predator-prey", "--from", "nowhere"}, "nowhere");
  EXPECT_TRUE(fs::is_empty(path("")));
}

TEST_F(Data, MakesPendulumsOfOtherGravity) {
  expect_done({"data", "pendulum", "--simulated", "-o", "usual.csv"});
  expect_done({"data", "pendulum", "--simulated", "--gravity", "6,14", "-o", "others.csv"});
  EXPECT_EQ(read_table(path("usual.csv")).find("true_gravity"), nullptr);
  const DataTable others = read_table(path("others.csv"));
  EXPECT_EQ(others.series.size(), 100u);
  for (const Series& series : others.series) {
    EXPECT_GE(others.find("true_gravity")->at(series.first_row), 6);
    EXPECT_LE(others.find("true_gravity")->at(series.first_row), 14);
  }
}

TEST_F(Data, RefusesGravitiesOfNoPendulum) {
  expect_wrong_input({"data", "pendulum", "--gravity", "7"}, "--simulated");
  for (const char* gravity : {"0", "-3", "14,6", "1e9", "nan"})
    expect_wrong_input({"data", "pendulum", "--simulated", "--gravity", gravity}, "from above 0 to 100");
  for (const char* gravity : {"much", "6,10,14"})
    expect_wrong_input({"data", "pendulum", "--simulated", "--gravity", gravity}, "--gravity");
  expect_wrong_input({"data", "predator-prey", "--simulated", "--gravity", "7"}, "--gravity");
  EXPECT_TRUE(fs::is_empty(path("")));
}

TEST_F(Data, SaysWhenAFolderTakesNoFiles) {
  expect_failure({"data", "toy", "-o", "/proc/toy.csv"}, 1, "cannot write `/proc/toy.csv`");
}

TEST_F(Data, ConvertsThePublishedFiles) {
  const auto folder = real_data();
  if (!folder) GTEST_SKIP() << kNoRealData;
  expect_done({"data", "pendulum", "--from", (*folder / "pendulum" / "expert_pendulum.npz").string()});
  expect_done({"data", "predator-prey", "--from", (*folder / "predator-prey").string()});
  EXPECT_EQ(read_table(path("pendulum.csv")).series.size(), 100u);
  EXPECT_EQ(read_table(path("predator-prey.csv")).series.size(), 10u);
}

TEST_F(Data, DownloadsFromAMirror) {
  const auto folder = real_data();
  if (!folder) GTEST_SKIP() << kNoRealData;
  const HttpServer server(*folder);
  ASSERT_NE(server.address(), "") << "python3 is needed";
  ::setenv("GREYBOX_DATA_MIRROR", (server.address() + "/pendulum").c_str(), 1);
  expect_done({"data", "pendulum"});
  ::unsetenv("GREYBOX_DATA_MIRROR");
  expect_done({"data", "predator-prey", "--mirror", server.address() + "/predator-prey/"});
  expect_done(
      {"data", "predator-prey", "--from", (*folder / "predator-prey").string(), "-o", "converted.csv"});
  EXPECT_EQ(read_table(path("pendulum.csv")).n_rows(), 10000u);
  EXPECT_EQ(bytes_of(path("predator-prey.csv")), bytes_of(path("converted.csv")));
}

TEST_F(Data, RefusesOtherContentThanThePublished) {
  fs::create_directory(path("mirror"));
  write("mirror/expert_pendulum.npz", "something else");
  const HttpServer server(path("mirror"));
  ASSERT_NE(server.address(), "") << "python3 is needed";
  expect_wrong_input({"data", "pendulum", "--mirror", server.address()}, "SHA-256");
  expect_no_file("pendulum.csv");
}

TEST_F(Data, RefusesATruncatedFile) {
  const auto folder = real_data();
  if (!folder) GTEST_SKIP() << kNoRealData;
  fs::create_directory(path("mirror"));
  const std::string whole = bytes_of(*folder / "pendulum" / "expert_pendulum.npz");
  write("mirror/expert_pendulum.npz", whole.substr(0, whole.size() - 1));
  const HttpServer server(path("mirror"));
  expect_wrong_input({"data", "pendulum", "--mirror", server.address()}, "SHA-256");
  expect_no_file("pendulum.csv");
}

TEST_F(Data, SaysWhatToDoWhenAFileIsNotThere) {
  const HttpServer server(path(""));
  ASSERT_NE(server.address(), "") << "python3 is needed";
  expect_failure({"data", "predator-prey", "--mirror", server.address()}, 1, "404");
  expect_no_file("predator-prey.csv");
}

TEST_F(Data, SaysWhatToDoWithoutANetwork) {
  std::string address;
  {
    const HttpServer server(path(""));
    address = server.address();
  }
  ASSERT_NE(address, "") << "python3 is needed";
  for (const char* part : {"connect", "expert_pendulum.npz", "--from", "https://github.com/"})
    expect_failure({"data", "pendulum", "--mirror", address}, 1, part);
  expect_failure({"data", "predator-prey", "--mirror", address}, 1,
                 "https://doi.org/10.6084/m9.figshare.10045976.v1");
  EXPECT_TRUE(fs::is_empty(path("")));
}

}  // namespace
}  // namespace greybox::test
