#include "completion_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace greybox::apps {
namespace {

// "/data/toy": how scripts call a command.
std::string key_of(const CommandShape& command) {
  std::string key = command.path.substr(std::min(command.path.find(' '), command.path.size()));
  std::replace(key.begin(), key.end(), ' ', '/');
  return key;
}

template <class F>
void for_each(const CommandShape& command, F&& f) {
  f(command);
  for (const CommandShape& one : command.commands) for_each(one, f);
}

std::vector<std::string> flags_of(const OptionShape& option) {
  std::vector<std::string> flags;
  for (const std::string& flag : {option.short_flag, option.long_flag})
    if (!flag.empty()) flags.push_back(flag);
  return flags;
}

// Inside single quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string result;
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

// Flags, commands, and the choices of arguments.
std::vector<std::string> words_of(const CommandShape& command) {
  std::vector<std::string> words;
  for (const CommandShape& one : command.commands) words.push_back(one.name);
  for (const OptionShape& option : command.options) {
    if (option.is_argument()) words.insert(words.end(), option.choices.begin(), option.choices.end());
    for (const std::string& flag : flags_of(option)) words.push_back(flag);
  }
  return words;
}

// The first sentence or clause: a line of a list has no room for more.
std::string summary_of(const std::string& text) {
  return text.substr(0, text.find_first_of(";:."));
}

// As _arguments wants it: no brackets or colons inside.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (char c : summary_of(text))
    if (c == '[' || c == ']' || c == ':')
      result += std::string("\\") + c;
    else
      result += c;
  return result;
}

std::string zsh_values(const OptionShape& option) {
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
  return "_files";
}

std::string zsh_option(const OptionShape& option) {
  const std::string more = option.is_repeated ? "*" : "";
  if (option.is_argument())
    return fmt::format("        {}\n", in_quotes(fmt::format("{}:{}:{}", option.is_repeated ? "*" : "",
                                                             option.value, zsh_values(option))));
  std::string lines;
  for (const std::string& flag : flags_of(option)) {
    std::string text = fmt::format("{}{}[{}]", more, flag, zsh_text(option.text));
    if (!option.value.empty()) text += fmt::format(":{}:{}", zsh_text(option.value), zsh_values(option));
    lines += fmt::format("        {}\n", in_quotes(text));
  }
  return lines;
}

std::string fish_condition(const CommandShape& command) {
  const std::string key = key_of(command);
  if (key.empty()) return "__fish_use_subcommand";
  std::string condition;
  for (std::size_t begin = 1; begin <= key.size();) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    condition += fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ",
                             key.substr(begin, end - begin));
    begin = end + 1;
  }
  return condition;
}

std::string fish_option(const OptionShape& option, const std::string& condition) {
  std::string line = fmt::format("complete -c greybox -n {}", in_quotes(condition));
  if (!option.short_flag.empty()) line += " -s " + option.short_flag.substr(1);
  if (!option.long_flag.empty()) line += " -l " + option.long_flag.substr(2);
  if (!option.choices.empty())
    line += fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
  else if (!option.value.empty() && !option.is_argument())
    line += " -r";
  return line + fmt::format(" -d {}\n", in_quotes(summary_of(option.text)));
}

std::string fish_commands(const CommandShape& command) {
  std::string known, text;
  for (const CommandShape& one : command.commands) known += " " + one.name;
  std::string condition = fish_condition(command);
  if (!key_of(command).empty()) condition += "; and not __fish_seen_subcommand_from" + known;
  for (const CommandShape& one : command.commands)
    text += fmt::format("complete -c greybox -n {} -f -a {} -d {}\n", in_quotes(condition), one.name,
                        in_quotes(summary_of(one.about)));
  return text;
}

}  // namespace

std::string bash_completion(const CommandShape& program) {
  std::string commands, values, words;
  for_each(program, [&](const CommandShape& command) {
    const std::string key = key_of(command);
    if (!key.empty()) commands += (commands.empty() ? "" : "|") + key;
    for (const OptionShape& option : command.options)
      for (const std::string& flag : flags_of(option)) {
        if (option.value.empty()) continue;
        values += fmt::format("    \"{} {}\") words={} ;;\n", key, flag,
                              in_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
      }
    words += fmt::format("      \"{}\") words={} ;;\n", key,
                         in_quotes(fmt::format("{}", fmt::join(words_of(command), " "))));
  });
  return fmt::format(R"sh(# bash completion of greybox; made by `greybox completion bash`
_greybox() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command='' words='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command/${{COMP_WORDS[i]}}" in
      {}) command+="/${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command $previous" in
{}    *) case "$command" in
{}      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _greybox greybox
)sh",
                     commands, values, words);
}

std::string zsh_completion(const CommandShape& program) {
  std::string cases;
  for_each(program, [&](const CommandShape& command) {
    cases += fmt::format("    {})\n      ", in_quotes(key_of(command)));
    if (!command.commands.empty()) {
      cases += "commands=(\n";
      for (const CommandShape& one : command.commands)
        cases += fmt::format("        {}\n", in_quotes(one.name + ":" + summary_of(one.about)));
      cases += "      )\n      (( CURRENT == 2 )) && _describe command commands\n      ";
    }
    cases += "_arguments \\\n";
    std::string lines;
    for (const OptionShape& option : command.options) lines += zsh_option(option);
    for (std::size_t end = lines.find('\n'); end + 1 < lines.size(); end = lines.find('\n', end + 3))
      lines.insert(end, " \\");
    cases += lines + "      ;;\n";
  });
  std::string commands;
  for_each(program, [&](const CommandShape& command) {
    if (!key_of(command).empty()) commands += (commands.empty() ? "" : "|") + key_of(command);
  });
  return fmt::format(R"sh(#compdef greybox
# zsh completion of greybox; made by `greybox completion zsh`
_greybox() {{
  local command='' word
  local -a commands
  while (( CURRENT > 2 )); do
    case "$command/${{words[2]}}" in
      {}) command+="/${{words[2]}}"; shift words; (( CURRENT -= 1 )) ;;
      *) break ;;
    esac
  done
  case "$command" in
{}  esac
}}
_greybox "$@"
)sh",
                     commands, cases);
}

std::string fish_completion(const CommandShape& program) {
  std::string text = "# fish completion of greybox; made by `greybox completion fish`\n";
  for_each(program, [&](const CommandShape& command) {
    text += fish_commands(command);
    for (const OptionShape& option : command.options)
      if (!option.is_argument() || !option.choices.empty())
        text += fish_option(option, fish_condition(command));
  });
  return text;
}

}  // namespace greybox::apps
