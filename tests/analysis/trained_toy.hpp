// A run of the toy example, trained adaptively into a scratch folder.
#pragma once

#include "train/toy.hpp"

namespace greybox::test {

class TrainedToy : public ToyFolder {
 protected:
  // In path("run").
  Run trained(const std::string& settings = "epochs = 300\nbatch = 10\nrate = [1e-2, 1e-4]",
              const std::string& parameters = kToyParameters) {
    return trained_as(model(settings, parameters));
  }
  Run trained_as(const std::filesystem::path& model_file, bool overwrite = false) {
    return train(Model::read(model_file),
                 {.folder = path("run"), .overwrite = overwrite, .execution = {.n_threads = 1}});
  }

  // What is said when the user is wrong; empty when nothing is refused.
  template <class F>
  static std::string refusal(F&& action) {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

}  // namespace greybox::test
