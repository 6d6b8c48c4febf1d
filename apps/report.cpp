// greybox report RUN [-o FILE]: one page with everything the run has to say.
#include <fmt/format.h>

#include <greybox/report.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "count_progress.hpp"
#include "vary_option.hpp"

namespace greybox::apps {
namespace {

struct ReportArguments {
  ReportOptions options;
  std::vector<std::string> vary;
  std::string at, output;
};

void run(ReportArguments& arguments) {
  ReportOptions& options = arguments.options;
  for (const std::string& text : arguments.vary) options.vary.push_back(parse_vary(text));
  if (!arguments.at.empty()) options.at = parse_held(arguments.at);
  ReportData data;
  {
    CountProgress progress("report", "pairs of θ and window");
    options.progress = [&progress](std::size_t n_done, std::size_t n_all) { progress.show(n_done, n_all); };
    data = gather_report(options);
  }
  const std::filesystem::path file =
      arguments.output.empty() ? options.run / "report.html" : std::filesystem::path(arguments.output);
  write_report(data.json, file);
  print_warnings(data.warnings);
  fmt::print("{}\n", file.string());
}

}  // namespace

void add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand(
      "report", "One self-contained page: model, landscapes, verdicts, estimates, predictions, provenance");
  ReportOptions& options = arguments->options;
  add_run_option(*command, options.run);
  add_vary_option(*command, arguments->vary);
  add_further_regularizers_option(*command, options.regularizers);
  command->add_option("--split", options.split,
                      "Of the landscapes: train, validation, test, several joined by +");
  command->add_option("--sample", options.sample,
                      "Use only so many windows for the landscapes, evenly spaced");
  command->add_option("--at", arguments->at, "Values of parameters that are not varied, name=value,…");
  add_threads_option(*command, options.n_threads);
  command->add_option("-o,--output", arguments->output, "The page; by default RUN/report.html");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
