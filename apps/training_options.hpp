// What `train` and `refit` share: their options, and how they report the result.
#pragma once

#include <filesystem>
#include <functional>
#include <greybox/train.hpp>

#include "command.hpp"

namespace greybox::apps {

struct TrainingArguments {
  TrainOptions options;
  std::filesystem::path data;
  std::string precision;
  std::size_t n_threads = 0;
  bool json = false;
};

void add_training_options(CLI::App& command, TrainingArguments& arguments);

// Throws Interruption or std::runtime_error, with the run's sentence, when its training was interrupted or
// diverged.
void require_trained(const Run& run);

// Runs a training with these options and a progress bar; Ctrl-C and SIGTERM end it after its step. Prints the
// result, or throws as `require_trained` does.
void run_training_command(const TrainingArguments& arguments,
                          const std::function<Run(const TrainOptions&)>& training);

}  // namespace greybox::apps
