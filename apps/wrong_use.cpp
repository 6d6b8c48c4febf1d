#include "wrong_use.hpp"

#include <fmt/format.h>

#include <greybox/did_you_mean.hpp>

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

}  // namespace

InputError wrong_use(const CLI::App& app, const CLI::ParseError& error) {
  const CommandShape command = shape_of(named(app));
  const std::vector<std::string> unknown = app.remaining(true);
  for (const std::string& word : unknown)
    if (word.starts_with('-') && word != "-" && word != "--") return InputError(unknown_flag(word, command));
  if (!unknown.empty()) return InputError(unknown_word(unknown.front(), command));
  return InputError(Diagnostic{.message = error.what(),
                               .help = fmt::format("{} --help tells what it takes", command.path)});
}

}  // namespace greybox::apps
