// Where parameters come from, in several options.
#pragma once

#include <greybox/theta_from.hpp>

#include "fields.hpp"

namespace greybox::python {

template <>
struct Names<ThetaFrom> {
  static constexpr std::pair<ThetaFrom, const char*> list[] = {
      {ThetaFrom::automatic, "automatic"}, {ThetaFrom::run, "run"},
      {ThetaFrom::estimate, "estimate"},   {ThetaFrom::posterior, "posterior"},
      {ThetaFrom::estimator, "estimator"}, {ThetaFrom::tailored, "tailored"}};
};

}  // namespace greybox::python
