// greybox check MODEL [--structural]
#include <fmt/format.h>

#include <greybox/check.hpp>
#include <greybox/structure.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "option_text.hpp"

namespace greybox::apps {
namespace {

// A data file that is not there is only suspicious.
ModelSummary summary_of(const std::filesystem::path& file) {
  const Model model = Model::read(file);
  return std::filesystem::exists(model.data_file()) ? check(Dataset(model)) : check(model);
}

struct CheckArguments {
  std::filesystem::path model;
  bool structural = false;
  bool json = false;
};

void print_structure(const CheckArguments& arguments) {
  const Model model = Model::read(arguments.model);
  if (!std::filesystem::exists(model.data_file()))
    refuse_flag("--structural", "the test needs the data: their times, inputs and first states",
                "put the data file where [data] says");
  const StructuralCheck structure = structural_check(Dataset(model));
  if (arguments.json) return fmt::print("{}\n", to_json(structure));
  for (const std::string& sentence : structure.sentences) fmt::print("{}\n", sentence);
}

void print_summary(const CheckArguments& arguments) {
  const ModelSummary summary = summary_of(arguments.model);
  fmt::print("{}\n", arguments.json ? to_json(summary) : summary.text);
  print_warnings(summary.warnings);
}

}  // namespace

void add_check(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command =
      app.add_subcommand("check", "Read a model file and its data; print the model as mathematics");
  command->add_option("MODEL", arguments->model, "Model file (.toml)")->required();
  command->add_flag("--structural", arguments->structural,
                    "Instead: which parameters no data of this design can determine, before any training");
  add_json_option(*command, arguments->json);
  command->callback(
      [arguments] { arguments->structural ? print_structure(*arguments) : print_summary(*arguments); });
}

}  // namespace greybox::apps
