// A data file that is made shorter while it is read window by window.
#include <chrono>
#include <thread>

#include "apps/run_tool.hpp"

namespace greybox::test {
namespace {

class ShortenedFile : public ToolTest {
 protected:
  static constexpr const char* kData = "reaction-diffusion.npz";

  // Learns from fields that the limit of memory leaves in their file.
  ToolResult train(const char* how) const {
    return greybox({"train", source("examples/reaction-diffusion.toml").string(), "--data", kData, "-o",
                    "run", "--epochs", "4", "--threads", "1", "--memory", "140M", how});
  }
};

TEST_F(ShortenedFile, EndsATrainingWithASentenceAndItContinuesWithTheWholeFile) {
  const ToolResult made =
      greybox({"data", "reaction-diffusion", "--size", "40", "--grid", "32", "--threads", "1", "-o", kData});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string data = bytes_of(path(kData));
  std::thread shortener([&] {
    for (int i = 0; i < 30'000 && !std::filesystem::exists(path("run/curves.csv")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::filesystem::resize_file(path(kData), 100'000);
  });
  const ToolResult result = train("--overwrite");
  shortener.join();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("reaction-diffusion.npz: error: the file became shorter"), std::string::npos)
      << result.err;
  write(kData, data);
  const ToolResult resumed = train("--resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

}  // namespace
}  // namespace greybox::test
