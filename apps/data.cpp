// greybox data toy|damped-pendulum|reaction-diffusion|pendulum|predator-prey [-o FILE] …
#include <fmt/format.h>

#include <greybox/counted.hpp>
#include <greybox/data.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "progress_display.hpp"

namespace greybox::apps {
namespace {

constexpr const char* kMirrorVariable = "GREYBOX_DATA_MIRROR";
constexpr std::size_t kLargestSize = 10'000'000;
constexpr int kMostThreads = 1024;

struct DataArguments {
  DataOptions options;
  std::size_t n_threads = 0;
  bool json = false;
};

// Ctrl-C ends a download at once.
DataReport make(const DataArguments& arguments) {
  DataOptions options = arguments.options;
  ProgressDisplay display;
  options.execution = display.execution(arguments.n_threads);
  return make_data(options);
}

void run(const DataArguments& arguments) {
  const DataReport report = make(arguments);
  if (arguments.json)
    fmt::print("{}\n", to_json(report));
  else
    fmt::print("{}: {}, {} series\nSHA-256 {}\n", report.file.string(), counted(report.n_rows, "row"),
               report.n_series, report.sha256);
}

// What all data sets share.
CLI::App* add_set(CLI::App& data, const char* name, const char* about,
                  const std::shared_ptr<DataArguments>& arguments) {
  CLI::App* command = data.add_subcommand(name, about);
  command->add_option(
      "-o,--output", arguments->options.output,
      fmt::format("File to write; by default {}", default_output(arguments->options.set).string()));
  command->add_flag("--force", arguments->options.overwrite, "Replace a file that is already there");
  add_json_option(*command, arguments->json);
  command->footer(fmt::format("greybox data {} -o data/{}", name,
                              default_output(arguments->options.set).filename().string()));
  command->callback([arguments] { naming_flags({{"overwrite", "--force"}}, [&] { run(*arguments); }); });
  return command;
}

std::shared_ptr<DataArguments> arguments_for(DataSet set) {
  auto arguments = std::make_shared<DataArguments>();
  arguments->options.set = set;
  return arguments;
}

void add_toy(CLI::App& data) {
  const auto arguments = arguments_for(DataSet::toy);
  CLI::App* command = add_set(data, "toy", "Make y = sin(x) + cos(x) + noise", arguments);
  command->add_option("--seed", arguments->options.seed, "Of the draws");
  command->add_option("--size", arguments->options.size, "Rows; by default 120")
      ->check(CLI::Range(std::size_t{1}, kLargestSize));
}

void add_damped_pendulum(CLI::App& data) {
  const auto arguments = arguments_for(DataSet::damped_pendulum);
  CLI::App* command =
      add_set(data, "damped-pendulum", "Simulate pendulums that lose their swing to friction", arguments);
  command->add_option("--seed", arguments->options.seed, "Of the initial states");
  command->add_option("--size", arguments->options.size, "Pendulums; by default 40")
      ->check(CLI::Range(std::size_t{1}, kLargestSize));
  command
      ->add_option("--stiffness", arguments->options.stiffness,
                   "Gravity over length in 1/s²; two numbers LOW,HIGH to draw one for each pendulum")
      ->delimiter(',')
      ->expected(1, 2);
}

void add_reaction_diffusion(CLI::App& data) {
  const auto arguments = arguments_for(DataSet::reaction_diffusion);
  CLI::App* command =
      add_set(data, "reaction-diffusion", "Simulate two substances that diffuse and react", arguments);
  DataOptions& options = arguments->options;
  command->add_option("--seed", options.seed, "Of the initial fields");
  command->add_option("--size", options.size, "Sequences; by default 1000")
      ->check(CLI::Range(std::size_t{1}, kLargestSize));
  command->add_option("--grid", options.grid, "Points per side; by default 32")->check(CLI::Range(3, 512));
  command
      ->add_option("--threads", arguments->n_threads,
                   "Threads; 0 for one per core. The data do not depend on it")
      ->check(CLI::Range(0, kMostThreads));
}

// What published data sets share.
CLI::App* add_published(CLI::App& data, const std::shared_ptr<DataArguments>& arguments, const char* name,
                        const char* about, const char* about_from) {
  CLI::App* command = add_set(data, name, about, arguments);
  CLI::Option* from = command->add_option("--from", arguments->options.from, about_from);
  command
      ->add_flag("--simulated", arguments->options.is_simulated,
                 "A simulated stand-in of the same form instead of the published data")
      ->excludes(from);
  command->add_option("--seed", arguments->options.seed, "Of the stand-in");
  command
      ->add_option("--mirror", arguments->options.mirror, "Address of a folder on the web to download from")
      ->envname(kMirrorVariable);
  return command;
}

void add_pendulum(CLI::App& data) {
  const auto arguments = arguments_for(DataSet::pendulum);
  CLI::App* command = add_published(data, arguments, "pendulum",
                                    "Download (Stable Baselines) and convert the steered pendulum",
                                    "The published expert_pendulum.npz, instead of downloading it");
  command
      ->add_option("--gravity", arguments->options.gravity,
                   "Of the stand-in, in m/s²; two numbers LOW,HIGH to draw one for each episode")
      ->delimiter(',')
      ->expected(1, 2);
}

void add_predator_prey(CLI::App& data) {
  add_published(data, arguments_for(DataSet::predator_prey), "predator-prey",
                "Download (Blasius et al. 2020) and convert plankton counts",
                "Folder with the published C1.csv … C10.csv, instead of downloading them");
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* data =
      app.add_subcommand("data", "Make, convert or download (with checksum) the data sets of the examples");
  describe(*data, kStudying, {"greybox data toy -o toy.csv"});
  data->require_subcommand(1);
  add_toy(*data);
  add_damped_pendulum(*data);
  add_reaction_diffusion(*data);
  add_pendulum(*data);
  add_predator_prey(*data);
}

}  // namespace greybox::apps
