// Which file stands at an address, for whoever has to say so when its pages are lost.
#include "core/mapped_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "greybox/mapped_files.hpp"

namespace greybox {
namespace {

class MappedFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("greybox-mapped-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, std::size_t size) const {
    std::ofstream(folder_ / name, std::ios::binary) << std::string(size, 'x');
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(MappedFileTest, IsKnownByItsAddressesAsLongAsItIsMapped) {
  const auto file = write("a.npz", 5000);
  const std::byte* begin = nullptr;
  {
    const MappedFile mapped(open_to_read(file), 5000);
    begin = mapped.bytes().data();
    EXPECT_EQ(mapped_file_at(begin), file.string());
    EXPECT_EQ(mapped_file_at(begin + 4999), file.string());
    EXPECT_EQ(mapped_file_at(begin + 5000), nullptr);
    EXPECT_EQ(mapped_file_at(begin - 1), nullptr);
  }
  EXPECT_EQ(mapped_file_at(begin), nullptr);
  EXPECT_EQ(mapped_file_at(nullptr), nullptr);
}

TEST_F(MappedFileTest, HasANameThatSteersNoTerminal) {
  const MappedFile mapped(open_to_read(write("a\x1b[2J\xC2\x9Bü.npz", 10)), 10);
  EXPECT_EQ(std::filesystem::path(mapped_file_at(mapped.bytes().data())).filename(), "a?[2J\xC2?ü.npz");
}

// Others than those that are known are mapped all the same.
TEST_F(MappedFileTest, MayBeOneOfMany) {
  const auto file = write("a.npz", 10);
  for (int round = 0; round < 2; ++round) {
    std::vector<std::unique_ptr<MappedFile>> files;
    for (int i = 0; i < 100; ++i) files.push_back(std::make_unique<MappedFile>(open_to_read(file), 10));
    EXPECT_EQ(mapped_file_at(files.front()->bytes().data()), file.string());
    EXPECT_EQ(files.back()->bytes()[9], std::byte{'x'});
  }
}

}  // namespace
}  // namespace greybox
