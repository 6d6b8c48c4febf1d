// The commands and their options as plain data, read from the one place where they are declared: what help,
// completions and manual pages are made of.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace greybox::apps {

struct OptionShape {
  // "-o" and "--output", or empty; of an argument without a flag both are.
  std::string short_flag, long_flag;
  // What it takes, e.g. "FILE"; empty for a flag that takes nothing.
  std::string value;
  std::string text;
  // Empty: none, or the text tells.
  std::string default_value;
  std::string group;
  std::vector<std::string> choices;
  bool is_required = false, is_repeated = false;

  bool is_argument() const { return short_flag.empty() && long_flag.empty(); }
  // "-o, --output FILE"
  std::string names() const;
  // The text with what else is to be known: choices, default.
  std::string full_text() const;
};

struct CommandShape {
  // "toy", and "greybox data toy".
  std::string name, path;
  std::string about, group;
  // Whole command lines.
  std::vector<std::string> examples;
  // Arguments first, then by group.
  std::vector<OptionShape> options;
  std::vector<CommandShape> commands;
};

CommandShape shape_of(const CLI::App& app);

// Puts every option of every command into the group of its kind and names what it takes, so that the same
// option reads the same everywhere.
void sort_options(CLI::App& app);

// What a command is for, in the overview; and whole command lines that show it.
void describe(CLI::App& command, const char* group, const std::vector<std::string>& examples);

inline constexpr const char* kModelling = "Make a model";
inline constexpr const char* kAsking = "Ask a trained model";
inline constexpr const char* kStudying = "Study and compare";
inline constexpr const char* kHelping = "Help";

}  // namespace greybox::apps
