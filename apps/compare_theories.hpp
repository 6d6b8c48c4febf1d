// greybox compare with several models: theories side by side instead of ways to learn one.
#pragma once

#include <filesystem>
#include <greybox/theories.hpp>
#include <string>
#include <vector>

#include "picture_options.hpp"

namespace greybox::apps {

struct TheoriesArguments {
  // Model files, which are trained, and run folders, which are.
  std::vector<std::filesystem::path> theories;
  std::filesystem::path data, folder;
  TheoriesOptions options;
  TheoryTraining training;
  PictureArguments picture;
  std::size_t n_threads = 0;
  bool json = false;
};

void compare_theories_of(const TheoriesArguments& arguments);

}  // namespace greybox::apps
