// greybox demo [-o DIR]: the toy example, from nothing to an estimate and a report.
#include <fmt/format.h>

#include <fstream>
#include <greybox/data.hpp>
#include <greybox/error.hpp>
#include <greybox/estimate.hpp>
#include <greybox/example_models.hpp>
#include <greybox/landscape.hpp>
#include <greybox/report.hpp>
#include <greybox/train.hpp>
#include <memory>

#include "command.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"

namespace greybox::apps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRegularizer = "centred";

struct DemoFolder {
  fs::path folder;
  fs::path model() const { return folder / "toy.toml"; }
  fs::path data() const { return folder / "toy.csv"; }
  fs::path run() const { return folder / "run"; }
};

void refuse_if_in_use(const DemoFolder& demo) {
  if (fs::exists(demo.folder) && !(fs::is_directory(demo.folder) && fs::is_empty(demo.folder)))
    throw InputError(Diagnostic{.file = demo.folder.string(),
                                .message = "this is already there, and the demo overwrites nothing",
                                .help = "give a new folder with -o, or remove this one"});
}

void write_model(const fs::path& file) {
  std::ofstream stream(file, std::ios::binary);
  stream << example_model("toy") << std::flush;
  if (!stream) throw std::runtime_error(fmt::format("cannot write `{}`", file.string()));
}

void learn(const DemoFolder& demo) {
  TrainOptions options;
  options.model = demo.model();
  options.run = demo.run();
  options.command_line = "greybox demo";
  options.cancel = &listen_to_interruption();
  TrainReport report;
  {
    ProgressBar bar;
    options.on_epoch = [&bar](const EpochReport& epoch) { bar.show(epoch); };
    report = train(options);
  }
  if (report.outcome == TrainOutcome::interrupted) throw Interruption(report.message);
  fmt::print("3. One training, for all values of a and c at once: {:.2g} s, L = {:.3g}.\n", report.seconds,
             report.loss);
}

void look(const DemoFolder& demo) {
  LandscapeOptions options;
  options.run = demo.run();
  const LandscapeReport report = landscape(options);
  write_landscape_report(report, demo.run() / "landscape");
  fmt::print("4. What each regularizer says about a and c, lowest at:\n");
  for (const LandscapeMap& map : report.landscapes.front().maps)
    for (const LandscapeMinimum& minimum : map.minima)
      fmt::print("     {:<8} a = {:5.2f}, c = {:5.2f}   R = {:.2g}\n", map.name, minimum.theta[0],
                 minimum.theta[1], minimum.value);
  fmt::print("   Which means:\n");
  for (const Verdict& verdict : report.verdicts.verdicts) fmt::print("     {}\n", verdict.sentence);
  print_warnings(report.warnings);
}

void judge(const DemoFolder& demo) {
  EstimateOptions options;
  options.run = demo.run();
  options.regularizer = kRegularizer;
  options.method = EstimateMethod::adam;
  options.on = "train+test";
  const EstimateReport report = estimate(options);
  const Estimate& best = report.estimates.front();
  fmt::print("5. The estimate under {}: a = {:.3f}, c = {:.3f} (R = {:.2g}, RMSE {:.2g}).\n", kRegularizer,
             best.theta.at("a"), best.theta.at("c"), best.regularizer, best.rmse);
  print_warnings(report.warnings);
}

fs::path tell(const DemoFolder& demo) {
  ReportOptions options;
  options.run = demo.run();
  const fs::path page = demo.run() / "report.html";
  write_report(gather_report(options).json, page);
  return page;
}

void run(const fs::path& folder) {
  const DemoFolder demo{folder};
  refuse_if_in_use(demo);
  fs::create_directories(demo.folder);
  const DataReport data = make_data({.set = DataSet::toy, .output = demo.data()});
  fmt::print("1. Data: {} rows of y = sin(x) + cos(x) + noise in {}.\n", data.n_rows, demo.data().string());
  write_model(demo.model());
  fmt::print("2. A model: theory a·sin(x + c), and a network for the rest, in {}.\n", demo.model().string());
  learn(demo);
  look(demo);
  judge(demo);
  const fs::path page = tell(demo);
  fmt::print("6. All of it on one page, to look at in a browser: {}\n", page.string());
  fmt::print("\nThen try  greybox check {}\n", demo.model().string());
  fmt::print("          greybox landscape {} --regularizer \"mean(norm2(network)) + a^2\"\n",
             demo.run().string());
  fmt::print("          greybox compare {}\n", demo.model().string());
}

}  // namespace

void add_demo(CLI::App& app) {
  auto folder = std::make_shared<fs::path>("greybox-demo");
  CLI::App* command = app.add_subcommand("demo", "The toy example, from nothing to an estimate and a report");
  command->add_option("-o,--output", *folder, "A new folder; by default greybox-demo");
  command->callback([folder] { run(*folder); });
}

}  // namespace greybox::apps
