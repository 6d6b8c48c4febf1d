// Trainings whose disk is full or refuses to be written to.
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "train/toy_training.hpp"

namespace greybox {
namespace {

using TrainingDisk = test::ToyTraining;

// In a process of its own, as limits and users are those of a process. Exits with 0 when the training failed
// as it should.
template <class Train, class Prepare>
int failure_in_child(Train&& train, Prepare&& prepare, const std::string& reason) {
  const pid_t child = ::fork();
  if (child == 0) {
    prepare();
    try {
      train();
      ::_exit(1);
    } catch (const std::runtime_error& error) {
      ::_exit(std::string(error.what()).find(reason) != std::string::npos ? 0 : 2);
    } catch (...) {
      ::_exit(3);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(TrainingDisk, AFullDiskKeepsTheLastCheckpoint) {
  interrupt(options("run"), 2);
  const std::string checkpoint = bytes_of(path("run/checkpoint.npz"));
  TrainOptions resume = options("run");
  resume.resume = true;
  const auto limit_files = [] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};  // bytes; run.json fits, a checkpoint does not
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  EXPECT_EQ(failure_in_child([&] { train_toy(resume); }, limit_files, "checkpoint.npz"), 0);
  EXPECT_EQ(bytes_of(path("run/checkpoint.npz")), checkpoint);
  train_toy(options("whole"));
  EXPECT_EQ(train_toy(resume).outcome(), TrainOutcome::finished);
  EXPECT_EQ(bytes_of(path("run/weights.npz")), bytes_of(path("whole/weights.npz")));
}

TEST_F(TrainingDisk, AReadOnlyFolderIsToldByTheSystemsReason) {
  std::filesystem::create_directories(path("locked"));
  std::filesystem::permissions(path("locked"), std::filesystem::perms(0555));
  const auto become_nobody = [] {
    // The rules do not hold for root.
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(4);
  };
  for (const char* folder : {"locked/run", "locked"})
    EXPECT_EQ(failure_in_child([&] { train_toy(options(folder)); }, become_nobody, "Permission denied"), 0);
  EXPECT_TRUE(std::filesystem::is_empty(path("locked")));
}

}  // namespace
}  // namespace greybox
