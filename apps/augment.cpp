// greybox augment RUN --theta g=6:14 [--at g=10] [--windows N] [--epochs N] [-o RUN2] …
#include <fmt/format.h>

#include <greybox/augment.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "default_folder.hpp"
#include "flag_names.hpp"
#include "progress_display.hpp"
#include "range_option.hpp"
#include "theta_option.hpp"
#include "training_options.hpp"

namespace greybox::apps {
namespace {

struct AugmentArguments {
  AugmentOptions options;
  std::filesystem::path run;
  std::vector<std::string> theta;
  std::string at;
  std::size_t n_threads = 0;
  bool json = false;
};

void print(const Augmentation& augmentation) {
  fmt::print("{}: the estimator learned from {} made windows\n", augmentation.run.folder().string(),
             augmentation.n_windows);
  for (const EstimatorError& error : augmentation.errors)
    fmt::print("{}: RMSE {:.4g} before, {:.4g} after, on made windows that it did not learn from\n",
               error.name, error.before, error.after);
}

Augmentation compute(const AugmentArguments& arguments) {
  AugmentOptions options = arguments.options;
  for (const std::string& text : arguments.theta) options.theta.push_back(parse_range(text));
  if (!arguments.at.empty()) options.at = parse_held(arguments.at);
  if (options.folder.empty()) options.folder = folder_beside(arguments.run, "-augmented");
  ProgressDisplay display(Work::training);
  options.execution = display.cancellable(arguments.n_threads);
  return augment(Run::open(arguments.run), options);
}

void run(const AugmentArguments& arguments) {
  Augmentation augmentation = compute(arguments);
  augmentation.warnings = with_flags(augmentation.warnings);
  print_warnings(augmentation.warnings);
  require_trained(augmentation.run, "the same command");
  if (arguments.json)
    fmt::print("{}\n", to_json(augmentation));
  else
    print(augmentation);
}

}  // namespace

void add_augment(CLI::App& app) {
  auto arguments = std::make_shared<AugmentArguments>();
  CLI::App* command = app.add_subcommand(
      "augment",
      "Teach a model's estimator parameters that the data do not have, with windows the model makes");
  AugmentOptions& options = arguments->options;
  add_run_option(*command, arguments->run);
  command
      ->add_option("--theta", arguments->theta, "Where to draw a parameter, name=low:high; may be repeated")
      ->delimiter(',')
      ->required();
  command->add_option("--at", arguments->at,
                      "The parameters that the network stands for, name=value,…; by default the run's own");
  command->add_option("--windows", options.windows, "Windows to make; by default 2000");
  command->add_option("--epochs", options.epochs, "Passes over them; by default 100");
  command->add_option("--seed", options.seed, "Of draws and shuffles");
  add_threads_option(*command, arguments->n_threads);
  command->add_option("-o,--output", options.folder, "Run folder to make; by default RUN-augmented");
  add_json_option(*command, arguments->json);
  describe(*command, kModelling, {"greybox augment runs/swings --theta stiffness=2:8"});
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
