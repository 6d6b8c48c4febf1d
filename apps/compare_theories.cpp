#include "compare_theories.hpp"

#include <fmt/format.h>

#include <cmath>
#include <greybox/counted.hpp>

#include "command.hpp"
#include "default_folder.hpp"
#include "flag_names.hpp"
#include "option_text.hpp"
#include "progress_display.hpp"

namespace greybox::apps {
namespace {

std::string number_text(double value, int digits = 4) {
  return std::isnan(value) ? "–" : fmt::format("{:.{}g}", value, digits);
}

void print_theory_table(const TheoryComparison& comparison) {
  fmt::print("on {}\n\n", counted(comparison.n_windows, comparison.split + " window"));
  std::size_t width = 8;
  for (const ComparedTheory& theory : comparison.theories) width = std::max(width, theory.name.size() + 2);
  fmt::print("{:<{}}{:>14}{:>20}{:>10}", "theory", width, "log-lik./value", "behind the best", "network");
  for (const OutputError& output : comparison.theories.front().outputs)
    fmt::print("{:>14}", "RMSE " + output.name);
  fmt::print("\n");
  for (const ComparedTheory& theory : comparison.theories) {
    fmt::print(
        "{:<{}}{:>14}{:>20}{:>9} %", theory.name, width, number_text(theory.log_likelihood),
        fmt::format("{} ± {}", number_text(theory.behind_best, 3), number_text(theory.behind_best_error, 2)),
        number_text(100 * theory.network_share, 3));
    for (const OutputError& output : theory.outputs) fmt::print("{:>14}", number_text(output.rmse));
    fmt::print("\n");
  }
}

void print_findings(const TheoryComparison& comparison) {
  for (const ComparedTheory& theory : comparison.theories) {
    fmt::print("\n{} (R is {})\n", theory.name, theory.regularizer);
    std::size_t width = 12;
    for (const Verdict& verdict : theory.verdicts.verdicts)
      width = std::max(width, verdict.parameter.size() + 2);
    for (const Verdict& verdict : theory.verdicts.verdicts) {
      const auto value = theory.theta.find(verdict.parameter);
      fmt::print("  {:<{}}{:<24}{}\n", verdict.parameter, width, name_of(verdict.finding),
                 value == theory.theta.end() ? "" : fmt::format("judged at {:.5g}", value->second));
    }
  }
}

std::filesystem::path folder_of(const TheoriesArguments& arguments) {
  if (!arguments.folder.empty()) return arguments.folder;
  std::string name = "theories";
  for (const std::filesystem::path& theory : arguments.theories) {
    const std::filesystem::path plain = theory.has_filename() ? theory : theory.parent_path();
    name += "-" + plain.stem().string();
  }
  return default_folder(name);
}

// In the order given; models are trained together so that one folder keeps them.
std::vector<Run> runs_of(const TheoriesArguments& arguments, const std::filesystem::path& folder,
                         const Execution& execution) {
  std::vector<Model> models;
  for (const std::filesystem::path& theory : arguments.theories)
    if (!std::filesystem::is_directory(theory)) models.push_back(Model::read(theory));
  std::optional<Table> table;
  if (!arguments.data.empty() && !models.empty()) table = models.front().read_table(arguments.data);
  TheoryTraining training = arguments.training;
  training.folder = folder;
  std::vector<Run> trained = train_theories(models, table, training, execution), runs;
  std::size_t next = 0;
  for (const std::filesystem::path& theory : arguments.theories)
    runs.push_back(std::filesystem::is_directory(theory) ? Run::open(theory) : trained[next++]);
  return runs;
}

TheoryComparison compute_theories(const TheoriesArguments& arguments, const std::filesystem::path& folder) {
  ProgressDisplay display;
  TheoriesOptions options = arguments.options;
  options.execution = display.cancellable(arguments.n_threads);
  return compare_theories(runs_of(arguments, folder, options.execution), options);
}

}  // namespace

void compare_theories_of(const TheoriesArguments& arguments) {
  naming_flags({{"runs", "MODEL"}}, [&] {
    const PictureStyle style = style_of(arguments.picture);
    const std::filesystem::path folder = folder_of(arguments);
    TheoryComparison comparison = compute_theories(arguments, folder);
    comparison.warnings = with_flags(comparison.warnings);
    std::vector<std::filesystem::path> files = write_theories(comparison, folder);
    draw_again(comparison, folder, style, files);
    print_warnings(comparison.warnings);
    if (arguments.json) return print_json(to_json(comparison), files);
    print_theory_table(comparison);
    print_findings(comparison);
    print_files(files);
  });
}

}  // namespace greybox::apps
