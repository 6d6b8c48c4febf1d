// greybox generate RUN [-n 100] [--seed 0] [--on train] [-o OUT.npz]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <greybox/counted.hpp>
#include <greybox/generate.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "on_option.hpp"
#include "option_text.hpp"
#include "progress_display.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct GenerateArguments {
  GenerateOptions options;
  std::filesystem::path run, output;
  std::string on, theta;
  std::size_t n_threads = 0;
  bool json = false;
};

void print_spread(const std::string& name, const std::vector<double>& values) {
  double sum = 0, squares = 0, n = 0;
  for (double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    squares += value * value;
    n += 1;
  }
  fmt::print("  {}: mean {:.4g}, sd {:.4g}\n", name, sum / n,
             std::sqrt(std::max(0.0, squares / n - sum * sum / (n * n))));
}

void print(const Prediction& made) {
  fmt::print("{}, {}\n", counted(made.n_windows, "window"), counted(made.n_steps, "output time"));
  for (const PredictedVariable& latent : made.latents) print_spread("latent " + latent.name, latent.values);
  for (const PredictedVariable& variable : made.variables)
    if (variable.name.find('.') == std::string::npos) print_spread(variable.name, variable.values);
}

void run(const GenerateArguments& arguments) {
  GenerateOptions options = arguments.options;
  const ThetaChoice theta = parse_theta_choice(arguments.theta);
  options.theta = theta.values;
  options.theta_from = theta.origin;
  if (!arguments.on.empty()) {
    const OnChoice choice = parse_on(arguments.on);
    if (!choice.data.empty())
      refuse_flag("--on", "new windows start where those of the run's own data do",
                  "name a split, such as train");
    options.on = choice.on;
  }
  const Run run = Run::open(arguments.run);
  ProgressDisplay display;
  options.execution = display.execution(arguments.n_threads);
  Prediction made = generate(run, options);
  made.warnings = with_flags(made.warnings);
  const std::filesystem::path output =
      arguments.output.empty() ? arguments.run / "generated.npz" : arguments.output;
  write_prediction(made, output);
  print_warnings(made.warnings);
  const std::string json = fmt::format(R"({{"windows": {}, "steps": {}}})", made.n_windows, made.n_steps);
  if (arguments.json) return print_json(json, {output});
  print(made);
  print_files({output});
}

}  // namespace

void add_generate(CLI::App& app) {
  auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* command = app.add_subcommand(
      "generate", "New windows of a model with latents, which are drawn from their priors");
  add_run_option(*command, arguments->run);
  command->add_option("-n", arguments->options.n, "Windows");
  command->add_option("--seed", arguments->options.seed, "Of the draws");
  add_on_option(*command, arguments->on, EachWindow::refused);
  add_theta_option(*command, arguments->theta);
  command->add_option("-o,--output", arguments->output,
                      "Write to OUT.npz or OUT.csv; by default RUN/generated.npz");
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kAsking, {"greybox generate runs/forced-pendulum -n 100 -o made.npz"});
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
