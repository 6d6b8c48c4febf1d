// greybox: the command line.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <greybox/error.hpp>
#include <greybox/memory.hpp>
#include <greybox/version.hpp>
#include <new>
#include <string>
#include <system_error>

#include "command.hpp"
#include "command_log.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "help_text.hpp"
#include "interruption.hpp"
#include "json_text.hpp"
#include "memory_option.hpp"
#include "processes.hpp"
#include "shard_option.hpp"
#include "standard_streams.hpp"
#include "wrong_use.hpp"

namespace greybox::apps {

namespace {

// Numbers of things: the library that reads the command line would wrap a negative one around to a huge one.
void refuse_negative_counts(CLI::App& app) {
  const auto not_negative = [](const std::string& text) {
    return text.starts_with('-') ? text + " is negative; it counts from 0" : std::string();
  };
  for (CLI::App* command : app.get_subcommands({})) {
    refuse_negative_counts(*command);
    for (const char* name : {"--batch", "--chains", "--draws", "--epochs", "--grid", "--retrain", "--sample",
                             "--seed", "--seeds", "--size", "--starts", "--steps", "--terms", "--threads",
                             "--trials", "--warmup", "--windows"})
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

// A command that only has commands shows them.
bool is_asked_for_help(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  for (int i = 1; i < argc; ++i) {
    const auto named =
        command->get_subcommands([&](const CLI::App* one) { return one->check_name(argv[i]); });
    if (named.empty()) return false;
    command = named.front();
  }
  const bool has_commands = !command->get_subcommands([](const CLI::App*) { return true; }).empty();
  if (has_commands) fmt::print("{}", command->help());
  return has_commands;
}

void run_command(const std::vector<std::string>& arguments);

void add_commands(CLI::App& app) {
  app.set_version_flag("--version", fmt::format("greybox {}", version()));
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default();
  app.formatter(help_formatter());
  add_new(app);
  add_check(app);
  add_train(app);
  add_landscape(app);
  add_estimate(app);
  add_sample(app);
  add_predict(app);
  add_generate(app);
  add_simulate(app);
  add_explain(app);
  add_explore(app);
  add_curves(app);
  add_refit(app);
  add_report(app);
  add_augment(app);
  add_compare(app);
  add_merge(app, run_command);
  add_data(app);
  add_demo(app);
  add_reproduce(app);
  add_completion(app);
  add_manual(app);
  refuse_negative_counts(app);
  add_memory_option(app);
  sort_options(app);
}

// Does what the command line says; help and version are not mistakes.
void parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    log_command(app, command_line(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw wrong_use(app, error);
    app.exit(error);
  }
}

constexpr const char* kAbout =
    "Trustworthy grey-box modelling: which parameters of a theory survive the network beside it?";

void run_command(const std::vector<std::string>& arguments) {
  CLI::App app{kAbout, "greybox"};
  add_commands(app);
  std::vector<const char*> words = {"greybox"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    throw wrong_use(app, error);
  }
}

// What ends a program that did not do what it was asked for.
struct Ending {
  int exit_code = kFailed;
  std::string message;
};

// Of the exception that is being handled.
Ending ending_of_exception() {
  try {
    throw;
  } catch (const InputError& error) {
    return {kWrongInput, with_flags(error).what()};
  } catch (const Interruption& error) {
    return {kInterrupted, with_flags(std::string(error.what()))};
  } catch (const std::bad_alloc&) {
    return {kFailed,
            fmt::format("error: this needs more memory than the limit of {:.3g} GiB\n  help: ask for less at "
                        "once, or raise the limit with --memory",
                        static_cast<double>(memory_limit()) / 0x1p30)};
  } catch (const std::filesystem::filesystem_error& error) {
    const bool is_of_disk = error.code() == std::errc::no_space_on_device ||
                            error.code() == std::errc::io_error ||
                            error.code() == std::errc::read_only_file_system;
    return {is_of_disk ? kFailed : kWrongInput,
            fmt::format(
                "{}: error: this cannot be used: {}\n  help: look at what is there, or name another place",
                error.path1().string(), error.code().message())};
  } catch (const std::system_error& error) {
    // What prints throws as well, and does not name what it printed to.
    const std::string reason = std::ferror(stdout) != 0
                                   ? "the results did not reach standard output: " + error.code().message()
                                   : with_flags(std::string(error.what()));
    return {kFailed, "error: " + reason};
  } catch (const std::exception& error) {
    return {kFailed, "error: " + with_flags(std::string(error.what()))};
  }
}

void run_tool(int argc, char** argv) {
  CLI::App app{kAbout, "greybox"};
  add_commands(app);
  join_processes(argc, argv);
  refuse_other_encodings(argc, argv);
  remember_arguments(argc, argv);
  if (!is_asked_for_help(app, argc, argv)) parse(app, argc, argv);
  flush_results();
}

}  // namespace
}  // namespace greybox::apps

int main(int argc, char** argv) {
  using namespace greybox::apps;
  open_standard_streams();
  report_full_disks();
  report_shortened_files();
  try {
    run_tool(argc, argv);
  } catch (const HelpIsOver&) {
    // The first process has the results.
  } catch (...) {
    const Ending ending = ending_of_exception();
    tell_message(ending.message);
    leave_processes(ending.exit_code, ending.message.c_str());
    return ending.exit_code;
  }
  leave_processes(kDone);
  return kDone;
}
