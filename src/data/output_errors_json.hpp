// Errors of observed variables as JSON: {"prey": {"rmse": …, "nrmse": …, "r2": …}, …}.
#pragma once

#include <vector>

#include "data/json_file.hpp"
#include "greybox/fit.hpp"

namespace greybox {

inline Json json_of(const std::vector<OutputError>& outputs) {
  Json json = Json::object();
  for (const OutputError& output : outputs)
    json[output.name] = {{"rmse", output.rmse}, {"nrmse", output.nrmse}, {"r2", output.r2}};
  return json;
}

}  // namespace greybox
