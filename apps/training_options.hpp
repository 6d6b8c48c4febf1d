// What `train` and `refit` share: their options, interruption and how they tell the result.
#pragma once

#include <functional>
#include <greybox/train.hpp>

#include "command.hpp"

namespace greybox::apps {

struct TrainingArguments {
  TrainOptions options;
  std::string precision;
  bool json = false;
};

void add_training_options(CLI::App& command, TrainingArguments& arguments);

// Runs a training with a progress bar; Ctrl-C and SIGTERM end it after its step. Prints the report, or throws
// Interruption or std::runtime_error with the report's sentence.
void run_training_command(TrainingArguments& arguments, const std::function<TrainReport()>& training);

}  // namespace greybox::apps
