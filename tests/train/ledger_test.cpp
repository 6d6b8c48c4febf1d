// The ledger of a run, appended by several processes at once.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "train/run_record.hpp"
#include "train/toy.hpp"

namespace greybox::test {
namespace {

class Ledger : public ToyFolder {};

TEST_F(Ledger, LosesNothingWhenProcessesMeet) {
  constexpr int n_processes = 4, n_entries = 25;
  train(Model::read(model("epochs = 1")), {.folder = path("run")});
  const std::size_t n_before = read_record(path("run")).ledger.size();
  for (int process = 0; process < n_processes; ++process)
    if (::fork() == 0) {
      for (int i = 0; i < n_entries; ++i)
        append_to_ledger(path("run"), {{"landscape", "test", std::to_string(process), std::to_string(i)}});
      ::_exit(0);
    }
  for (int process = 0; process < n_processes; ++process) {
    int status = -1;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_record(path("run")).ledger.size(), n_before + n_processes * n_entries);
}

}  // namespace
}  // namespace greybox::test
