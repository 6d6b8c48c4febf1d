#include "train/run_folder.hpp"

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using RunFolderTest = test::ScratchFolder;

TEST_F(RunFolderTest, OnlyOneMayWrite) {
  RunFolder second(path("run"));
  {
    RunFolder first(path("run"));
    first.claim();
    test::expect_refused([&] { second.claim(); }, path("run"), "", "another training");
  }
  EXPECT_NO_THROW(second.claim());
}

TEST_F(RunFolderTest, FilesOfTheUserStay) {
  std::filesystem::create_directories(path("run"));
  write("run/.notes.tmp", "mine");
  RunFolder folder(path("run"));
  folder.claim();
  folder.clear();
  EXPECT_TRUE(std::filesystem::exists(path("run/.notes.tmp")));
}

TEST_F(RunFolderTest, ALockIsNoWayToAnotherFile) {
  std::filesystem::create_directories(path("run"));
  std::filesystem::create_symlink(path("elsewhere"), path("run/.lock"));
  RunFolder folder(path("run"));
  EXPECT_THROW(folder.claim(), std::system_error);
  EXPECT_FALSE(std::filesystem::exists(path("elsewhere")));
}

TEST_F(RunFolderTest, WeightsFromElsewhereAreNotLost) {
  std::filesystem::create_directories(path("run"));
  write("run/weights.npz", "mine");
  test::expect_refused([&] { RunFolder(path("run")).refuse_if_in_use(); }, path("run"), "", "weights");
  test::expect_refused([&] { RunFolder(path("run/weights.npz")).refuse_if_in_use(); },
                       path("run/weights.npz"), "", "file");
}

}  // namespace
}  // namespace greybox
