// greybox curves RUN [--width 85mm]: training curves as a picture.
#include <fmt/format.h>

#include <greybox/picture.hpp>
#include <greybox/run.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "option_text.hpp"
#include "picture_options.hpp"

namespace greybox::apps {
namespace {

struct CurvesArguments {
  std::filesystem::path run, output;
  PictureArguments picture;
};

void run(const CurvesArguments& arguments) {
  const PictureStyle style = style_of(arguments.picture);
  const Run run = Run::open(arguments.run);
  const std::filesystem::path folder = arguments.output.empty() ? run.folder() : arguments.output;
  std::filesystem::create_directories(folder);
  const std::vector<EpochReport> epochs = run.curves();
  if (epochs.empty())
    refuse_flag("RUN", "the run has no curves.csv, or nothing in it",
                "train it, or wait for its first epoch");
  print_files(draw_curves(epochs, run.model().name() + ": training", folder, style));
}

}  // namespace

void add_curves(CLI::App& app) {
  auto arguments = std::make_shared<CurvesArguments>();
  CLI::App* command = app.add_subcommand("curves", "L and R over the epochs of a training, as a picture");
  add_run_option(*command, arguments->run);
  add_picture_options(*command, arguments->picture);
  command->add_option("-o,--output", arguments->output,
                      "Folder for curves.svg, curves.png and curves.pdf; by default the run's own");
  describe(*command, kAsking, {"greybox curves runs/toy", "greybox curves runs/toy --width 85mm --no-title"});
  command->callback([arguments] { naming_flags({}, [&] { run(*arguments); }); });
}

}  // namespace greybox::apps
