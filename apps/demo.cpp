// greybox demo [-o DIR]: the toy example, from nothing to an estimate and a report.
#include <fmt/format.h>

#include <greybox/data.hpp>
#include <greybox/error.hpp>
#include <greybox/estimate.hpp>
#include <greybox/example_models.hpp>
#include <greybox/landscape.hpp>
#include <greybox/report.hpp>
#include <greybox/train.hpp>
#include <memory>

#include "command.hpp"
#include "command_shape.hpp"
#include "progress_display.hpp"
#include "text_file.hpp"
#include "training_options.hpp"

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

Run learn(const DemoFolder& demo) {
  const Run run = [&] {
    ProgressDisplay display(Work::training);
    return train(Model::read(demo.model()),
                 {.folder = demo.run(), .command = "greybox demo", .execution = display.cancellable(0)});
  }();
  require_trained(run);
  const RunRecord record = run.record().value();
  fmt::print("3. One training, for all values of a and c at once: {:.2g} s, L = {:.3g}.\n", record.seconds,
             record.loss);
  return run;
}

void show_landscape(const Run& run) {
  const Landscape map = landscape(run);
  const Verdicts verdicts = judge(run);
  write_landscape(map, run.folder() / "landscape", &verdicts);
  fmt::print("4. What each regularizer says about a and c, lowest at:\n");
  for (const LandscapeMap& of_one : map.grids.front().maps)
    for (const LandscapeMinimum& minimum : of_one.minima)
      fmt::print("     {:<8} a = {:5.2f}, c = {:5.2f}   R = {:.2g}\n", of_one.name, minimum.theta[0],
                 minimum.theta[1], minimum.value);
  fmt::print("   Which means:\n");
  for (const Verdict& verdict : verdicts) fmt::print("     {}\n", verdict.sentence);
  print_warnings(map.warnings);
}

void show_estimate(const Run& run) {
  const Estimate best = estimate(run, {.regularizer = kRegularizer,
                                       .method = EstimateMethod::adam,
                                       .on = Splits{{Split::train, Split::test}}});
  fmt::print("5. The estimate under {}: a = {:.3f}, c = {:.3f} (R = {:.2g}, RMSE {:.2g}).\n", kRegularizer,
             best.theta.at("a"), best.theta.at("c"), best.regularizer, best.rmse);
  fmt::print(
      "   Why 4 has other values: its lowest points are of the validation windows, at points of a grid; its\n"
      "   verdicts rest on the correction that the data ask for, without the network's own errors; this is "
      "of\n"
      "   the training and test windows.\n");
  print_warnings(best.warnings);
}

void run_demo(const fs::path& folder) {
  const DemoFolder demo{folder};
  refuse_if_in_use(demo);
  fs::create_directories(demo.folder);
  const DataReport data = make_data({.set = DataSet::toy, .output = demo.data()});
  fmt::print("1. Data: {} rows of y = sin(x) + cos(x) + noise in {}.\n", data.n_rows, demo.data().string());
  write_text_file(demo.model(), std::string(example_model("toy")));
  fmt::print("2. A model: theory a·sin(x + c), and a network for the rest, in {}.\n", demo.model().string());
  const Run run = learn(demo);
  show_landscape(run);
  show_estimate(run);
  const fs::path page = demo.run() / "report.html";
  write_report(make_report(run), page);
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
  describe(*command, kStudying, {"greybox demo", "greybox demo -o somewhere"});
  command->callback([folder] { run_demo(*folder); });
}

}  // namespace greybox::apps
