// What each trial of a comparison over folds holds out.
#pragma once

#include <string>
#include <vector>

#include "greybox/compare.hpp"
#include "model/spec.hpp"

namespace greybox {

struct Fold {
  SplitOptions split;
  std::string tested_on;
};

// One per trial, none without folds. The windows that are not tested on are shared out between training and
// validation as in the model file; in time, only where a window fits into that share. Throws InputError when
// the data cannot be cut so.
std::vector<Fold> make_folds(const CompareOptions& options, const DataSpec& data, const DataTable& table);

}  // namespace greybox
