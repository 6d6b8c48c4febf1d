// greybox new DATA [--template NAME] [-o FILE]
#include <fmt/format.h>

#include <fstream>
#include <greybox/error.hpp>
#include <greybox/new_model.hpp>
#include <memory>

#include "command.hpp"

namespace greybox::apps {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
  fs::path data, output;
  NewModelOptions options;
  bool force = false;
};

void write_model(NewArguments arguments) {
  if (arguments.output.empty()) arguments.output = fs::path(arguments.data).replace_extension(".toml");
  if (fs::exists(arguments.output) && !arguments.force)
    throw InputError(Diagnostic{.file = arguments.output.string(),
                                .message = "this file is already there",
                                .help = "give another name with -o, or --force to replace it"});
  const fs::path folder = fs::absolute(arguments.output).parent_path();
  arguments.options.data_name = fs::absolute(arguments.data).lexically_relative(folder).generic_string();
  const std::string text = new_model(arguments.data, arguments.options);
  std::ofstream stream(arguments.output, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw std::runtime_error(fmt::format("cannot write `{}`", arguments.output.string()));
  fmt::print("{}\nLook it through, then: greybox check {}\n", arguments.output.string(),
             arguments.output.string());
}

std::string template_help() {
  std::string help = "Start from a textbook theory:";
  for (const ModelTemplate& one : model_templates()) help += fmt::format(" {} ({});", one.name, one.about);
  help.back() = '.';
  return help;
}

}  // namespace

void add_new(CLI::App& app) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* command =
      app.add_subcommand("new", "Write a commented model file for a data file, to start from");
  command->add_option("DATA", arguments->data, "Data file (.csv, .tsv, .txt or .npz)")->required();
  command->add_option("--template", arguments->options.template_name, template_help());
  command->add_option("-o,--output", arguments->output,
                      "Model file to write; by default DATA with the ending .toml");
  command->add_option("--series", arguments->options.table.series_column,
                      "Column that tells trajectories apart");
  command->add_option("--time", arguments->options.table.time_column, "Column of times");
  command->add_option("--missing", arguments->options.table.missing_words, "Cells that mean a missing value");
  command->add_flag("--force", arguments->force, "Replace a model file that is already there");
  command->callback([arguments] { write_model(*arguments); });
}

}  // namespace greybox::apps
