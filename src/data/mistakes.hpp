// Mistakes in a data file: where they are, and several of them at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "greybox/error.hpp"

namespace greybox {

// The user's text between backquotes: shortened when long, control characters made visible.
std::string in_backquotes(std::string_view text);

// The remedy for a damaged archive.
inline constexpr const char* kWriteAgain = "write the file again, e.g. with np.savez";

// A place in a data file, e.g. {"a.csv", "row 12, column `velocity`"}; an empty element means the file as a
// whole.
struct Place {
  std::string file;
  std::string element;

  Diagnostic diagnostic(std::string message, std::string help) const;
  [[noreturn]] void refuse(std::string message, std::string help) const;  // throws InputError
};

// Gathers mistakes so that a user sees several at once, but never a million.
class Mistakes {
 public:
  // Throws InputError when there are enough to show.
  void add(const Place& place, std::string message, std::string help);
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> found_;
};

}  // namespace greybox
