// How sentences call errors of predictions.
#pragma once

#include <string>

#include "model/spec.hpp"

namespace greybox {

// What √L is called: the RMSE of the one output in its unit; of several, which have units of their own, an
// error in units of their scales.
struct ErrorMeasure {
  std::string name = "RMSE";
  // What √L is multiplied by.
  double unit = 1;
  // Behind a number.
  std::string of = "";

  // `RMSE 3.2`, or `error 0.28 of the outputs' scales`.
  std::string text(double loss) const;
};
ErrorMeasure error_measure(const ModelSpec& spec);

}  // namespace greybox
