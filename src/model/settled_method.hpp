// The solver of a model that leaves the choice to its theory and data: `method = "auto"`, or no [solver] at
// all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/prepared_data.hpp"

namespace greybox {

inline constexpr const char* kMethodForNonStiff = "tsit5";
inline constexpr const char* kMethodForStiff = "kvaerno5";

// Solves the theory alone with both methods over the prior, on some training windows, and takes the one with
// less work. A pure function of model and data.
std::shared_ptr<const ModelSpec> settle_method(const std::shared_ptr<const ModelSpec>& spec,
                                               const std::vector<std::string>& columns,
                                               const PreparedData& data);

// Where the file has no [solver]: its default, unless that loses or misses trajectories of the theory over
// the prior; then as settle_method.
std::shared_ptr<const ModelSpec> settle_unstated_method(const std::shared_ptr<const ModelSpec>& spec,
                                                        const std::vector<std::string>& columns,
                                                        const PreparedData& data);

// The same with a method that was chosen before; as it is where the file names one. An empty name leaves the
// choice of `auto` open; without [solver] it is the default.
std::shared_ptr<const ModelSpec> with_method(std::shared_ptr<const ModelSpec> spec, const std::string& name);

}  // namespace greybox
