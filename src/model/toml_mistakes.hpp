// Every mistake of one model file, gathered so that all are reported together.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

class FileMistakes {
 public:
  explicit FileMistakes(std::shared_ptr<const SourceFile> source) : source_(std::move(source)) {}

  void add(const SourceSpan& span, std::string message, std::string help);
  void add(const Equation& equation, const EquationError& error);
  bool is_empty() const { return n_found_ == 0; }
  void throw_if_any() const;  // in the order of the file

  // "did you mean `x`?", or `otherwise` when nothing is close.
  std::string suggest(std::string_view name, std::span<const std::string> candidates,
                      std::string otherwise) const;

 private:
  void add(Diagnostic diagnostic);
  bool is_full() const;

  std::shared_ptr<const SourceFile> source_;
  std::vector<Diagnostic> diagnostics_;
  std::size_t n_found_ = 0;  // those beyond the limit are counted only
};

}  // namespace greybox
