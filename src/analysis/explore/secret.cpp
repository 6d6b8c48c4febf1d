#include "analysis/explore/secret.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace greybox {

std::string random_secret() {
  std::array<unsigned char, 16> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "the system gives no random numbers");
  std::string text;
  for (unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool is_same_secret(std::string_view first, std::string_view second) {
  if (first.size() != second.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    difference |= static_cast<unsigned char>(first[i]) ^ static_cast<unsigned char>(second[i]);
  return difference == 0;
}

}  // namespace greybox
