// Errors of an observed variable in words.
#pragma once

#include <greybox/fit.hpp>
#include <greybox/run.hpp>
#include <string>
#include <utility>
#include <vector>

namespace greybox::apps {

// "prey: RMSE 0.12, NRMSE 3.4 %, R² 0.98".
std::string output_text(const OutputError& output);

// In the order of the model file.
std::vector<std::pair<std::string, double>> in_file_order(const Theta& theta, const Model& model);

}  // namespace greybox::apps
