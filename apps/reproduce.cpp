// greybox reproduce NAME [--quick] [-o DIR] [--trials N] [--data FILE_OR_DIR] …
#include <fmt/format.h>

#include <greybox/error.hpp>
#include <greybox/reproduce.hpp>
#include <map>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "picture_options.hpp"
#include "processes.hpp"
#include "progress_display.hpp"
#include "shard_option.hpp"
#include "verdict_text.hpp"

namespace greybox::apps {
namespace {

const std::map<std::string, Experiment> kExperiments = {
    {"toy", Experiment::toy},
    {"pendulum", Experiment::pendulum},
    {"reaction-diffusion", Experiment::reaction_diffusion},
    {"predator-prey", Experiment::predator_prey}};

struct ReproduceArguments {
  ReproduceOptions options;
  std::string name;
  std::size_t n_threads = 0;
  std::string shard;
  PictureArguments picture;
  bool json = false;
};

void print(const ReproduceReport& report) {
  fmt::print("{}: {} data; {}\n\n", report.name, report.data, report.settings);
  fmt::print("{:<8}{:>12}  {:<60}  {}\n", "agrees", "ours", "quantity", "paper or authors");
  for (const ComparedNumber& finding : report.findings)
    fmt::print("{:<8}{:>12.4g}  {:<60}  {}\n",
               !is_judged(finding) ? ""
               : agrees(finding)   ? "yes"
                                   : "no",
               finding.ours, finding.quantity, finding.theirs);
  for (const ReproducedVerdicts& judged : report.verdicts) {
    fmt::print("\nWhat can be trusted ({}; {} network{})\n", judged.where, judged.n_networks,
               judged.n_networks == 1 ? "" : "s");
    print_verdicts(judged.verdicts);
  }
}

ReproduceReport compute(ReproduceOptions options, std::size_t n_threads, const PictureStyle& style,
                        std::vector<std::filesystem::path>& figures) {
  ProgressDisplay display(Work::training);
  options.execution = display.cancellable(n_threads);
  options.on_figure = [&](const Figure& figure) {
    for (const std::filesystem::path& file : draw_pictures(figure, options.folder, style))
      figures.push_back(file);
  };
  return reproduce(options);
}

void run(const ReproduceArguments& arguments) {
  const PictureStyle style = style_of(arguments.picture);
  ReproduceOptions options = arguments.options;
  options.experiment = kExperiments.at(arguments.name);
  if (options.folder.empty()) options.folder = "reproduce-" + arguments.name;
  std::vector<std::filesystem::path> files;
  check_place_of_results(options.folder);
  options.shard = parse_shard(arguments.shard);
  const ReproduceReport report = compute(options, arguments.n_threads, style, files);
  leave_if_helper();
  print_warnings(report.warnings);
  if (report.is_interrupted)
    throw Interruption(fmt::format("interrupted; the same command continues (what is finished is in {})",
                                   report.folder.string()));
  if (!options.shard.is_whole())
    return end_shard(options.folder, options.shard,
                     fmt::format("its trials are in {}", (report.folder / "compare" / "shards").string()));
  for (const std::filesystem::path& file : write_reproduction(report, files)) files.push_back(file);
  if (arguments.json) {
    fmt::print("{}\n", to_json(report));
    return;
  }
  print(report);
  fmt::print("\nwritten:\n");
  for (const std::filesystem::path& file : files) fmt::print("  {}\n", file.string());
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "An experiment of the paper, from data to figures and a table beside the paper's numbers");
  ReproduceOptions& options = arguments->options;
  command->add_option("NAME", arguments->name, "toy, pendulum, reaction-diffusion or predator-prey")
      ->required()
      ->check(CLI::IsMember(kExperiments));
  command->add_flag("--quick", options.quick,
                    "The story in a minute or two: fewer epochs, trials and points");
  command->add_option("-o,--output", options.folder,
                      "Folder; by default reproduce-NAME. Called again, the command continues there");
  command->add_option("--seed", options.seed, "Of data, training and trials");
  command->add_option("--trials", options.trials, "Of each way of learning at each λ; 0 for no comparison");
  command->add_option("--seeds", options.seeds,
                      "Networks behind each landscape: with more than one, bands and firmer verdicts");
  command->add_option("--epochs", options.epochs, "Of every training; by default the paper's");
  CLI::Option* data = command->add_option(
      "--data", options.data, "Published data at hand: the file or the folder; by default downloaded");
  command->add_flag("--simulated", options.is_simulated, "A simulated stand-in for the published data")
      ->excludes(data);
  command->add_option("--size", options.size, "Sequences of reaction-diffusion; by default 1000");
  command->add_option("--grid", options.grid, "Points per side of reaction-diffusion; by default 32");
  add_picture_options(*command, arguments->picture);
  add_shard_option(*command, arguments->shard);
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kStudying, {"greybox reproduce toy --quick"});
  command->callback([arguments] { naming_flags({{"from", "--data"}}, [&] { run(*arguments); }); });
}

}  // namespace greybox::apps
