// Places in the text of a model file.
#include <algorithm>

#include "model/spec.hpp"

namespace greybox {

std::string_view SourceFile::line(std::size_t number) const {
  std::string_view rest = text;
  for (std::size_t i = 1; i < number; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) return {};
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

Diagnostic at(const SourceFile& source, const SourceSpan& span, std::string message, std::string help) {
  return {.file = source.path,
          .span = span,
          .element = {},
          .message = std::move(message),
          .line = span.line > 0 ? std::string(source.line(span.line)) : std::string(),
          .help = std::move(help)};
}

Diagnostic at(const SourceFile& source, const Equation& equation, TextRange range, std::string message,
              std::string help) {
  if (!equation.is_literal) return at(source, equation.text_span, std::move(message), std::move(help));
  const std::string_view before = std::string_view(equation.text).substr(0, range.begin);
  const auto n_lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  SourceSpan span = {.line = equation.text_span.line + n_lines, .length = range.end - range.begin};
  span.column = n_lines == 0 ? equation.text_span.column + range.begin : range.begin - before.rfind('\n');
  return at(source, span, std::move(message), std::move(help));
}

Diagnostic in_expression(const Equation& equation, TextRange range, std::string message, std::string help) {
  Diagnostic diagnostic =
      at(SourceFile{"", equation.text}, equation, range, std::move(message), std::move(help));
  diagnostic.option = "regularizer";
  return diagnostic;
}

}  // namespace greybox
