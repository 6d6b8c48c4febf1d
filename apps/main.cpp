// greybox: the command line.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <greybox/error.hpp>
#include <greybox/version.hpp>

#include "command.hpp"
#include "flag_names.hpp"

namespace greybox::apps {

namespace {

// Numbers of things: the library that reads the command line would wrap a negative one around to a huge one.
void refuse_negative_counts(CLI::App& app) {
  const auto not_negative = [](const std::string& text) {
    return text.starts_with('-') ? text + " is negative; it counts from 0" : std::string();
  };
  for (CLI::App* command : app.get_subcommands({})) {
    refuse_negative_counts(*command);
    for (const char* name :
         {"--batch", "--chains", "--draws", "--epochs", "--grid", "--retrain", "--sample", "--seed",
          "--seeds", "--size", "--starts", "--steps", "--threads", "--trials", "--warmup", "--windows"})
      if (CLI::Option* option = command->get_option_no_throw(name)) option->check(not_negative);
  }
}

// Says which word was not understood; left to itself the library only asks for a command.
void check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const auto is_meant = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (!app.get_subcommands(is_meant).empty()) return;
  throw InputError(Diagnostic{.message = fmt::format("unknown command `{}`", argv[1]),
                              .help = "greybox --help lists the commands"});
}

}  // namespace
}  // namespace greybox::apps

int main(int argc, char** argv) {
  using namespace greybox::apps;
  CLI::App app{"Trustworthy grey-box modelling: which parameters of a theory survive the network beside it?",
               "greybox"};
  app.set_version_flag("--version", fmt::format("greybox {}", greybox::version()));
  app.require_subcommand(1);
  add_new(app);
  add_check(app);
  add_train(app);
  add_landscape(app);
  add_estimate(app);
  add_sample(app);
  add_predict(app);
  add_refit(app);
  add_report(app);
  add_augment(app);
  add_compare(app);
  add_data(app);
  add_demo(app);
  add_reproduce(app);
  refuse_negative_counts(app);
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongInput;
  } catch (const greybox::InputError& error) {
    fmt::print(stderr, "{}\n", with_flags(error).what());
    return kWrongInput;
  } catch (const greybox::Interruption& error) {
    fmt::print(stderr, "{}\n", with_flags(std::string(error.what())));
    return kInterrupted;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", with_flags(std::string(error.what())));
    return kFailed;
  }
}
