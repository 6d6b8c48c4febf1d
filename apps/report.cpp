// greybox report RUN [-o FILE]: one page with everything the run has to say.
#include <fmt/format.h>

#include <greybox/report.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "flag_names.hpp"
#include "progress_display.hpp"
#include "split_option.hpp"
#include "theta_option.hpp"
#include "vary_option.hpp"

namespace greybox::apps {
namespace {

struct ReportArguments {
  ReportOptions options;
  std::filesystem::path run, output;
  std::vector<std::string> vary;
  std::string split, at;
  std::size_t n_threads = 0;
};

ReportPage compute(const ReportArguments& arguments, const Run& run) {
  ReportOptions options = arguments.options;
  options.vary = parse_vary(arguments.vary);
  options.on = parse_splits(arguments.split);
  if (!arguments.at.empty()) options.at = parse_held(arguments.at);
  ProgressDisplay display;
  options.execution = display.execution(arguments.n_threads);
  return make_report(run, options);
}

void run(const ReportArguments& arguments) {
  const Run run = Run::open(arguments.run);
  const ReportPage page = compute(arguments, run);
  const std::filesystem::path file = output_or(arguments.output, run, "report.html");
  write_report(page, file);
  print_warnings(page.warnings);
  fmt::print("{}\n", file.string());
}

}  // namespace

void add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand(
      "report", "One self-contained page: model, landscapes, verdicts, estimates, predictions, provenance");
  ReportOptions& options = arguments->options;
  add_run_option(*command, arguments->run);
  add_vary_option(*command, arguments->vary);
  add_further_regularizers_option(*command, options.regularizers);
  command->add_option("--split", arguments->split,
                      "Of the landscapes: train, validation, test, several joined by +");
  command->add_option("--sample", options.n_windows,
                      "Use only so many windows for the landscapes, evenly spaced");
  command->add_option("--at", arguments->at, "Values of parameters that are not varied, name=value,…");
  add_threads_option(*command, arguments->n_threads);
  command->add_option("-o,--output", arguments->output, "The page; by default RUN/report.html");
  command->callback([arguments] { naming_flags({{"on", "--split"}}, [&] { run(*arguments); }); });
}

}  // namespace greybox::apps
