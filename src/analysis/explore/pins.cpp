#include "analysis/explore/pins.hpp"

#include <fmt/format.h>

#include <array>

#include "core/atomic_file.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

constexpr std::array kPinNames = {"A", "B", "C"};

std::filesystem::path pin_file(const Run& run) {
  return run.folder() / "pins.json";
}

}  // namespace

std::vector<Pin> pins_from(const JsonValue& json, const Run& run) {
  std::vector<Pin> pins;
  for (const JsonValue& one : json.elements()) {
    Pin pin{one.at("name").text(), one.at("theta").numbers_by_name()};
    if (std::find(kPinNames.begin(), kPinNames.end(), pin.name) == kPinNames.end())
      one.at("name").refuse("A, B or C");
    for (const Pin& other : pins)
      if (other.name == pin.name) one.at("name").refuse("a name that no other pin has");
    theta_from(*run.model().spec(), pin.theta);  // throws
    pins.push_back(std::move(pin));
  }
  return pins;
}

Json json_of(const std::vector<Pin>& pins) {
  Json json = Json::array();
  for (const Pin& pin : pins) json.push_back({{"name", pin.name}, {"theta", pin.theta}});
  return json;
}

std::vector<Pin> kept_pins(const Run& run) {
  if (run.folder().empty()) return {};
  try {
    const std::optional<Json> json = read_json_file(pin_file(run));
    return json ? pins_from(JsonValue(*json, pin_file(run).string()), run) : std::vector<Pin>{};
  } catch (const InputError&) {
    return {};
  }
}

std::string keep_pins(const Run& run, const std::vector<Pin>& pins) {
  if (run.folder().empty()) return {};
  try {
    write_file_atomically(pin_file(run), json_of(pins).dump(2) + '\n');
    return {};
  } catch (const std::runtime_error& error) {
    return fmt::format("the pins could not be kept: {}", error.what());
  }
}

}  // namespace greybox
