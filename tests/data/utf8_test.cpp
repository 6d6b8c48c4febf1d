// UTF-8: sound and unsound sequences at every offset of the eight-byte fast path.
#include "data/utf8.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(Utf8, AcceptsSoundTextAtEveryOffset) {
  for (const std::string text : {"", "a", "é", "€", "𝄞", "\x7F", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
    for (std::size_t n = 0; n < 20; ++n)
      EXPECT_TRUE(is_utf8(std::string(n, 'x') + text + std::string(n, 'y')));
  }
}

TEST(Utf8, RefusesUnsoundTextAtEveryOffset) {
  const std::string cases[] = {"\xFF",
                               "\xC3",
                               "\x80",
                               "\xC0\xAF",
                               "\xE2\x82",
                               "\xE0\x80\xAF",
                               "\xED\xA0\x80",
                               "\xF4\x90\x80\x80",
                               "\xF0\x82\x82\xAC",
                               "\xC3("};
  for (const std::string& text : cases) {
    for (std::size_t n = 0; n < 20; ++n) EXPECT_FALSE(is_utf8(std::string(n, 'x') + text)) << n;
  }
}

TEST(Utf8, AppendsCharactersOfEveryLength) {
  std::string text;
  for (const char32_t c : {U'a', U'é', U'€', U'𝄞'}) EXPECT_TRUE(append_utf8(text, c));
  EXPECT_EQ(text, "aé€𝄞");
  EXPECT_FALSE(append_utf8(text, 0xD800));
  EXPECT_FALSE(append_utf8(text, 0x110000));
  EXPECT_EQ(text, "aé€𝄞");
}

}  // namespace
}  // namespace greybox
