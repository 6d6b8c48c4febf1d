#include "wrong_use.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <greybox/did_you_mean.hpp>
#include <optional>

#include "command_shape.hpp"

namespace greybox::apps {
namespace {

// The innermost command that was named.
const CLI::App& named(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : named(*commands.back());
}

std::vector<std::string> flags_of(const CommandShape& command) {
  std::vector<std::string> flags;
  for (const OptionShape& option : command.options)
    if (!option.long_flag.empty()) flags.push_back(option.long_flag);
  return flags;
}

std::vector<std::string> commands_of(const CommandShape& command) {
  std::vector<std::string> names;
  for (const CommandShape& one : command.commands) names.push_back(one.name);
  return names;
}

std::string or_else(std::string help, const CommandShape& command, const char* what) {
  return help.empty() ? fmt::format("{} --help lists the {}", command.path, what) : help;
}

Diagnostic unknown_flag(const std::string& word, const CommandShape& command) {
  const std::string flag = word.substr(0, word.find('='));
  return {.message = fmt::format("`{}` has no flag `{}`", command.path, flag),
          .help = or_else(did_you_mean(flag, flags_of(command)), command, "flags")};
}

Diagnostic unknown_word(const std::string& word, const CommandShape& command) {
  if (command.commands.empty())
    return {.message = fmt::format("`{}` does not take `{}`", command.path, word),
            .help = fmt::format("{} --help tells what it takes", command.path)};
  return {.message = fmt::format("unknown command `{}`", word),
          .help = or_else(did_you_mean(word, commands_of(command)), command, "commands")};
}

std::string first_example(const CommandShape& command) {
  return command.examples.empty() ? fmt::format("{} --help tells what it takes", command.path)
                                  : fmt::format("for instance: {}", command.examples.front());
}

// What stands between two texts of a message; empty where it is another.
std::string between(const std::string& message, std::string_view begin, std::string_view end) {
  const std::size_t last = message.find(end, begin.size());
  if (!message.starts_with(begin) || last == message.npos) return {};
  return message.substr(begin.size(), last - begin.size());
}

// CLI11 says these in its own words, and only there what is wrong with what.
std::optional<Diagnostic> wrong_value(const std::string& message, const CommandShape& command) {
  if (const std::string name = between(message, "", " is required"); !name.empty())
    return Diagnostic{.message = fmt::format("`{}` needs {}", command.path, name),
                      .help = first_example(command)};
  if (const std::string name = between(message, "Could not convert: ", " = "); !name.empty())
    return Diagnostic{.message = fmt::format("{}: `{}` is no such number as it takes", name,
                                             message.substr(message.find(" = ") + 3)),
                      .help = fmt::format("{} --help tells what it takes", command.path)};
  for (const OptionShape& option : command.options) {
    const std::string& name = option.long_flag.empty() ? option.value : option.long_flag;
    const std::string given = between(message, name + ": ", " not in {");
    if (option.choices.empty() || given.empty()) continue;
    const std::string meant = did_you_mean(given, option.choices);
    return Diagnostic{
        .message = fmt::format("{}: `{}` is none of {}", name, given, fmt::join(option.choices, ", ")),
        .help = meant.empty() ? fmt::format("{} --help tells what it takes", command.path) : meant};
  }
  return std::nullopt;
}

}  // namespace

InputError wrong_use(const CLI::App& app, const CLI::ParseError& error) {
  const CommandShape command = shape_of(named(app));
  const std::vector<std::string> unknown = app.remaining(true);
  for (const std::string& word : unknown)
    if (word.starts_with('-') && word != "-" && word != "--") return InputError(unknown_flag(word, command));
  if (!unknown.empty()) return InputError(unknown_word(unknown.front(), command));
  if (const auto found = wrong_value(error.what(), command)) return InputError(*found);
  return InputError(Diagnostic{.message = error.what(),
                               .help = fmt::format("{} --help tells what it takes", command.path)});
}

}  // namespace greybox::apps
