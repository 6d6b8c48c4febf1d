#include "analysis_options.hpp"

namespace greybox::apps {

void add_run_option(CLI::App& command, std::filesystem::path& run) {
  command.add_option("RUN", run, "Run folder")->required();
}

void add_data_option(CLI::App& command, std::filesystem::path& data) {
  command.add_option("--data", data, "Data file; by default what the run learned from");
}

void add_vary_option(CLI::App& command, std::vector<std::string>& vary) {
  command.add_option("--vary", vary, "A parameter, name or name=low:high:points; may be repeated")
      ->take_all()
      ->expected(1);
}

void add_further_regularizers_option(CLI::App& command, std::vector<std::string>& regularizers) {
  command
      .add_option("--regularizer", regularizers, "A further regularizer, as an expression; may be repeated")
      ->expected(1)
      ->take_all();
}

void add_precision_option(CLI::App& command, std::string& precision) {
  command.add_option("--precision", precision, "double or float")->check(CLI::IsMember({"double", "float"}));
}

void add_threads_option(CLI::App& command, std::size_t& n_threads) {
  command.add_option("--threads", n_threads, "Threads; 0 for one per core. Results do not depend on it");
}

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print the result as one JSON object");
}

std::optional<Table> read_data(const Run& run, const std::filesystem::path& data) {
  if (data.empty()) return std::nullopt;
  return run.model().read_table(data);
}

std::filesystem::path output_or(const std::filesystem::path& output, const Run& run, const char* name) {
  return output.empty() ? run.folder() / name : output;
}

}  // namespace greybox::apps
