// Terms that may make up a formula for a correction, in the model file's language, and their values.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "analysis/explain/explained_points.hpp"

namespace greybox {

struct TermLibrary {
  std::vector<std::string> texts;
  // Points × terms.
  Eigen::MatrixXd values;
};

// The usual terms of every variable and pair, and those given. Terms that are not finite everywhere, or
// repeat another, are left out. Throws InputError for given terms that cannot be read.
TermLibrary term_library(const OpenedRun& run, const ExplainedPoints& points,
                         const std::vector<std::string>& given);

}  // namespace greybox
