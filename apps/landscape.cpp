// greybox landscape RUN [--vary a=0:2:101 --vary c] [--regularizer NAME_OR_EXPRESSION]… [--split test]
#include <fmt/format.h>

#include <greybox/landscape.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "count_progress.hpp"
#include "vary_option.hpp"

namespace greybox::apps {
namespace {

struct Arguments {
  LandscapeOptions options;
  std::vector<std::string> vary;
  std::string at, output, precision = "double";
  bool json = false;
};

std::string place_text(const Landscape& landscape, const LandscapeMinimum& minimum) {
  std::string text;
  for (std::size_t k = 0; k < landscape.axes.size(); ++k)
    text += fmt::format("{}{} = {:.6g}", k == 0 ? "" : ", ", landscape.axes[k].name, minimum.theta[k]);
  return text;
}

void print(const Landscape& landscape) {
  std::string over;
  for (const LandscapeAxis& axis : landscape.axes)
    over += fmt::format("{}{} in [{:.6g}, {:.6g}]", over.empty() ? "" : ", ", axis.name, axis.values.front(),
                        axis.values.back());
  for (const auto& [name, value] : landscape.held) over += fmt::format(", {} = {:.6g}", name, value);
  fmt::print("{} windows of {}; {}\n", landscape.n_windows, landscape.split, over);
  for (const LandscapeMap& map : landscape.maps) {
    fmt::print("R {}:", map.name);
    if (map.minima.empty()) fmt::print(" no finite value");
    for (std::size_t k = 0; k < map.minima.size(); ++k)
      fmt::print("{} {:.6g} at {}", k == 0 ? " lowest" : ";", map.minima[k].value,
                 place_text(landscape, map.minima[k]));
    fmt::print("\n");
  }
  fmt::print("{}\n", landscape.adaptivity);
}

LandscapeReport compute(Arguments& arguments) {
  LandscapeOptions& options = arguments.options;
  for (const std::string& text : arguments.vary) options.vary.push_back(parse_vary(text));
  if (!arguments.at.empty()) options.at = parse_held(arguments.at);
  options.single_precision = arguments.precision == "float";
  CountProgress progress("landscape", "pairs of θ and window");
  options.progress = [&progress](std::size_t n_done, std::size_t n_all) { progress.show(n_done, n_all); };
  return landscape(options);
}

void run(Arguments& arguments) {
  const LandscapeReport report = compute(arguments);
  const std::filesystem::path folder = arguments.output.empty() ? arguments.options.run / "landscape"
                                                                : std::filesystem::path(arguments.output);
  const std::vector<std::filesystem::path> files = write_landscapes(report.landscapes, folder);
  print_warnings(report.warnings);
  if (arguments.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(report.json);
    for (const std::filesystem::path& file : files) json["files"].push_back(file.string());
    fmt::print("{}\n", json.dump());
    return;
  }
  for (const Landscape& one : report.landscapes) print(one);
  for (const std::filesystem::path& file : files) fmt::print("{}\n", file.string());
}

}  // namespace

void add_landscape(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("landscape", "Regularizers and errors of a trained model over its parameters");
  LandscapeOptions& options = arguments->options;
  command->add_option("RUN", options.run, "Run folder")->required();
  command->add_option("--vary", arguments->vary, "A parameter, name or name=low:high:points; may be repeated")
      ->take_all()
      ->expected(1);
  command
      ->add_option("--regularizer", options.regularizers,
                   "A further regularizer, as an expression; may be repeated")
      ->expected(1)
      ->take_all();
  command->add_option(
      "--split", options.split,
      "train, validation, test, several joined by +, or all; by default test, if there is one");
  command->add_option("--data", options.data, "Data file; by default what the run learned from");
  command->add_option("--sample", options.sample, "Use only so many windows, evenly spaced");
  command->add_option("--at", arguments->at, "Values of parameters that are not varied, name=value,…");
  command->add_option("-o,--output", arguments->output,
                      "Folder for npz, CSV and pictures; by default RUN/landscape");
  command->add_option("--precision", arguments->precision, "double or float")
      ->check(CLI::IsMember({"double", "float"}));
  command->add_option("--threads", options.n_threads,
                      "Threads; 0 for one per core. Results do not depend on it");
  command->add_flag("--json", arguments->json, "Print the result as one JSON object");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
