// The examples inside the library are those in the folder.
#include "greybox/example_models.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/paths.hpp"

namespace greybox {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(ExampleModels, AreTheFilesOfTheExamples) {
  for (const std::string name : {"toy", "pendulum", "reaction-diffusion", "predator-prey"})
    EXPECT_EQ(example_model(name),
              text_of(std::filesystem::path(kSourceFolder) / "examples" / (name + ".toml")));
}

TEST(ExampleModels, RefuseAnUnknownName) {
  EXPECT_THROW(example_model("tyo"), std::out_of_range);
}

}  // namespace
}  // namespace greybox
