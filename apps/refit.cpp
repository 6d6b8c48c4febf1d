// greybox refit RUN --theta a=1,c=0.2 [-o RUN2] …
#include <greybox/train.hpp>
#include <memory>
#include <utility>

#include "analysis_options.hpp"
#include "default_folder.hpp"
#include "theta_option.hpp"
#include "training_options.hpp"

namespace greybox::apps {
namespace {

struct RefitArguments : TrainingArguments {
  std::filesystem::path run;
  std::string theta;
};

// What is not given is as in the run's own training.
TrainOptions inherited(TrainOptions options, const RecordedOptions& before) {
  const auto take = []<class Value>(std::optional<Value>& option, const Value& value) {
    if (!option) option = value;
  };
  if (before.mode != TrainMode::aphynity) take(options.lambda, before.lambda);
  take(options.regularizer, before.regularizer);
  take(options.epochs, before.epochs);
  take(options.batch, before.batch);
  take(options.seed, before.seed);
  take(options.single_precision, before.single_precision);
  return options;
}

Run refit_on(const std::filesystem::path& data, const Run& run, const Theta& theta, TrainOptions options) {
  if (const auto record = run.record()) options = inherited(std::move(options), record->options);
  options.mode = TrainMode::refit;
  options.theta = theta;
  return train(run.model(), run.model().read_table(data), options);
}

Run run_refit(const RefitArguments& arguments, TrainOptions options) {
  const Theta theta = parse_theta(arguments.theta);
  if (options.folder.empty()) options.folder = folder_beside(arguments.run, "-refit");
  const Run run = Run::open(arguments.run);
  return arguments.data.empty() ? refit(run, theta, options)
                                : refit_on(arguments.data, run, theta, std::move(options));
}

}  // namespace

void add_refit(CLI::App& app) {
  auto arguments = std::make_shared<RefitArguments>();
  CLI::App* command =
      app.add_subcommand("refit", "Fix the parameters of a run and retrain its networks alone");
  add_run_option(*command, arguments->run);
  command->add_option("--theta", arguments->theta, "Parameters, name=value,…")->required();
  add_training_options(*command, *arguments);
  command->callback([arguments] {
    run_training_command(*arguments,
                         [&](const TrainOptions& options) { return run_refit(*arguments, options); });
  });
}

}  // namespace greybox::apps
