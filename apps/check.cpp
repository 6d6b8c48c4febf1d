// greybox check MODEL [--structural]
#include <fmt/format.h>

#include <cstdio>
#include <greybox/advice.hpp>
#include <greybox/check.hpp>
#include <greybox/structure.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "option_text.hpp"

namespace greybox::apps {
namespace {

// A data file that is not there is only suspicious.
ModelSummary summary_of(const std::filesystem::path& file) {
  const Model model = Model::read(file);
  if (!std::filesystem::exists(model.data_file())) return check(model);
  const Dataset dataset(model);
  ModelSummary summary = check(dataset);
  if (dataset.n_windows(Split::train) > 0) summary.advice = advise(dataset).sentences;
  return summary;
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
  if (arguments.json || summary.advice.empty()) return;
  std::fflush(stdout);
  fmt::print("Before training\n");
  for (std::size_t i = 0; i < summary.advice.size(); ++i) fmt::print("  {}. {}\n", i + 1, summary.advice[i]);
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
  describe(*command, kModelling, {"greybox check toy.toml", "greybox check toy.toml --structural"});
  command->callback(
      [arguments] { arguments->structural ? print_structure(*arguments) : print_summary(*arguments); });
}

}  // namespace greybox::apps
