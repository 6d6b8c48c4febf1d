// greybox refit RUN --theta a=1,c=0.2 [-o RUN2] …
#include <greybox/train.hpp>
#include <memory>
#include <utility>

#include "analysis_options.hpp"
#include "command_shape.hpp"
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
Run run_refit(const RefitArguments& arguments, TrainOptions options) {
  const Theta theta = parse_theta(arguments.theta);
  if (options.folder.empty()) options.folder = folder_beside(arguments.run, "-refit");
  const Run run = Run::open(arguments.run);
  return arguments.data.empty() ? refit(run, theta, options)
                                : refit(run, theta, run.model().read_table(arguments.data), options);
}

}  // namespace

void add_refit(CLI::App& app) {
  auto arguments = std::make_shared<RefitArguments>();
  CLI::App* command =
      app.add_subcommand("refit", "Fix the parameters of a run and retrain its networks alone");
  add_run_option(*command, arguments->run);
  command->add_option("--theta", arguments->theta, "Parameters, name=value,…")->required();
  add_training_options(*command, *arguments);
  describe(*command, kModelling, {"greybox refit runs/toy --theta a=1,c=0.2"});
  command->callback([arguments] {
    run_training_command(*arguments,
                         [&](const TrainOptions& options) { return run_refit(*arguments, options); });
  });
}

}  // namespace greybox::apps
