// greybox train MODEL [-o RUN] [--mode adaptive|inductive|transductive|aphynity|tailored] …
#include <fmt/format.h>

#include <greybox/train.hpp>
#include <memory>

#include "command_shape.hpp"
#include "default_folder.hpp"
#include "mode_names.hpp"
#include "training_options.hpp"

namespace greybox::apps {
namespace {

struct TrainArguments : TrainingArguments {
  std::filesystem::path model;
  std::string mode;
};

std::filesystem::path folder_of(const Model& model, const TrainOptions& options) {
  if (!options.folder.empty()) return options.folder;
  return default_folder(fmt::format("{}-{}-seed{}", model.name(),
                                    to_string(options.mode.value_or(TrainMode::adaptive)),
                                    options.seed.value_or(0)));
}

Run run_training(const TrainArguments& arguments, TrainOptions options) {
  const Model model = Model::read(arguments.model);
  if (!arguments.mode.empty()) options.mode = mode_names().at(arguments.mode);
  options.folder = folder_of(model, options);
  return arguments.data.empty() ? train(model, options)
                                : train(model, model.read_table(arguments.data), options);
}

}  // namespace

void add_train(CLI::App& app) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command =
      app.add_subcommand("train", "Learn a model into a run folder; safe against Ctrl-C and kill");
  command->add_option("MODEL", arguments->model, "Model file (.toml)")->required();
  command
      ->add_option("--mode", arguments->mode,
                   "adaptive (the default), inductive, transductive, aphynity or tailored")
      ->check(CLI::IsMember(mode_names()));
  add_training_options(*command, *arguments);
  describe(*command, kModelling,
           {"greybox train toy.toml -o runs/toy", "greybox train toy.toml -o runs/toy --resume"});
  command->callback([arguments] {
    run_training_command(*arguments,
                         [&](const TrainOptions& options) { return run_training(*arguments, options); });
  });
}

}  // namespace greybox::apps
