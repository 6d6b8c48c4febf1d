// Fixtures made by PyTorch (tests/fixtures/make_fixtures.py): a model, data, weights and what PyTorch says
// about them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "data/npz.hpp"
#include "model/loaded_model.hpp"
#include "model/network_set.hpp"
#include "model/weights.hpp"
#include "support/paths.hpp"

namespace greybox::test {

struct Fixture {
  explicit Fixture(const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(kSourceFolder) / "tests/fixtures" / name;
    loaded = load_model(folder / "model.toml");
    weights = read_weights(folder / "weights.npz", NetworkSet<double>(*loaded.model).tensors());
    for (auto& [key, array] : read_npz(folder / "expected.npz")) expected[key] = array.to_doubles();
  }

  LoadedModel loaded;
  std::vector<double> weights;
  std::map<std::string, std::vector<double>> expected;  // by full name, flat
};

// Agreement within `tolerance` of the largest expected value (entries near zero carry the rounding of the
// others).
template <class Values>
void expect_close(const std::string& what, const Values& actual, const std::vector<double>& expected,
                  double tolerance, double floor = 1e-12) {
  ASSERT_EQ(std::size(actual), expected.size()) << what;
  double scale = floor;
  for (double value : expected) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(static_cast<double>(actual[i]), expected[i], tolerance * scale) << what << ", entry " << i;
}

}  // namespace greybox::test
