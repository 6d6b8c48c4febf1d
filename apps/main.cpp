// greybox: the command line.
#include <fmt/format.h>

#include <exception>
#include <greybox/error.hpp>
#include <greybox/memory.hpp>
#include <greybox/version.hpp>
#include <new>

#include "command.hpp"
#include "flag_names.hpp"
#include "interruption.hpp"
#include "json_text.hpp"
#include "memory_option.hpp"
#include "standard_streams.hpp"

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

// Results hold the arguments as text, and JSON is UTF-8.
void refuse_other_encodings(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (!is_utf8(argv[i]))
      throw InputError(Diagnostic{.message = fmt::format("argument {} is not UTF-8", i),
                                  .help = "rename the file or folder that it names"});
}

// Says which word was not understood; left to itself the library only asks for a command.
void check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const auto is_meant = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (!app.get_subcommands(is_meant).empty()) return;
  throw InputError(Diagnostic{.message = fmt::format("unknown command `{}`", argv[1]),
                              .help = "greybox --help lists the commands"});
}

void add_commands(CLI::App& app) {
  app.set_version_flag("--version", fmt::format("greybox {}", version()));
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
  add_memory_option(app);
}

}  // namespace
}  // namespace greybox::apps

int main(int argc, char** argv) {
  using namespace greybox::apps;
  open_standard_streams();
  report_full_disks();
  CLI::App app{"Trustworthy grey-box modelling: which parameters of a theory survive the network beside it?",
               "greybox"};
  add_commands(app);
  try {
    refuse_other_encodings(argc, argv);
    check_command(app, argc, argv);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      const int status = app.exit(error);
      flush_results();
      return status == 0 ? kDone : kWrongInput;
    }
    flush_results();
    return kDone;
  } catch (const greybox::InputError& error) {
    tell_line(with_flags(error).what());
    return kWrongInput;
  } catch (const greybox::Interruption& error) {
    tell_line(with_flags(std::string(error.what())));
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    tell_line(fmt::format(
        "error: this needs more memory than the limit of {:.3g} GiB\n  help: ask for less at once, or "
        "raise the limit with --memory",
        static_cast<double>(greybox::memory_limit()) / 0x1p30));
    return kFailed;
  } catch (const std::exception& error) {
    tell_line("error: " + with_flags(std::string(error.what())));
    return kFailed;
  }
}
