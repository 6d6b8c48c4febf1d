// Values of θ that a person marked: kept in RUN/pins.json, and in memory for a run that has no folder.
#pragma once

#include <string>
#include <vector>

#include "data/json_file.hpp"
#include "greybox/run.hpp"

namespace greybox {

struct Pin {
  // A, B or C.
  std::string name;
  Theta theta;
};

// From a list of {"name", "theta"}. Throws InputError for other names, a name twice, and θ that the model
// does not have.
std::vector<Pin> pins_from(const JsonValue& json, const Run& run);
Json json_of(const std::vector<Pin>& pins);

// None where the file is missing, or is something else.
std::vector<Pin> kept_pins(const Run& run);
// A warning where the folder cannot be written, and else nothing.
std::string keep_pins(const Run& run, const std::vector<Pin>& pins);

}  // namespace greybox
