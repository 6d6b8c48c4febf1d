// What every command shares: how it joins the command line, and how it reports.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
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
void add_completion(CLI::App& app);
void add_curves(CLI::App& app);
void add_data(CLI::App& app);
void add_demo(CLI::App& app);
void add_estimate(CLI::App& app);
void add_explain(CLI::App& app);
void add_explore(CLI::App& app);
void add_generate(CLI::App& app);
void add_landscape(CLI::App& app);
void add_manual(CLI::App& app);
// Runs another command of this program, given by its arguments.
using RunCommand = std::function<void(const std::vector<std::string>& arguments)>;
void add_merge(CLI::App& app, const RunCommand& run_command);
void add_new(CLI::App& app);
void add_predict(CLI::App& app);
void add_report(CLI::App& app);
void add_refit(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_sample(CLI::App& app);
void add_simulate(CLI::App& app);
void add_train(CLI::App& app);

// The result as one JSON object, with the files that were written.
void print_json(const std::string& json, const std::vector<std::filesystem::path>& files);
void print_files(const std::vector<std::filesystem::path>& files);
// Warnings go to stderr, so that results on stdout stay clean.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace greybox::apps
