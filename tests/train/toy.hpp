// A small model and its data, written to a scratch folder: y = sin(x) + cos(x) with a little noise.
#pragma once

#include <cmath>
#include <string>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"

namespace greybox::test {

inline constexpr const char* kToyParameters = R"(
a = { prior = "uniform", low = 0, high = 2 }
c = { prior = "uniform", low = "-pi", high = "pi" }
)";

inline std::string toy_model(const std::string& train, const std::string& parameters = kToyParameters) {
  return R"toml(name = "toy"
scale = "none"
[data]
file  = "data.csv"
split = { train = 0.4, validation = 0.3, test = 0.3, by = "window" }
[parameters]
)toml" + parameters +
         R"toml(
[theory]
y = "a * sin(x + c)"
[network.fD]
inputs  = ["x", "a", "c", "theory.y"]
hidden  = [16, 16]
outputs = ["y"]
[regularizers]
normD   = "mean(norm2(network))"
centred = "abs(mean(dot(theory, network))) + c^2"
[train]
)toml" + train +
         "\n";
}

inline std::string toy_data(int n_rows = 60) {
  std::string text = "x,y\n";
  for (int i = 0; i < n_rows; ++i) {
    const double x = 6.0 * i / n_rows - 3;
    text +=
        std::to_string(x) + ',' + std::to_string(std::sin(x) + std::cos(x) + 0.1 * std::sin(77.0 * i)) + '\n';
  }
  return text;
}

class ToyFolder : public ScratchFolder {
 protected:
  ToyFolder() { write("data.csv", toy_data()); }

  std::filesystem::path model(const std::string& train,
                              const std::string& parameters = kToyParameters) const {
    return write("model.toml", toy_model(train, parameters));
  }
};

}  // namespace greybox::test
