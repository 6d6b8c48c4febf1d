// Trainings of the toy in run folders of a scratch folder.
#pragma once

#include <atomic>
#include <map>

#include "train/run_record.hpp"
#include "train/toy.hpp"

namespace greybox::test {

inline constexpr const char* kTrain =
    "regularizer = \"centred\"\nlambda = 0.01\nepochs = 5\nbatch = 5\nvalidate_every = 2";

class ToyTraining : public ToyFolder {
 protected:
  ToyTraining() { model(kTrain); }

  TrainOptions options(const std::string& run) const {
    TrainOptions result;
    result.folder = path(run);
    result.execution.n_threads = 1;
    return result;
  }

  // With model.toml and data.csv as they are now.
  Run train_toy(const TrainOptions& request) const { return train(Model::read(path("model.toml")), request); }

  // Interrupts after an epoch.
  Run interrupt(TrainOptions request, std::size_t epoch) const {
    return interrupt(Model::read(path("model.toml")).read_table(), std::move(request), epoch);
  }
  Run interrupt(const Table& table, TrainOptions request, std::size_t epoch) const {
    std::atomic<bool> cancel = false;
    request.execution.cancel = &cancel;
    request.execution.progress = [&](const ProgressReport& report) { cancel = report.epoch->epoch == epoch; };
    return train(Model::read(path("model.toml")), table, request);
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
    expect_refused([&] { train_toy(request); }, file, "", message);
    EXPECT_EQ(contents(run), before);
  }
};

}  // namespace greybox::test
