// A parameter with a prior, for tests.
#pragma once

#include "model/spec.hpp"

namespace greybox::test {

inline ParameterSpec made_parameter(PriorKind kind, double low, double high, double mean = 0, double sd = 1) {
  ParameterSpec spec;
  spec.prior = kind;
  spec.low = low;
  spec.high = high;
  spec.mean = mean;
  spec.sd = sd;
  return spec;
}

}  // namespace greybox::test
