// Scales of a model: measured on the training data, or as its file says.
#pragma once

#include <memory>

#include "model/prepared_data.hpp"

namespace greybox {

// 1 for a name that is not there.
inline double scale_in(const std::map<std::string, double>& scales, const std::string& name) {
  const auto found = scales.find(name);
  return found != scales.end() ? found->second : 1;
}

// Whether anything in the model is to be scaled.
bool has_scales(const ModelSpec& spec);

// Of a model that was bound without scales.
Scales settle_scales(const BoundModel& model, const PreparedData& data);

std::shared_ptr<const ModelSpec> with_scales(const ModelSpec& spec, Scales scales);

}  // namespace greybox
