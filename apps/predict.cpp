// greybox predict RUN [--theta a=1,c=0.2|estimate|…] [--data FILE] [--inputs NAME=FILE] [-o OUT.npz]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <greybox/counted.hpp>
#include <greybox/predict.hpp>
#include <greybox/predicted_curves.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "on_option.hpp"
#include "option_text.hpp"
#include "output_text.hpp"
#include "picture_options.hpp"
#include "progress_display.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct PredictArguments {
  PredictOptions options;
  std::filesystem::path run, data, output;
  std::vector<std::string> inputs;
  std::string on, theta, precision = "double";
  CurveOptions curves;
  std::vector<std::filesystem::path> with;
  PictureArguments style;
  std::size_t n_threads = 0;
  bool json = false, picture = false;
};

// Before anything is computed.
void check_output(const std::filesystem::path& output) {
  if (output.empty()) return;
  if (output.extension() != ".npz" && output.extension() != ".csv")
    refuse_flag(output.string(), "the ending of the output file says neither npz nor csv",
                "write -o NAME.npz or -o NAME.csv");
  const std::filesystem::path folder = output.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    refuse_flag(output.string(), "there is no folder to write this file into",
                fmt::format("make the folder {}, or write somewhere else", folder.string()));
}

void print(const ResidualReport& residuals) {
  fmt::print(
      "  {}: mean {:.3g}, sd {:.3g}; from step to step {:.2f} (p {:.2g}); skewness {:.2g}, excess kurtosis "
      "{:.2g} (p {:.2g}); with time {:.2f}, with the prediction {:.2f}\n",
      residuals.name, residuals.mean, residuals.sd, residuals.autocorrelation, residuals.independence_p,
      residuals.skewness, residuals.excess_kurtosis, residuals.normality_p, residuals.with_time,
      residuals.with_prediction);
  for (const std::string& finding : residuals.findings) fmt::print("    {}\n", finding);
}

void print(const Prediction& prediction) {
  fmt::print("{}, {}\n", counted(prediction.n_windows, "window"), counted(prediction.n_steps, "output time"));
  if (prediction.outputs.size() > 1)
    for (const OutputError& output : prediction.outputs) fmt::print("  {}\n", output_text(output));
  else
    fmt::print("RMSE {:.6g}, NRMSE {:.4g} %\n", prediction.rmse, 100 * prediction.nrmse);
  if (!std::isnan(prediction.negative_log_likelihood))
    fmt::print("L {:.6g} (negative log-likelihood per datum)\n", prediction.negative_log_likelihood);
  for (const ResidualReport& residuals : prediction.residuals) {
    if (&residuals == &prediction.residuals.front())
      fmt::print("Residuals{}, and how they are correlated:\n",
                 residuals.is_standardised ? " in units of their noise" : "");
    print(residuals);
  }
  for (const auto& [name, value] : prediction.regularizers) fmt::print("R {} = {:.9g}\n", name, value);
}

// NAME=FILE each: tables of their own for inputs of the data, or of the run's where none are given.
void add_inputs(const Run& run, const std::vector<std::string>& inputs, std::optional<Table>& data) {
  for (const std::string& text : inputs) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      refuse_flag("--inputs", fmt::format("`{}` does not say which input a file is for", text),
                  "write --inputs NAME=FILE, such as --inputs dose=doses.csv");
    if (!data) data = run.dataset().table();
    const std::string name = text.substr(0, equals);
    data->input(name, run.model().read_input(name, text.substr(equals + 1)));
  }
}

PredictOptions options_of(const PredictArguments& arguments, const Run& run) {
  PredictOptions options = arguments.options;
  options.single_precision = arguments.precision == "float";
  const ThetaChoice theta = parse_theta_choice(arguments.theta);
  options.theta = theta.values;
  options.theta_from = theta.origin;
  const OnChoice choice = parse_on(arguments.on);
  if (!arguments.on.empty()) options.on = choice.on;
  options.data = read_data(run, choice.data.empty() ? arguments.data : choice.data);
  add_inputs(run, arguments.inputs, options.data);
  return options;
}

