#include "analysis_options.hpp"

#include "option_text.hpp"

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
      .add_option("--regularizer", regularizers,
                  "A further regularizer, as an expression, also of L, rmse and nrmse; may be repeated")
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

std::vector<PlannedStage> landscape_plan(bool has_verdicts) {
  std::vector<PlannedStage> plan = {{"landscape", "pairs of θ and window", 6},
                                    {"landscape", "θ matched to the data", 0.7},
                                    {"landscape", "short refits", 0.3}};
  if (has_verdicts) {
    plan.push_back({"verdicts", "θ of the prior", 0.2});
    plan.push_back({"verdicts", "", 1.2});
  }
  return plan;
}

std::optional<Table> read_data(const Run& run, const std::filesystem::path& data) {
  if (data.empty()) return std::nullopt;
  return run.model().read_table(data);
}

std::filesystem::path output_or(const std::filesystem::path& output, const Run& run, const char* name) {
  if (!output.empty()) return output;
  // Whoever made the run's folder does not say where else files go.
  if (std::filesystem::is_symlink(run.folder() / name))
    refuse_flag((run.folder() / name).string(), "this is a link to another place",
                "remove it, or name the folder to write into with -o");
  return run.folder() / name;
}

}  // namespace greybox::apps
