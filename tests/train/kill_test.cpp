// The real program, killed at random moments with real signals, must end with the bits of an undisturbed run.
#include <fcntl.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "support/paths.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

using Clock = std::chrono::steady_clock;

// GREYBOX_KILLS=50 for the longer run of the documentation.
int n_kills() {
  const char* wish = std::getenv("GREYBOX_KILLS");
  return wish ? std::atoi(wish) : 20;
}

class Kill : public test::ToyFolder {
 protected:
  Kill() {
    model(
        "regularizer = \"centred\"\nlambda = 0.01\nepochs = 3000\nbatch = 3\nvalidate_every = "
        "5\ncheckpoint_seconds = 0.004");
  }

  pid_t start(const std::string& run) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    ::execl(kTool, kTool, "train", path("model.toml").c_str(), "-o", path(run).c_str(), "--mode", "aphynity",
            "--threads", "2", "--resume", nullptr);
    ::_exit(127);
  }

  // The status once the process has ended.
  static int wait(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  // Starts, waits, sends the signal; the status tells whether it came in time.
  int disturb(const std::string& run, int signal, Clock::duration delay) const {
    const pid_t child = start(run);
    std::this_thread::sleep_for(delay);
    ::kill(child, signal);
    return wait(child);
  }

  Clock::duration undisturbed() const {
    const Clock::time_point begin = Clock::now();
    EXPECT_EQ(wait(start("whole")), 0) << kTool;
    return Clock::now() - begin;
  }

  void expect_same(const std::string& run) const {
    for (const char* file : {"weights.npz", "curves.csv"})
      EXPECT_EQ(bytes_of(path(run) / file), bytes_of(path("whole") / file)) << run << ' ' << file;
  }

  std::mt19937 random_{42};
};

TEST_F(Kill, WithoutMercyAtRandomMoments) {
  const Clock::duration whole = undisturbed();
  int n_killed = 0, n_continued = 0;
  for (int run = 0; n_killed < n_kills() && run < 1000; ++run) {
    const std::string name = "run" + std::to_string(run);
    // A run is killed a few times on its way, then finishes.
    for (int i = 0; i < 4; ++i) {
      n_continued += std::filesystem::exists(path(name) / "checkpoint.npz") ? 1 : 0;
      const auto delay = whole * std::uniform_real_distribution<>(0.02, 0.6)(random_);
      const int status = disturb(name, SIGKILL, std::chrono::duration_cast<Clock::duration>(delay));
      if (!WIFSIGNALED(status)) break;
      ++n_killed;
    }
    ASSERT_EQ(wait(start(name)), 0);
    expect_same(name);
    std::filesystem::remove_all(path(name));
  }
  EXPECT_GE(n_killed, n_kills());
  EXPECT_GT(n_continued, n_kills() / 8) << "kills came too early to leave checkpoints";
}

TEST_F(Kill, GentlyWithACheckpoint) {
  const Clock::duration whole = undisturbed();
  int n_interrupted = 0;
  for (int signal : {SIGINT, SIGTERM}) {
    const std::string name = "run" + std::to_string(signal);
    for (int i = 0; i < 3; ++i) {
      const auto delay = whole * std::uniform_real_distribution<>(0.3, 0.5)(random_);
      const int status = disturb(name, signal, std::chrono::duration_cast<Clock::duration>(delay));
      if (!WIFEXITED(status)) continue;  // the signal came before the program listened
      if (WEXITSTATUS(status) == 0) break;
      ASSERT_EQ(WEXITSTATUS(status), 130);
      EXPECT_TRUE(std::filesystem::exists(path(name) / "checkpoint.npz"));
      ++n_interrupted;
    }
    ASSERT_EQ(wait(start(name)), 0);
    expect_same(name);
  }
  EXPECT_GT(n_interrupted, 0);
}

TEST_F(Kill, ASecondProcessIsRefusedAndAKilledOneLeavesNoLock) {
  // Stopped, the first process holds its folder for as long as the test needs.
  const Clock::duration whole = undisturbed();
  const pid_t first = start("run");
  while (!std::filesystem::exists(path("run/run.json"))) std::this_thread::sleep_for(whole / 200);
  ::kill(first, SIGSTOP);
  const int second = wait(start("run"));
  EXPECT_TRUE(WIFEXITED(second) && WEXITSTATUS(second) == 2) << second;
  ::kill(first, SIGKILL);
  wait(first);
  EXPECT_EQ(wait(start("run")), 0);
  expect_same("run");
}

}  // namespace
}  // namespace greybox