Prediction compute(const PredictArguments& arguments, const Run& run, PredictOptions options) {
  ProgressDisplay display;
  options.execution = display.execution(arguments.n_threads);
  return predict(run, options);
}

// The picture's files, of the same θ and windows; none where none is asked for.
std::vector<std::filesystem::path> draw(const PredictArguments& arguments, const Run& run,
                                        const PredictOptions& asked, std::vector<std::string>& warnings) {
  if (!arguments.picture) return {};
  CurveOptions options = arguments.curves;
  options.theta = asked.theta;
  options.theta_from = asked.theta_from;
  options.on = asked.on;
  options.data = asked.data;
  for (const std::filesystem::path& folder : arguments.with) options.with.push_back(Run::open(folder));
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  const PredictedCurves curves = predicted_curves(run, options);
  for (const std::string& warning : curves.warnings)
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  const std::filesystem::path folder = output_or({}, run, "predict");
  std::filesystem::create_directories(folder);
  return draw_pictures(curves, folder, style_of(arguments.style));
}

void run(const PredictArguments& arguments) {
  check_output(arguments.output);
  style_of(arguments.style);
  const Run run = Run::open(arguments.run);
  const PredictOptions options = options_of(arguments, run);
  Prediction prediction = compute(arguments, run, options);
  if (!arguments.output.empty()) write_prediction(prediction, arguments.output);
  const std::vector<std::filesystem::path> pictures = draw(arguments, run, options, prediction.warnings);
  prediction.warnings = with_flags(prediction.warnings);
  if (arguments.json) {
    if (pictures.empty())
      fmt::print("{}\n", to_json(prediction));
    else
      print_json(to_json(prediction), pictures);
  } else {
    print(prediction);
    print_files(pictures);
  }
  print_warnings(prediction.warnings);
}

void add_predicted_picture_options(CLI::App& command, PredictArguments& arguments) {
  CurveOptions& curves = arguments.curves;
  CLI::Option* picture = command.add_flag(
      "--picture", arguments.picture,
      "Draw what was measured and predicted, as curves: predictions.svg and .png in RUN/predict");
  command.add_option("--shown", curves.n_shown, "Of --picture: windows, from all series and times")
      ->needs(picture);
  command
      .add_option("--seeds", curves.seeds,
                  "Of --picture: a band over so many networks, the run's and others, as for `landscape`")
      ->needs(picture);
  command
      .add_option("--with", arguments.with,
                  "Of --picture: further finished runs of the same model in the band")
      ->needs(picture);
  command
      .add_option("--draws", curves.draws,
                  "Of --picture: draws of the distribution of θ in its band, with --theta posterior")
      ->needs(picture);
  add_picture_options(command, arguments.style);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predictions, theory and network parts, and every regularizer, at given parameters");
  PredictOptions& options = arguments->options;
  command->add_option("RUN", arguments->run, "Run folder: model.toml and weights.npz")->required();
  add_theta_option(*command, arguments->theta);
  command->add_option("--data", arguments->data, "Data file (.csv, .tsv, .npz); by default the run's own");
  add_on_option(*command, arguments->on, EachWindow::refused);
  command->add_option(
      "--inputs", arguments->inputs,
      "NAME=FILE: an input's file with times of its own; by default the run's; may be repeated");
  command->add_option("-o,--output", arguments->output, "Write to OUT.npz or OUT.csv");
  command->add_option("--regularizer", options.regularizers,
                      "A further regularizer, as an expression, also of L, rmse and nrmse; may be repeated");
  add_predicted_picture_options(*command, *arguments);
  add_precision_option(*command, arguments->precision);
  command->add_option("--threads", arguments->n_threads, "Threads; 0 for one per core");
  add_json_option(*command, arguments->json);
  describe(*command, kAsking,
           {"greybox predict runs/toy --theta a=1,c=0.2 -o predictions.csv",
            "greybox predict runs/toy --theta posterior --picture --seeds 3 --width 85mm"});
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
