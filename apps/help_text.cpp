#include "help_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "terminal.hpp"

namespace greybox::apps {
namespace {

constexpr std::size_t kNarrowest = 40, kWidest = 100;
constexpr std::size_t kMostNames = 24;  // longer ones stand on a line of their own

class Page {
 public:
  Page(std::size_t width, bool has_colours)
      : width_(std::clamp(width, kNarrowest, kWidest)), has_colours_(has_colours) {}

  void paragraph(std::string_view text) {
    for (const std::string& line : wrapped(text, width_)) text_ += line + "\n";
  }
  void heading(const std::string& text) {
    text_ += "\n" + styled(text + ":", Style::heading, has_colours_) + "\n";
  }
  void indented(std::string_view text) {
    bool is_first = true;
    for (const std::string& line : wrapped(text, width_ - 6)) {
      text_ += (is_first ? "  " : "      ") + line + "\n";
      is_first = false;
    }
  }
  // A name, and its text beside it.
  void entry(const std::string& name, std::string_view text, std::size_t column) {
    const std::size_t length = n_characters(name);
    const bool is_beside = length <= column;
    text_ += "  " + styled(name, Style::name, has_colours_);
    if (is_beside) text_ += std::string(column - length, ' ');
    bool is_first = is_beside;
    if (!is_beside) text_ += "\n";
    for (const std::string& line : wrapped(text, width_ - column - 4)) {
      text_ += (is_first ? "  " : std::string(column + 4, ' ')) + line + "\n";
      is_first = false;
    }
    if (is_first) text_ += "\n";
  }
  std::string text() const { return text_; }

 private:
  std::size_t width_;
  bool has_colours_;
  std::string text_;
};

std::string usage_of(const CommandShape& command) {
  std::string usage = command.path;
  for (const OptionShape& option : command.options)
    if (option.is_argument())
      usage += option.is_required ? " " + option.names() : " [" + option.names() + "]";
  for (const OptionShape& option : command.options)
    if (!option.is_argument() && option.is_required)
      usage += fmt::format(" {} {}", option.long_flag, option.value);
  return usage + (command.commands.empty() ? " [OPTIONS]" : " COMMAND …");
}

std::size_t column_of(const std::vector<OptionShape>& options) {
  std::size_t column = 0;
  for (const OptionShape& option : options)
    if (const std::size_t n = n_characters(option.names()); n <= kMostNames) column = std::max(column, n);
  return column;
}

void add_options(const CommandShape& command, Page& page) {
  const std::size_t column = column_of(command.options);
  std::string group;
  for (const OptionShape& option : command.options) {
    const std::string own = option.is_argument() ? "Arguments" : option.group;
    if (own != group) page.heading(own);
    group = own;
    page.entry(option.names(), option.full_text(), column);
  }
}

void add_commands(const CommandShape& command, Page& page) {
  std::size_t column = 0;
  std::vector<std::string> groups;
  for (const CommandShape& one : command.commands) {
    column = std::max(column, n_characters(one.name));
    if (std::find(groups.begin(), groups.end(), one.group) == groups.end()) groups.push_back(one.group);
  }
  for (const std::string& group : groups) {
    page.heading(group == "Subcommands" ? "Commands" : group);
    for (const CommandShape& one : command.commands)
      if (one.group == group) page.entry(one.name, one.about, column);
  }
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return help_text(shape_of(*app), width_of(Stream::out), has_colours(Stream::out));
  }
};

}  // namespace

std::string help_text(const CommandShape& command, std::size_t width, bool has_colours) {
  Page page(width, has_colours);
  page.paragraph(command.about);
  page.heading("Usage");
  page.indented(usage_of(command));
  add_commands(command, page);
  add_options(command, page);
  if (!command.examples.empty()) page.heading(command.examples.size() > 1 ? "Examples" : "Example");
  for (const std::string& example : command.examples) page.indented(example);
  if (!command.commands.empty()) {
    page.heading("More");
    page.indented(fmt::format("{} COMMAND --help tells about one command.", command.path));
  }
  return page.text();
}

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace greybox::apps
