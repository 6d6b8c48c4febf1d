// greybox check MODEL
#include <fmt/format.h>

#include <greybox/check.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"

namespace greybox::apps {
namespace {

// A data file that is not there is only suspicious.
ModelSummary summary_of(const std::filesystem::path& file) {
  const Model model = Model::read(file);
  return std::filesystem::exists(model.data_file()) ? check(Dataset(model)) : check(model);
}

}  // namespace

void add_check(CLI::App& app) {
  struct Arguments {
    std::filesystem::path model;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("check", "Read a model file and its data; print the model as mathematics");
  command->add_option("MODEL", arguments->model, "Model file (.toml)")->required();
  add_json_option(*command, arguments->json);
  command->callback([arguments] {
    const ModelSummary summary = summary_of(arguments->model);
    fmt::print("{}\n", arguments->json ? to_json(summary) : summary.text);
    print_warnings(summary.warnings);
  });
}

}  // namespace greybox::apps
