#include "manual_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <greybox/version.hpp>

namespace greybox::apps {
namespace {

// Characters that roff would read as its own.
std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'' || (c == '.' && result.empty()))
      result += c == '\'' ? "\\(aq" : "\\&.";
    else
      result += c;
  }
  return result;
}

std::string hyphenated(const CommandShape& command) {
  std::string name = command.path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string synopsis(const CommandShape& command) {
  std::string text = fmt::format(".B {}\n", escaped(command.path));
  for (const OptionShape& option : command.options)
    if (option.is_argument()) text += fmt::format(".I {}\n", escaped(option.names()));
  return text + (command.commands.empty() ? ".RI [ OPTIONS ]\n" : ".I COMMAND\n\\&...\n");
}

std::string options(const CommandShape& command) {
  std::string text, group;
  for (const OptionShape& option : command.options) {
    const std::string own = option.is_argument() ? "Arguments" : option.group;
    if (own != group) text += fmt::format(".SS {}\n", escaped(own));
    group = own;
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(option.names()), escaped(option.full_text()));
  }
  return text;
}

std::string commands(const CommandShape& command) {
  if (command.commands.empty()) return {};
  std::string text = ".SH COMMANDS\n";
  for (const CommandShape& one : command.commands)
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(hyphenated(one)), escaped(one.about));
  return text;
}

std::string examples(const CommandShape& command) {
  if (command.examples.empty()) return {};
  std::string text = ".SH EXAMPLES\n";
  for (const std::string& example : command.examples)
    text += fmt::format(".PP\n.nf\n    {}\n.fi\n", escaped(example));
  return text;
}

constexpr const char* kStatus = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
failed
.TP
2
wrong input; the message says what, where and how to mend it
.TP
130
interrupted
)";

}  // namespace

std::string manual_name(const CommandShape& command) {
  return hyphenated(command) + ".1";
}

std::string manual_page(const CommandShape& command, const CommandShape& program) {
  const std::string name = hyphenated(command);
  std::string page =
      fmt::format(".TH {} 1 \"\" \"greybox {}\" \"User Commands\"\n", escaped(upper_case(name)), version());
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.about));
  page += ".SH SYNOPSIS\n" + synopsis(command);
  page += commands(command);
  page += ".SH OPTIONS\n" + options(command) + examples(command) + kStatus;
  if (command.name != program.name) page += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", escaped(program.name));
  return page;
}

}  // namespace greybox::apps
