// A training in its run folder: the loop with everything around it that a user sees or keeps.
#pragma once

#include <chrono>
#include <optional>

#include "train/checkpoint.hpp"
#include "train/curves.hpp"
#include "train/run_folder.hpp"
#include "train/settings.hpp"

namespace greybox {

struct SessionOptions {
  TrainerOptions trainer;
  std::function<void(const EpochReport&)> on_epoch;
  const std::atomic<bool>* cancel = nullptr;
  std::size_t n_threads = 0;
  bool is_resumed = false;     // continue from the folder's checkpoint, if there is one
  bool may_overwrite = false;  // otherwise: clear away an earlier run
};

template <class T>
class Session {
 public:
  // `record` is run.json as it will be written. What can be refused is refused here, before the folder is
  // touched.
  Session(const LoadedModel& loaded, RunFolder& folder, Json record, SessionOptions options);

  TrainReport run();

 private:
  using Clock = std::chrono::steady_clock;

  void enter_folder();
  TrainOutcome learn(Curves& curves);
  void save(Curves& curves);
  void report(const EpochResult& result) const;
  TrainReport finish(TrainOutcome outcome);
  void write_weights() const;
  void complete_record(TrainOutcome outcome);
  std::string message(TrainOutcome outcome) const;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  LoadedModel loaded_;
  RunFolder& folder_;
  Json record_;
  SessionOptions options_;
  CheckpointIdentity identity_;
  ThreadPool pool_;
  Trainer<T> trainer_;
  Clock::time_point start_, last_save_;
  double first_epoch_ = 0, seconds_before_ = 0;  // at the start of this session
};

extern template class Session<float>;
extern template class Session<double>;

// The report of a run from its record.
TrainReport report_from(const std::filesystem::path& run, const Json& record);

}  // namespace greybox
