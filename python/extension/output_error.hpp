// Errors of one observed variable, as several results have them.
#pragma once

#include <greybox/fit.hpp>

#include "fields.hpp"

namespace greybox::python {

template <>
struct Fields<OutputError> {
  using O = OutputError;
  static constexpr auto list = std::tuple{Field{"name", &O::name}, Field{"rmse", &O::rmse},
                                          Field{"nrmse", &O::nrmse}, Field{"r2", &O::r2}};
};

}  // namespace greybox::python
