#include "core/base64.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace greybox {
namespace {

std::string encoded(std::string_view text) {
  return base64(std::as_bytes(std::span(text.data(), text.size())));
}

TEST(Base64, FillsUpIncompleteGroups) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, JoinsItsPiecesSeamlessly) {
  const std::vector<std::byte> bytes((std::size_t{3} << 20) + 4, std::byte{0xff});
  const std::string text = base64(bytes);
  ASSERT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
  EXPECT_EQ(text.find_first_not_of('/'), text.size() - 3);
  EXPECT_EQ(text.substr(text.size() - 4), "/w==");
}

}  // namespace
}  // namespace greybox
