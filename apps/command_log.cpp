#include "command_log.hpp"

#include <algorithm>
#include <filesystem>

#include "text_file.hpp"

namespace greybox::apps {
namespace {

constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./%@";

std::string typed_again(const std::string& argument) {
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string text = "'";
  for (char c : argument) {
    if (c == '\'')
      text += "'\\''";
    else
      text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return text + "'";
}

}  // namespace

std::string command_line(int argc, const char* const* argv) {
  std::string line = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "greybox";
  for (int i = 1; i < argc; ++i) line += " " + typed_again(argv[i]);
  return line;
}

void log_command(const CLI::App& app, const std::string& line) {
  for (const CLI::App* command : app.get_subcommands()) {
    const CLI::Option* run = command->get_option_no_throw("RUN");
    if (run == nullptr || run->empty()) continue;
    const std::filesystem::path folder = run->as<std::string>();
    if (!std::filesystem::exists(folder / "run.json")) continue;
    append_to_text_file(folder / "commands.txt", line + '\n');
  }
}

}  // namespace greybox::apps
