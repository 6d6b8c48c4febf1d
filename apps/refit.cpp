// greybox refit RUN --theta a=1,c=0.2 [-o RUN2] …
#include <greybox/train.hpp>
#include <memory>

#include "theta_option.hpp"
#include "training_options.hpp"

namespace greybox::apps {

void add_refit(CLI::App& app) {
  struct Arguments : TrainingArguments {
    std::string run, theta;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("refit", "Fix the parameters of a run and retrain its networks alone");
  command->add_option("RUN", arguments->run, "Run folder")->required();
  command->add_option("--theta", arguments->theta, "Parameters, name=value,…")->required();
  add_training_options(*command, *arguments);
  command->callback([arguments] {
    run_training_command(*arguments, [&] {
      return refit(
          {.run = arguments->run, .theta = parse_theta(arguments->theta), .train = arguments->options});
    });
  });
}

}  // namespace greybox::apps
