#include "output_text.hpp"

#include <fmt/format.h>

namespace greybox::apps {

std::string output_text(const OutputError& output) {
  return fmt::format("{}: RMSE {:.4g}, NRMSE {:.3g} %, R² {:.4g}", output.name, output.rmse,
                     100 * output.nrmse, output.r2);
}

std::vector<std::pair<std::string, double>> in_file_order(const Theta& theta, const Model& model) {
  std::vector<std::pair<std::string, double>> ordered;
  for (const ParameterInfo& parameter : model.parameters())
    if (const auto found = theta.find(parameter.name); found != theta.end()) ordered.emplace_back(*found);
  return ordered;
}

}  // namespace greybox::apps
