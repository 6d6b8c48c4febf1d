// Gathers diagnostics up to a limit.
#include "model/toml_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/nearest_name.hpp"

namespace greybox {

namespace {

constexpr std::size_t max_reported = 50;

}  // namespace

bool FileMistakes::is_full() const {
  return n_found_ >= max_reported;
}

void FileMistakes::add(Diagnostic diagnostic) {
  if (!is_full()) diagnostics_.push_back(std::move(diagnostic));
  ++n_found_;
}

void FileMistakes::add(const SourceSpan& span, std::string message, std::string help) {
  if (is_full()) return add(Diagnostic{});
  add(at(*source_, span, std::move(message), std::move(help)));
}

void FileMistakes::add(const Equation& equation, const EquationError& error) {
  if (is_full()) return add(Diagnostic{});
  add(at(*source_, equation, error.range, error.message, error.help));
}

void FileMistakes::throw_if_any() const {
  if (is_empty()) return;
  std::vector<Diagnostic> sorted = diagnostics_;
  std::ranges::stable_sort(sorted, {},
                           [](const Diagnostic& d) { return std::tuple(d.span.line, d.span.column); });
  if (n_found_ > sorted.size())
    sorted.push_back({.file = source_->path,
                      .span = {},
                      .element = {},
                      .message = fmt::format("and {} more mistakes", n_found_ - sorted.size()),
                      .line = {},
                      .help = {}});
  throw InputError(std::move(sorted));
}

std::string FileMistakes::suggest(std::string_view name, std::span<const std::string> candidates,
                                  std::string otherwise) const {
  // Nobody will read it, and a file made to have many mistakes could make this the slowest part of reading.
  if (is_full()) return otherwise;
  const auto near = nearest_name(name, candidates);
  return near ? fmt::format("did you mean `{}`?", *near) : otherwise;
}

}  // namespace greybox
