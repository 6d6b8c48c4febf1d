// What a message must say, whatever else it says.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace greybox::test {

inline void expect_mentions(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << "no `" << part << "` in:\n" << message;
}

}  // namespace greybox::test
