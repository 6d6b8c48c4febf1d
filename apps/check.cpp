// greybox check MODEL
#include <fmt/format.h>

#include <greybox/check.hpp>
#include <memory>

#include "command.hpp"

namespace greybox::apps {

void add_check(CLI::App& app) {
  struct Arguments {
    std::string model;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("check", "Read a model file and its data; print the model as mathematics");
  command->add_option("MODEL", arguments->model, "Model file (.toml)")->required();
  command->add_flag("--json", arguments->json, "Print the result as one JSON object");
  command->callback([arguments] {
    const CheckReport report = check_model(arguments->model);
    fmt::print("{}\n", arguments->json ? report.json : report.text);
    print_warnings(report.warnings);
  });
}

}  // namespace greybox::apps
