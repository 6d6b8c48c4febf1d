// How a long computation runs, reports and is stopped: the same for every function of the library.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace greybox {

// What is known at the end of an epoch. Validation values are NaN in epochs without validation.
struct EpochReport {
  // Counted from 1.
  std::size_t epoch = 0;
  std::size_t epochs = 0;
  double loss = 0, regularizer = 0;
  double validation_loss = 0, validation_regularizer = 0;
  double rate = 0;
  // Of the loss, in mode aphynity; NaN otherwise.
  double multiplier = std::numeric_limits<double>::quiet_NaN();
  double samples_per_second = 0;
  double seconds_left = 0;
};

// How far a computation has come. A function that has several stages reports one after the other.
struct ProgressReport {
  // "training", "landscape", "verdicts", …
  std::string stage;
  // What is counted: "epochs", "pairs of θ and window", "trials", …
  std::string unit;
  std::size_t n_done = 0, n_total = 0;
  // Of trainings: which one of how many, from 1, and its last epoch; null otherwise.
  std::size_t training = 0, n_trainings = 0;
  // Null too where several trainings run side by side: then epochs of all are counted together.
  const EpochReport* epoch = nullptr;
};

class Communicator;

using Progress = std::function<void(const ProgressReport&)>;

// Results do not depend on any of these.
struct Execution {
  // Of this process; 0: one per core, shared among the processes on this computer that work together.
  // Trainings, trials, chains and starts run side by side first; threads that are left work within them.
  std::size_t n_threads = 0;
  // Called on the calling thread, or by one thread at a time. What it throws ends the computation.
  Progress progress{};
  // Once true, a training ends after its step, with a checkpoint; `compare` and `reproduce` return what is
  // finished; other functions throw Interruption. May be set from another thread or a signal handler.
  const std::atomic<bool>* cancel = nullptr;
  // Processes that share the work, all of which call the same function; null: this one alone. Lives as long
  // as the call. Only rank 0 reports progress, writes files and keeps results; what others return is of no
  // use.
  Communicator* communicator = nullptr;

  bool is_cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
};

}  // namespace greybox
