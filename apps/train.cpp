// greybox train MODEL [-o RUN] [--mode adaptive|inductive|transductive|aphynity] …
#include <greybox/train.hpp>
#include <memory>

#include "mode_names.hpp"
#include "training_options.hpp"

namespace greybox::apps {

void add_train(CLI::App& app) {
  struct Arguments : TrainingArguments {
    std::string mode;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("train", "Learn a model into a run folder; safe against Ctrl-C and kill");
  command->add_option("MODEL", arguments->options.model, "Model file (.toml)")->required();
  command
      ->add_option("--mode", arguments->mode, "adaptive (the default), inductive, transductive or aphynity")
      ->check(CLI::IsMember(mode_names()));
  add_training_options(*command, *arguments);
  command->callback([arguments] {
    if (!arguments->mode.empty()) arguments->options.mode = mode_names().at(arguments->mode);
    run_training_command(*arguments, [&] { return train(arguments->options); });
  });
}

}  // namespace greybox::apps
