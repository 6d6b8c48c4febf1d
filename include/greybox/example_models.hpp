// The model files of the examples, for a program that was installed without them.
#pragma once

#include <string_view>

namespace greybox {

// The text of examples/NAME.toml for toy, pendulum, reaction-diffusion and predator-prey; throws
// std::out_of_range for another name.
std::string_view example_model(std::string_view name);

}  // namespace greybox
