// Trainings of the toy in run folders of a scratch folder.
#pragma once

#include <map>

#include "train/toy.hpp"

namespace greybox::test {

inline constexpr const char* kTrain =
    "regularizer = \"centred\"\nlambda = 0.01\nepochs = 5\nbatch = 5\nvalidate_every = 2";

class ToyTraining : public ToyFolder {
 protected:
  ToyTraining() { model(kTrain); }

  TrainOptions options(const std::string& run) const {
    TrainOptions result;
    result.model = path("model.toml");
    result.run = path(run);
    result.n_threads = 1;
    return result;
  }

  // Interrupts after an epoch.
  TrainReport interrupt(TrainOptions request, std::size_t epoch) const {
    std::atomic<bool> cancel = false;
    request.cancel = &cancel;
    request.on_epoch = [&](const EpochReport& report) { cancel = report.epoch == epoch; };
    return train(request);
  }

  // Every file of a folder with its content.
  std::map<std::string, std::string> contents(const std::string& run) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path(run)))
      files[entry.path().filename().string()] = bytes_of(entry.path());
    return files;
  }

  // A refusal that leaves the folder as it was.
  void expect_untouched(const std::string& run, const TrainOptions& request,
                        const std::filesystem::path& file, const std::string& message) const {
    const auto before = contents(run);
    expect_refused([&] { train(request); }, file, "", message);
    EXPECT_EQ(contents(run), before);
  }
};

}  // namespace greybox::test
