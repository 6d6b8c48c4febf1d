// greybox train MODEL [-o RUN] [--mode adaptive|inductive|transductive] …
#include <greybox/train.hpp>
#include <map>
#include <memory>

#include "training_options.hpp"

namespace greybox::apps {
namespace {

const std::map<std::string, TrainMode> kModes = {{"adaptive", TrainMode::adaptive},
                                                 {"inductive", TrainMode::inductive},
                                                 {"transductive", TrainMode::transductive}};

}  // namespace

void add_train(CLI::App& app) {
  struct Arguments : TrainingArguments {
    std::string mode;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("train", "Learn a model into a run folder; safe against Ctrl-C and kill");
  command->add_option("MODEL", arguments->options.model, "Model file (.toml)")->required();
  command->add_option("--mode", arguments->mode, "adaptive (the default), inductive or transductive")
      ->check(CLI::IsMember({"adaptive", "inductive", "transductive"}));
  add_training_options(*command, *arguments);
  command->callback([arguments] {
    if (!arguments->mode.empty()) arguments->options.mode = kModes.at(arguments->mode);
    run_training_command(*arguments, [&] { return train(arguments->options); });
  });
}

}  // namespace greybox::apps
