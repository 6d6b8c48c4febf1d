// What the library says when the user's input is wrong: what, where, and how to mend it.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace greybox {

// A place in a text file; lines and columns (bytes) count from 1, and 0 means "not known".
struct SourceSpan {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 0;
};

// One mistake in the user's input.
struct Diagnostic {
  // Path as the user gave it; empty when the mistake is not in a file.
  std::string file{};
  // Where in a text file.
  SourceSpan span{};
  // Where in a data file, e.g. "row 12, column `velocity`"; empty otherwise.
  std::string element{};
  // The field of an options struct that is wrong; empty otherwise. Messages call other fields ``option `name`
  // ``.
  std::string option{};
  // What is wrong.
  std::string message{};
  // The text of the offending line, for the excerpt; empty for none.
  std::string line{};
  // How to mend it.
  std::string help{};
};

// "file:line:column: error: message", then the excerpt with carets, then the help.
std::string render(const Diagnostic& diagnostic);

// The user's input is wrong; carries every mistake found, not only the first.
class InputError : public std::exception {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  explicit InputError(Diagnostic diagnostic);

  const char* what() const noexcept override { return rendered_.c_str(); }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::string rendered_;
};

// The user ended the work; the message says how to continue.
class Interruption : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace greybox
