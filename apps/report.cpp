// greybox report RUN [-o FILE]: one page with everything the run has to say.
#include <fmt/format.h>

#include <greybox/report.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "open_page.hpp"
#include "progress_display.hpp"
#include "split_option.hpp"
#include "standard_streams.hpp"
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
  bool open = false, json = false;
};

ReportPage compute(const ReportArguments& arguments, const Run& run) {
  ReportOptions options = arguments.options;
  options.vary = parse_vary(arguments.vary);
  options.on = parse_splits(arguments.split);
  if (!arguments.at.empty()) options.at = parse_held(arguments.at);
  ProgressDisplay display({{"verdicts", "θ of the prior", 0.2},
                           {"verdicts", "", 1.2},
                           {"landscape", "pairs of θ and window", 6},
                           {"landscape", "", 1}});
  options.execution = display.execution(arguments.n_threads);
  return make_report(run, options);
}

// What the page says, without the numbers of its charts.
std::string without_arrays(const std::string& data) {
  auto json = nlohmann::ordered_json::parse(data);
  for (const char* name : {"grids", "predictions", "model"}) json.erase(name);
  json["data"].erase("preview");
  json["training"].erase("curves");
  if (json["posterior"].is_object()) json["posterior"].erase("draws");
  for (auto& verdict : json["verdicts"]) verdict.erase("profile");
  return json.dump();
}

void run(const ReportArguments& arguments) {
  const Run run = Run::open(arguments.run);
  const ReportPage page = compute(arguments, run);
  const std::filesystem::path file = output_or(arguments.output, run, "report.html");
  write_report(page, file);
  print_warnings(page.warnings);
  if (arguments.json)
    print_json(without_arrays(page.data), {file});
  else
    fmt::print("{}\n", file.string());
  if (arguments.open && !open_page(file))
    tell_line("no browser could be started; open the file in one yourself");
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
  command->add_option(
      "--sample", options.n_windows,
      "Use only so many windows for the landscapes, drawn by --seed from all series and times; "
      "by default as many as a page can wait for");
  command->add_option("--seed", options.seed, "Of --sample");
  command->add_option("--at", arguments->at, "Values of parameters that are not varied, name=value,…");
  add_threads_option(*command, arguments->n_threads);
  command->add_option("-o,--output", arguments->output, "The page; by default RUN/report.html");
  command->add_flag("--open", arguments->open, "Show it in the browser");
  add_json_option(*command, arguments->json);
  describe(*command, kAsking, {"greybox report runs/toy --open", "greybox report runs/toy --json"});
  command->callback([arguments] { naming_flags({{"on", "--split"}}, [&] { run(*arguments); }); });
}

}  // namespace greybox::apps
