// A text file line by line through one buffer, so that its size does not matter.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checksum.hpp"

namespace greybox {

// Throws InputError for what cannot be read or is not text: NUL bytes, not UTF-8, a line longer than 16 MiB.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& file);

  // The next line without its end (LF or CRLF), or nothing after the last; valid until the next call.
  std::optional<std::string_view> next();
  // The line given last together with the one after it, for line ends inside quotes; nothing when it was the
  // last.
  std::optional<std::string_view> extend();

  const std::string& file() const { return file_; }
  std::size_t line_number() const { return first_line_; }  // of the line given last, counted from 1
  std::size_t bytes_given() const { return bytes_dropped_ + next_; }
  // SHA-256 of the file, once it has been read to its end.
  std::string digest() { return hash_.digest(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool find_line_end();
  bool fill();
  void skip_byte_order_mark();
  std::string_view checked(std::size_t from) const;

  std::string file_;
  std::unique_ptr<std::FILE, Close> stream_;
  Sha256 hash_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // of the line given last
  std::size_t line_end_ = 0;  // of its text, where its line end starts
  std::size_t next_ = 0;      // of the line after it
  std::size_t filled_ = 0;    // bytes in the buffer
  std::size_t bytes_dropped_ = 0;
  std::size_t first_line_ = 0, last_line_ = 0;
  bool at_end_ = false;
};

}  // namespace greybox
