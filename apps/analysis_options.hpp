// What the commands share that ask something of a run, so that they read the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <greybox/run.hpp>
#include <optional>
#include <string>
#include <vector>

#include "staged_progress.hpp"

namespace greybox::apps {

void add_run_option(CLI::App& command, std::filesystem::path& run);
void add_data_option(CLI::App& command, std::filesystem::path& data);
void add_vary_option(CLI::App& command, std::vector<std::string>& vary);
void add_further_regularizers_option(CLI::App& command, std::vector<std::string>& regularizers);
void add_precision_option(CLI::App& command, std::string& precision);
void add_threads_option(CLI::App& command, std::size_t& n_threads);
void add_json_option(CLI::App& command, bool& json);

// The stages of landscapes with verdicts, and what they usually take.
std::vector<PlannedStage> landscape_plan(bool has_verdicts);

// None where no file is named.
std::optional<Table> read_data(const Run& run, const std::filesystem::path& data);

// `output`, or what is called `name` in the run folder.
std::filesystem::path output_or(const std::filesystem::path& output, const Run& run, const char* name);

}  // namespace greybox::apps
