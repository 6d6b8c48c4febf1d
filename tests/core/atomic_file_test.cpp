// A file is replaced whole or not at all.
#include "core/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <system_error>

namespace greybox {
namespace {

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "atomic-file-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    file_ = folder_ / "weights.npz";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string content() const {
    std::ifstream stream(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::ptrdiff_t n_files() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

  std::filesystem::path folder_;
  std::filesystem::path file_;
};

TEST_F(AtomicFileTest, WritesAndReplaces) {
  const std::string bytes("new\0bytes\n", 10);
  write_file_atomically(file_, "old");
  EXPECT_EQ(content(), "old");
  write_file_atomically(file_, bytes);
  EXPECT_EQ(content(), bytes);
  EXPECT_EQ(n_files(), 1);
}

TEST_F(AtomicFileTest, KeepsTheOldFileWithoutACommit) {
  write_file_atomically(file_, "old");
  {
    AtomicFile target(file_);
    std::ofstream(target.temporary()) << "half of the ne";
    EXPECT_EQ(target.temporary().parent_path(), folder_);
    EXPECT_EQ(content(), "old");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(n_files(), 1);
}

TEST_F(AtomicFileTest, CommitsWhatWasWritten) {
  AtomicFile target(file_);
  std::ofstream(target.temporary()) << "new";
  target.commit();
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(n_files(), 1);
}

TEST_F(AtomicFileTest, GivesTwoWritersDifferentTemporaries) {
  const AtomicFile one(file_);
  const AtomicFile two(file_);
  EXPECT_NE(one.temporary(), two.temporary());
}

TEST_F(AtomicFileTest, ReplacesALinkAndNotWhatItLeadsTo) {
  write_file_atomically(folder_ / "other", "somebody's");
  std::filesystem::create_symlink(folder_ / "other", file_);
  write_file_atomically(file_, "new");
  EXPECT_FALSE(std::filesystem::is_symlink(file_));
  EXPECT_EQ(content(), "new");
  file_ = folder_ / "other";
  EXPECT_EQ(content(), "somebody's");
}

TEST_F(AtomicFileTest, RemovesWhatKilledProcessesLeftAndNothingElse) {
  const auto exists = [&](const char* name) { return std::filesystem::exists(folder_ / name); };
  for (const char* name :
       {".a.0123456789abcdef.greybox-tmp", ".notes.tmp", ".a.0123.greybox-tmp", "a.greybox-tmp"})
    std::ofstream(folder_ / name) << "half";
  std::filesystem::create_directories(folder_ / ".files.fedcba9876543210.greybox-tmp" / "inside");
  write_file_atomically(file_, "new");
  EXPECT_FALSE(exists(".a.0123456789abcdef.greybox-tmp"));
  EXPECT_FALSE(exists(".files.fedcba9876543210.greybox-tmp"));
  EXPECT_TRUE(exists(".notes.tmp"));
  EXPECT_TRUE(exists(".a.0123.greybox-tmp"));
  EXPECT_TRUE(exists("a.greybox-tmp"));
}

TEST_F(AtomicFileTest, LeavesTheFilesOfLivingProcesses) {
  std::filesystem::create_directory(folder_ / "sub");
  const pid_t child = ::fork();
  AtomicFile ours(child == 0 ? file_ : folder_ / "curves.csv");
  if (child == 0) {
    ::kill(::getpid(), SIGSTOP);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, WUNTRACED);
  write_file_atomically(folder_ / "sub" / ".." / "another",
                        "x");  // a folder that was not swept under this name
  EXPECT_EQ(n_files(), 4) << "a folder, both temporary files, and the new one";
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
}

TEST_F(AtomicFileTest, MovesFilesTogether) {
  write_file_atomically(file_, "old");
  {
    AtomicFolder together(folder_);
    write_file_atomically(together.folder() / "weights.npz", "half");
    EXPECT_EQ(content(), "old");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(n_files(), 1);
  AtomicFolder together(folder_);
  for (const char* name : {"weights.npz", "curves.csv"})
    write_file_atomically(together.folder() / name, "new");
  const std::vector<std::filesystem::path> files =
      together.commit({together.folder() / "weights.npz", together.folder() / "curves.csv"});
  EXPECT_EQ(files, (std::vector<std::filesystem::path>{file_, folder_ / "curves.csv"}));
  EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, NamesTheFileAndTheReason) {
  const std::filesystem::path nowhere = folder_ / "missing" / "run.json";
  try {
    write_file_atomically(nowhere, "{}");
    FAIL() << "wrote into a folder that does not exist";
  } catch (const std::system_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write `" + nowhere.string() + "`: No such file or directory");
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

TEST_F(AtomicFileTest, LeavesNothingBehindWhenRenamingFails) {
  std::filesystem::create_directory(file_);
  EXPECT_THROW(write_file_atomically(file_, "x"), std::system_error);
  EXPECT_EQ(n_files(), 1);
}

}  // namespace
}  // namespace greybox
