// SHA-256 against the answers of its standard (FIPS 180-4).
#include "core/checksum.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <system_error>

namespace greybox {
namespace {

TEST(Sha256, GivesThePublishedAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, ReadsFilesLargerThanItsBlock) {
  const std::string file = testing::TempDir() + "greybox-checksum";
  const std::string bytes = std::string(100000, 'x') + '\0' + std::string(100000, 'y');
  std::ofstream(file, std::ios::binary) << bytes;
  EXPECT_EQ(sha256_of_file(file), sha256(bytes));
  std::filesystem::remove(file);
}

TEST(Sha256, NamesTheFileItCannotRead) {
  try {
    sha256_of_file("no/such/file");
    FAIL() << "read a file that does not exist";
  } catch (const std::system_error& error) {
    EXPECT_STREQ(error.what(), "cannot read `no/such/file`: No such file or directory");
  }
  EXPECT_THROW(sha256_of_file(testing::TempDir()), std::system_error);  // a folder opens but cannot be read
}

}  // namespace
}  // namespace greybox
