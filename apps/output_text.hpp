// Errors of an observed variable in words.
#pragma once

#include <greybox/fit.hpp>
#include <string>

namespace greybox::apps {

// "prey: RMSE 0.12, NRMSE 3.4 %, R² 0.98".
std::string output_text(const OutputError& output);

}  // namespace greybox::apps
