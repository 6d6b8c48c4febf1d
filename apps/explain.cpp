// greybox explain RUN [--theta …] [--on SPLIT] [--terms N] [--term EXPRESSION]… [--write NEW.toml]
#include <fmt/format.h>

#include <greybox/counted.hpp>
#include <greybox/explain.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "on_option.hpp"
#include "option_text.hpp"
#include "picture_options.hpp"
#include "progress_display.hpp"
#include "text_file.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct ExplainArguments {
  ExplainOptions options;
  std::filesystem::path run, data, output, write;
  std::string theta, on;
  PictureArguments picture;
  std::size_t n_threads = 0;
  bool json = false;
};

void print(const Explanation& explanation) {
  fmt::print("{} of {}", counted(explanation.n_points, "point"),
             counted(explanation.n_windows, explanation.on + " window"));
  for (const std::string& name : explanation.parameters)
    fmt::print(", {} = {:.5g}", name, explanation.theta.at(name));
  fmt::print("\n\n{:<16}{:>12}{:>12}{:>10}   depends on\n", "", "rms f_T", "rms f_D", "share");
  for (const ComponentShare& share : explanation.shares) {
    fmt::print("{:<16}{:>12.4g}{:>12.4g}{:>8.3g} %  ", share.component, share.theory, share.network,
               100 * share.share);
    for (const PartialDependence& one : explanation.dependences)
      if (one.component == share.component) fmt::print(" {} {:.2f}", one.variable, one.strength);
    fmt::print("\n");
  }
  for (const FormulaCandidate& candidate : explanation.candidates) {
    fmt::print("\nf_D of {} ≈ {}\n", candidate.component, candidate.formula);
    fmt::print("  error {:.4g} of {:.4g}, R² {:.3f} on windows left out\n", candidate.rmse, candidate.network,
               candidate.r2);
    if (!candidate.terms.empty()) fmt::print("  {} = \"{}\"\n", candidate.component, candidate.theory);
  }
}

// Before anything is computed.
void check_new_file(const std::filesystem::path& file) {
  if (file.empty()) return;
  if (std::filesystem::exists(file))
    refuse_flag(file.string(), "there is a file of this name already", "write to another file");
  if (const auto folder = file.parent_path(); !folder.empty() && !std::filesystem::is_directory(folder))
    refuse_flag(file.string(), "there is no folder to write this file into",
                fmt::format("make the folder {}, or write somewhere else", folder.string()));
}

Explanation compute(const ExplainArguments& arguments, const Run& run) {
  ExplainOptions options = arguments.options;
  const ThetaChoice theta = parse_theta_choice(arguments.theta);
  options.theta = theta.values;
  options.theta_from = theta.origin;
  if (!arguments.on.empty()) {
    const OnChoice choice = parse_on(arguments.on);
    options.on = choice.on;
    options.data = read_data(run, choice.data);
  }
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  return explain(run, options);
}

void run(const ExplainArguments& arguments) {
  const PictureStyle style = style_of(arguments.picture);
  check_new_file(arguments.write);
  const Run run = Run::open(arguments.run);
  Explanation explanation = compute(arguments, run);
  explanation.warnings = with_flags(explanation.warnings, {{"terms", "--term"}});
  const std::filesystem::path folder = output_or(arguments.output, run, "explain");
  std::vector<std::filesystem::path> files = write_explanation(explanation, folder);
  draw_again(explanation, folder, style, files);
  if (!arguments.write.empty()) {
    const std::string text = model_with_candidates(run, explanation, arguments.write.parent_path());
    write_text_file(arguments.write, text);
    files.push_back(arguments.write);
  }
  print_warnings(explanation.warnings);
  if (arguments.json) return print_json(to_json(explanation), files);
  print(explanation);
  print_files(files);
}

}  // namespace

void add_explain(CLI::App& app) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand(
      "explain", "What the network learned: on what it depends, its share, and a formula for it");
  ExplainOptions& options = arguments->options;
  add_run_option(*command, arguments->run);
  add_theta_option(*command, arguments->theta);
  add_on_option(*command, arguments->on, EachWindow::refused);
  command->add_option("--terms", options.most_terms, "Terms of a formula at the most; by default 4");
  command
      ->add_option("--term", options.terms,
                   "A further term to try, as an expression in states and inputs; may be repeated")
      ->expected(1)
      ->take_all();
  command->add_option("--write", arguments->write,
                      "Write a model file with the formulas in its theory, to be trained again");
  add_picture_options(*command, arguments->picture);
  command->add_option("-o,--output", arguments->output,
                      "Folder for JSON, CSV and pictures; by default RUN/explain");
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kAsking, {"greybox explain runs/toy --theta estimate --write next.toml"});
  command->callback([arguments] {
    naming_flags({{"terms", "--term"}, {"most_terms", "--terms"}}, [&] { run(*arguments); });
  });
}

}  // namespace greybox::apps
