// What is opened, and what is not.
#include "core/descriptor.hpp"

#include <sys/stat.h>

#include <system_error>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using DescriptorTest = test::ScratchFolder;

TEST_F(DescriptorTest, ReadsNothingThatMayNeverEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  test::expect_refused([&] { open_to_read(path("pipe")); }, path("pipe"), "", "a pipe or a device");
  test::expect_refused([&] { open_to_read("/dev/zero"); }, "/dev/zero", "", "a pipe or a device");
  test::expect_refused([&] { open_to_read(path("")); }, path(""), "", "a folder");
  test::expect_refused([&] { open_to_read(path("none")); }, path("none"), "", "No such file");
}

TEST_F(DescriptorTest, AppendsToNoFileElsewhere) {
  write("mine", "x");
  std::filesystem::create_symlink(path("mine"), path("link"));
  EXPECT_THROW(open_to_append(path("link")), std::system_error);
  open_to_append(path("mine")).write("yz");
  EXPECT_EQ(bytes_of(path("mine")), "xyz");
}

}  // namespace
}  // namespace greybox
