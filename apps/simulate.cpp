// greybox simulate RUN --start angle=0.3,velocity=0 [--inputs FILE] [--horizon 20] [--step 0.1] [--theta …] …
#include <fmt/format.h>

#include <cmath>
#include <greybox/counted.hpp>
#include <greybox/simulate.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "picture_options.hpp"
#include "progress_display.hpp"
#include "start_option.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct SimulateArguments {
  SimulateOptions options;
  std::filesystem::path run, data, inputs, output;
  std::vector<std::filesystem::path> with;
  std::string start, theta;
  PictureArguments picture;
  std::optional<double> start_time;
  std::size_t n_threads = 0;
  bool json = false;
};

void print_bands(const Simulation& simulation) {
  fmt::print("bands of {:g} % from {} × {} θ; noise measured on {} windows\n", 100 * simulation.level,
             counted(simulation.n_networks, "network"), simulation.n_draws, simulation.noise_on);
  if (simulation.n_checked_windows > 0)
    fmt::print("checked on {}:\n", counted(simulation.n_checked_windows, simulation.checked_on + " window"));
  fmt::print("{:<16}{:>12}{:>12}{:>12}{:>12}\n", "", "noise sd", "width", "factor", "coverage");
  for (const BandCheck& check : simulation.checks)
    fmt::print("{:<16}{:>12.4g}{:>12.4g}{:>12.3g}{:>12}\n", check.name, check.noise, check.mean_width,
               check.factor,
               std::isnan(check.coverage) ? "–" : fmt::format("{:.1f} %", 100 * check.coverage));
}

void print(const Simulation& simulation) {
  fmt::print("{} from {:.6g} to {:.6g}\n", counted(simulation.time.size(), "time"), simulation.time.front(),
             simulation.time.back());
  for (const std::string& name : simulation.parameters)
    fmt::print("θ {} = {:.6g}\n", name, simulation.theta.at(name));
  for (const SimulatedVariable& variable : simulation.variables) {
    const bool is_shown = variable.height * variable.width == 1 && !variable.name.starts_with("theory.") &&
                          !variable.name.starts_with("network.") && !variable.name.starts_with("input.");
    if (!is_shown) continue;
    fmt::print("{:<20} {:>12.5g} → {:>12.5g}", variable.name, variable.values.front(),
               variable.values.back());
    if (!variable.low.empty()) fmt::print("   [{:.5g}, {:.5g}]", variable.low.back(), variable.high.back());
    fmt::print("\n");
  }
  if (!std::isnan(simulation.level)) print_bands(simulation);
}

Simulation compute(const SimulateArguments& arguments, const Run& run) {
  SimulateOptions options = arguments.options;
  options.start = parse_start(arguments.start);
  options.start.time = arguments.start_time;
  const ThetaChoice theta = parse_theta_choice(arguments.theta);
  options.theta = theta.values;
  options.theta_from = theta.origin;
  options.data = read_data(run, arguments.data);
  if (!arguments.inputs.empty()) {
    // A file of inputs is one series, whatever the data call theirs.
    TableOptions table = run.model().table_options();
    table.series_column.clear();
    options.inputs = Table::read(arguments.inputs, table);
  }
  for (const std::filesystem::path& folder : arguments.with) options.with.push_back(Run::open(folder));
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  return simulate(run, options);
}

void run(const SimulateArguments& arguments) {
  const PictureStyle style = style_of(arguments.picture);
  const Run run = Run::open(arguments.run);
  Simulation simulation = compute(arguments, run);
  simulation.warnings = with_flags(simulation.warnings);
  const std::filesystem::path folder = output_or(arguments.output, run, "simulate");
  std::vector<std::filesystem::path> files = write_simulation(simulation, folder);
  draw_again(simulation, folder, style, files);
  print_warnings(simulation.warnings);
  if (arguments.json) return print_json(to_json(simulation), files);
  print(simulation);
  print_files(files);
}

void add_band_options(CLI::App& command, SimulateArguments& arguments) {
  SimulateOptions& options = arguments.options;
  command.add_flag("!--no-bands", options.bands, "Trajectories only: the run's data are not needed then");
  command.add_option("--level", options.level,
                     "Share of values that bands are meant to hold; by default 0.9");
  command.add_flag("--conformal", options.conformal,
                   "Correct the bands by split conformal prediction on the validation windows");
  command.add_option("--seeds", options.seeds,
                     "Bands from so many networks: the run's and others, as for `landscape`");
  command.add_option("--with", arguments.with, "Bands from further finished runs of the same model");
  command.add_option("--draws", options.draws, "Draws of the distribution of θ, with --theta posterior");
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command = app.add_subcommand(
      "simulate", "A trained model forward in time, from any start, over any length, with bands");
  SimulateOptions& options = arguments->options;
  add_run_option(*command, arguments->run);
  command
      ->add_option("--start", arguments->start,
                   "Values of states, name=value,…; or a window's number, or SERIES:TIME, a row of the data")
      ->required();
  command->add_option("--start-time", arguments->start_time,
                      "Clock time of a start from values; by default the inputs' first, or 0");
  command->add_option(
      "--inputs", arguments->inputs,
      "File with a time and the columns that [inputs] reads, at times of its own, instead of the "
      "run's");
  command->add_option("--horizon", options.horizon, "How long; by default to the end of inputs or series");
  command->add_option("--step", options.step, "Between output times; by default as in the data");
  add_theta_option(*command, arguments->theta);
  command->add_option("--data", arguments->data,
                      "Data file to start in; by default what the run learned from");
  add_band_options(*command, *arguments);
  add_picture_options(*command, arguments->picture);
  command->add_option("-o,--output", arguments->output,
                      "Folder for CSV, npz and pictures; by default RUN/simulate");
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kAsking,
           {"greybox simulate runs/swings --start position=1,velocity=0 --horizon 10",
            "greybox simulate runs/tanks --start 0 --inputs pump.csv --theta estimate"});
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
