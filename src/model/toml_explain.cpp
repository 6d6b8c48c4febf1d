// The TOML parser's errors in words that help someone who does not know TOML.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/toml_document.hpp"

namespace greybox {

namespace {

struct Explanation {
  std::string_view description;  // a part of the parser's own
  std::string_view message;
  std::string_view help;
};

constexpr std::string_view in_quotes = "texts and equations stand in quotes: name = \"1.5 * x\"";

constexpr std::array explanations = std::to_array<Explanation>({
    {"could not determine value type", "this value is no number, text, true, false, list or table",
     in_quotes},
    {"expected a comment or whitespace", "something follows the value", in_quotes},
    {"expected value, saw", "the value is missing", "write it after the `=`"},
    {"expected '=', saw", "a name must be followed by `=` and a value",
     "write name = value, or [name] for a table"},
    {"expected keys, tables", "a line must start with a name or a [table]",
     "comments start with #; a name with other letters than a-z stands in quotes: \"θ\" = …"},
    {"cannot redefine existing", "this name is already taken", "remove or rename one of the two"},
    {"expected comma or closing", "a comma or the closing bracket is missing",
     "separate values by `,` and close with `]` or `}`"},
    {"expected ']', saw", "the name of the table is not closed", "write [name]"},
    {"dangling comma", "a comma stands before the closing `}`", "remove it"},
    {"expected key or closing '}', saw '\\n'", "a table in braces must stand on one line",
     "close it with `}` on this line, or make it a [table] of its own"},
    {"leading zeroes", "a number cannot start with 0", "remove the zero"},
    {"expected decimal digit", "a number needs digits before and after the point", "write 0.5 or 1.0"},
    {"expected 'true'", "true is written in small letters", "write true, or put a text in quotes"},
    {"expected 'false'", "false is written in small letters", "write false, or put a text in quotes"},
    {"could not be interpreted as a value", "the number is too large", "numbers reach to about 1e308"},
    {"not representable in 64 bits", "the whole number is too large",
     "write it with an exponent, such as 1e20"},
    {"unknown escape sequence", "a backslash has a meaning of its own in double quotes",
     "write \\\\, or use single quotes"},
    {"string: encountered end-of-file", "the text is never closed", "add the closing quotes"},
    {"array: encountered end-of-file", "the list is never closed", "add the closing `]`"},
    {"inline table: encountered end-of-file", "the table is never closed", "add the closing `}`"},
});

// From "cannot redefine existing string 'velocity'".
std::string_view redefined_name(std::string_view description) {
  const std::size_t open = description.find('\'');
  const std::size_t close = description.rfind('\'');
  if (description.find("cannot redefine existing") == description.npos || open == close) return {};
  return description.substr(open + 1, close - open - 1);
}

}  // namespace

Diagnostic explain(const SourceFile& source, const SourceSpan& place, std::string_view description) {
  const bool is_at_line_end = place.column > source.line(place.line).size();
  if (description.find("unescaped control characters") != description.npos && is_at_line_end)
    return at(source, place, "the text is not closed on this line", "add the closing quote");
  if (const std::string_view name = redefined_name(description); !name.empty())
    return at(source, place, fmt::format("the name `{}` is already taken", name),
              "remove or rename one of the two");
  const auto found = std::ranges::find_if(explanations, [&](const Explanation& e) {
    return description.find(e.description) != description.npos;
  });
  if (found != explanations.end())
    return at(source, place, std::string(found->message), std::string(found->help));
  const std::size_t colon = description.find(": ");
  const std::string_view reason = colon == description.npos ? description : description.substr(colon + 2);
  return at(source, place, fmt::format("this is not valid TOML: {}", reason),
            "see https://toml.io for how TOML is written");
}

}  // namespace greybox
