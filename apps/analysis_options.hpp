// Options that the commands which look at a run share, so that they read the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace greybox::apps {

void add_run_option(CLI::App& command, std::filesystem::path& run);
void add_data_option(CLI::App& command, std::filesystem::path& data);
void add_vary_option(CLI::App& command, std::vector<std::string>& vary);
void add_further_regularizers_option(CLI::App& command, std::vector<std::string>& regularizers);
void add_precision_option(CLI::App& command, std::string& precision);
void add_threads_option(CLI::App& command, std::size_t& n_threads);
void add_json_option(CLI::App& command, bool& json);

}  // namespace greybox::apps
