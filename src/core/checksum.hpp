// SHA-256, as 64 lower-case hexadecimal digits.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace greybox {

// Of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();

  void add(std::string_view bytes);
  // Of all bytes added; nothing may be added after it.
  std::string digest();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

std::string sha256(std::string_view bytes);
// Of the numbers' bits.
std::string sha256_of_numbers(std::span<const double> values);
// Of a file of any size; throws std::system_error with the file's name and the system's reason.
std::string sha256_of_file(const std::filesystem::path& file);
// Of an open file, from its beginning to its end; leaves its position where it was.
std::string sha256_of_descriptor(int descriptor, const std::filesystem::path& file);

}  // namespace greybox
