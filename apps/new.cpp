// greybox new DATA [--template NAME] [-o FILE]
#include <fmt/format.h>

#include <greybox/error.hpp>
#include <greybox/new_model.hpp>
#include <memory>

#include "command.hpp"
#include "command_shape.hpp"
#include "text_file.hpp"

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
  write_text_file(arguments.output, new_model(arguments.data, arguments.options));
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
  command->add_option(
      "--series", arguments->options.table.series_column,
      "Column that tells trajectories apart; by default one that changes where the time starts again");
  command->add_option("--inputs", arguments->options.inputs,
                      "Columns that act on the system; those that are constant for a while are found");
  command->add_option("--time", arguments->options.table.time_column, "Column of times");
  command->add_option("--missing", arguments->options.table.missing_words, "Cells that mean a missing value");
  command->add_flag("--force", arguments->force, "Replace a model file that is already there");
  describe(*command, kModelling,
           {"greybox new flights.csv -o flights.toml", "greybox new swings.csv --template pendulum"});
  command->callback([arguments] { write_model(*arguments); });
}

}  // namespace greybox::apps
