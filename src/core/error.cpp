// Renders diagnostics for people: place, message, excerpt, help.
#include "greybox/error.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/excerpt.hpp"

namespace greybox {
namespace {

// "file:line:column: ", "file: row 12, column `velocity`: " or "option `on`: ", without what is not known.
std::string place(const Diagnostic& diagnostic) {
  std::string result =
      diagnostic.option.empty() ? diagnostic.file : fmt::format("option `{}`", diagnostic.option);
  for (const std::size_t number : {diagnostic.span.line, diagnostic.span.column}) {
    if (number == 0) break;
    if (!result.empty()) result += ':';
    result += fmt::format("{}", number);
  }
  if (!result.empty()) result += ": ";
  if (!diagnostic.element.empty()) result += diagnostic.element + ": ";
  return result;
}

std::string render_all(const std::vector<Diagnostic>& diagnostics) {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!result.empty()) result += '\n';
    result += render(diagnostic);
  }
  return result;
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  std::string result = place(diagnostic) + "error: " + diagnostic.message;
  if (diagnostic.span.line > 0 && !diagnostic.line.empty()) {
    result += '\n' + excerpt(diagnostic.line, diagnostic.span);
  }
  if (!diagnostic.help.empty()) result += "\n  help: " + diagnostic.help;
  return result;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : diagnostics_(std::move(diagnostics)), rendered_(render_all(diagnostics_)) {}

InputError::InputError(Diagnostic diagnostic) : InputError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

}  // namespace greybox
