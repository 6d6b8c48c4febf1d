// What every command shares: how it joins the command line, and how it reports.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace greybox::apps {

// Exit codes: the same for every command.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;      // anything that is not the user's mistake
inline constexpr int kWrongInput = 2;  // the message says what, where and how to mend it
inline constexpr int kInterrupted = 130;

// Each adds its subcommand; the callback does the work and throws on failure.
void add_augment(CLI::App& app);
void add_check(CLI::App& app);
void add_compare(CLI::App& app);
void add_data(CLI::App& app);
void add_demo(CLI::App& app);
void add_estimate(CLI::App& app);
void add_landscape(CLI::App& app);
void add_predict(CLI::App& app);
void add_report(CLI::App& app);
void add_refit(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_sample(CLI::App& app);
void add_train(CLI::App& app);

// The user ended a command that can be continued; the message says how.
class Interrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Warnings go to stderr, so that results on stdout stay clean.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace greybox::apps
