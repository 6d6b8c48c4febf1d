// greybox explore RUN [--port N] [--no-open]: a live page on this machine.
#include <fmt/format.h>

#include <cstdio>
#include <greybox/explore.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "interruption.hpp"
#include "open_page.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {
namespace {

struct ExploreArguments {
  ExploreOptions options;
  std::filesystem::path run;
  std::size_t n_threads = 0;
  bool no_open = false;
};

void run(const ExploreArguments& arguments) {
  const std::atomic<bool>& interrupted = listen_to_interruption();
  ExploreOptions options = arguments.options;
  options.execution.n_threads = arguments.n_threads;
  Explorer explorer(Run::open(arguments.run), options);
  print_warnings(explorer.warnings());
  fmt::print("{}\n", explorer.address());
  std::fflush(stdout);
  if (!arguments.no_open && !open_address(explorer.address()))
    tell_line("no browser could be started; open the address in one yourself");
  tell_line("press Ctrl-C to end");
  explorer.wait(interrupted);
  explorer.stop();
}

}  // namespace

void add_explore(CLI::App& app) {
  auto arguments = std::make_shared<ExploreArguments>();
  CLI::App* command = app.add_subcommand(
      "explore", "A live page on this machine: drag θ and see regularizers, predictions and parts follow");
  add_run_option(*command, arguments->run);
  command->add_option("--port", arguments->options.port, "Of 127.0.0.1; 0 for one that is free");
  command->add_flag("--no-open", arguments->no_open, "Print the address only, and start no browser");
  add_threads_option(*command, arguments->n_threads);
  describe(*command, kAsking, {"greybox explore runs/toy", "greybox explore runs/toy --port 8080 --no-open"});
  command->callback([arguments] { naming_flags({}, [&] { run(*arguments); }); });
}

}  // namespace greybox::apps
