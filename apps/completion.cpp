// greybox completion bash|zsh|fish, and greybox manual [-o DIR]: for shells and man, from what the commands
// declare.
#include <fmt/format.h>

#include <greybox/error.hpp>
#include <map>
#include <memory>

#include "command.hpp"
#include "command_shape.hpp"
#include "completion_text.hpp"
#include "manual_text.hpp"
#include "text_file.hpp"

namespace greybox::apps {
namespace {

namespace fs = std::filesystem;

using Script = std::string (*)(const CommandShape&);

const std::map<std::string, Script> kShells = {
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

void write_page(const CommandShape& command, const CommandShape& program, const fs::path& folder) {
  const fs::path file = folder / manual_name(command);
  write_text_file(file, manual_page(command, program));
  fmt::print("{}\n", file.string());
  for (const CommandShape& one : command.commands) write_page(one, program, folder);
}

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that lets a shell complete commands and flags");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember(kShells));
  describe(*command, kHelping,
           {"greybox completion bash > ~/.local/share/bash-completion/completions/greybox",
            "greybox completion fish > ~/.config/fish/completions/greybox.fish"});
  command->callback([shell, &app] { fmt::print("{}", kShells.at(*shell)(shape_of(app))); });
}

void add_manual(CLI::App& app) {
  auto folder = std::make_shared<fs::path>();
  CLI::App* command = app.add_subcommand("manual", "Write manual pages, one for each command");
  command->add_option("-o,--output", *folder,
                      "Folder for greybox.1, greybox-train.1, …; without it the first is printed");
  describe(*command, kHelping, {"greybox manual | man -l -", "greybox manual -o ~/.local/share/man/man1"});
  command->callback([folder, &app] {
    const CommandShape program = shape_of(app);
    if (folder->empty()) return fmt::print("{}", manual_page(program, program));
    fs::create_directories(*folder);
    write_page(program, program, *folder);
  });
}

}  // namespace greybox::apps
