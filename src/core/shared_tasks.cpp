#include "core/shared_tasks.hpp"

#include <algorithm>
#include <mutex>

#include "core/denormals.hpp"
#include "core/patience.hpp"
#include "core/sent_failure.hpp"
#include "core/task_threads.hpp"
#include "greybox/communicator.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

using std::chrono::milliseconds;
// How soon a cancellation is seen; and, among processes, a message.
constexpr milliseconds kLookAlone{20}, kLookAmongOthers{1};
// After a cancellation, for other processes to end what they are at.
constexpr milliseconds kPatience{10'000};

// First letters of messages. From others to the first process: a free thread asks for a task; a task's number
// and result; a failure; this process is to be cancelled; nothing runs here any more.
constexpr char kAsk = 'a', kResult = 'r', kFailure = 'f', kCancelled = 'c', kIdle = 'i';
// From the first process: a task; there are none left; tasks under way are to end; how it ended, the last
// one.
constexpr char kTask = 't', kNone = 'n', kStop = 's', kEnding = 'e';
// How it ended.
constexpr char kAllDone = 'd', kNotAllDone = 'u', kFailed = 'f';

std::string with_task(char kind, std::size_t task, const std::string& result = {}) {
  return kind + std::to_string(task) + ' ' + result;
}

struct NumberedResult {
  std::size_t task;
  std::string result;
};

NumberedResult numbered(const std::string& bytes) {
  const std::size_t end = bytes.find(' ');
  return {std::stoull(bytes.substr(1, end - 1)), bytes.substr(end + 1)};
}

// Until others have ended what they are at; nothing is left to do here.
class LastWait {
 public:
  explicit LastWait(const Execution& execution)
      : patience_(execution.communicator != nullptr ? execution.cancel : nullptr, kPatience) {}

  void look() {
    if (patience_.is_over())
      throw LostProcesses(
          "interrupted, and other processes do not answer; what is finished is kept, and the "
          "same call continues");
  }

 private:
  Patience patience_;
};

// What the calling thread of every process does while tasks run.
class TaskSharing {
 public:
  TaskSharing(const SharedTasks& tasks, const Execution& execution)
      : tasks_(tasks),
        execution_(execution),
        others_(execution.communicator),
        n_processes_(others_ != nullptr ? others_->size() : 1),
        threads_(n_threads_of(execution), (tasks.n_tasks + n_processes_ - 1) / n_processes_,
                 [this](std::size_t task, std::size_t n) { return work(task, n); }) {}
  // Tasks are still under way only when this was left by an exception.
  virtual ~TaskSharing() { stop_ = true; }
  TaskSharing(const TaskSharing&) = delete;
  TaskSharing& operator=(const TaskSharing&) = delete;

  void run() {
    bool was_cancelled = false;
    LastWait last_wait(execution_);
    while (!is_over()) {
      if (threads_.is_idle()) last_wait.look();
      begin_tasks();
      FinishedTask finished;
      if (threads_.wait(others_ != nullptr ? kLookAmongOthers : kLookAlone, finished)) take(finished);
      for (std::optional<RankMessage> message = receive(); message; message = receive()) hear(*message);
      if (!was_cancelled && execution_.is_cancelled()) {
        was_cancelled = true;
        cancel();
      }
    }
  }

 protected:
  virtual bool is_over() const = 0;
  virtual void begin_tasks() = 0;
  virtual void take(const FinishedTask& finished) = 0;
  virtual void hear(const RankMessage& message) = 0;
  virtual void cancel() = 0;

  void begin(std::size_t task) {
    threads_.begin(task, (tasks_.n_tasks - task + n_processes_ - 1) / n_processes_);
  }
  // Those who stopped because they were told to have not failed.
  bool is_failure(const FinishedTask& finished) const {
    if (!finished.failure) return false;
    if (!stop_) return true;
    try {
      std::rethrow_exception(finished.failure);
    } catch (const Interruption&) {
      return false;
    } catch (...) {
      return true;
    }
  }

  const SharedTasks& tasks_;
  const Execution& execution_;
  Communicator* others_;
  std::size_t n_processes_;
  // What tasks under way look at.
  std::atomic<bool> stop_ = false;

 private:
  std::optional<RankMessage> receive() { return others_ != nullptr ? others_->receive() : std::nullopt; }

  std::string work(std::size_t task, std::size_t n_threads) {
    Execution own{.n_threads = n_threads, .cancel = &stop_};
    if (execution_.progress && is_first(execution_))
      own.progress = [this](const ProgressReport& report) {
        const std::lock_guard lock(mutex_);
        execution_.progress(report);
      };
    return tasks_.work(task, own);
  }

  std::mutex mutex_;

 protected:
  // Last: its threads end before what they use.
  TaskThreads threads_;
};

// Hands out the tasks, to its own threads too.
class FirstSharing final : public TaskSharing {
 public:
  using TaskSharing::TaskSharing;

  bool finish() {
    run();
    std::string ending{kEnding, failure_ ? kFailed : n_kept_ < tasks_.n_tasks ? kNotAllDone : kAllDone};
    if (failure_) ending += failure_text(failure_);
    for (std::size_t r = 1; r < n_processes_; ++r) others_->send(r, ending);
    if (failure_) std::rethrow_exception(failure_);
    return n_kept_ == tasks_.n_tasks;
  }

 private:
  bool is_out_of_tasks() const { return stop_ || next_ == tasks_.n_tasks; }
  bool is_over() const override {
    return is_out_of_tasks() && threads_.is_idle() && n_idle_ + 1 == n_processes_;
  }

  void begin_tasks() override {
    while (threads_.has_room() && !is_out_of_tasks()) begin(next_++);
  }

  void take(const FinishedTask& finished) override {
    if (is_failure(finished)) return fail(finished.failure);
    if (!finished.failure) keep(finished.task, finished.result);
  }

  void keep(std::size_t task, const std::string& result) {
    try {
      if (tasks_.keep) tasks_.keep(task, result);
      ++n_kept_;
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void hear(const RankMessage& message) override {
    switch (message.bytes.front()) {
      case kAsk:
        others_->send(message.from, is_out_of_tasks() ? std::string(1, kNone) : with_task(kTask, next_++));
        break;
      case kResult: {
        const NumberedResult received = numbered(message.bytes);
        keep(received.task, received.result);
        break;
      }
      case kFailure:
        fail(failure_of(message.bytes.substr(1), message.from));
        break;
      case kCancelled:
        cancel();
        break;
      default:
        ++n_idle_;
    }
  }

  void cancel() override { stop_all(); }

  void fail(std::exception_ptr failure) {
    if (!failure_) failure_ = std::move(failure);
    stop_all();
  }

  void stop_all() {
    if (stop_.exchange(true)) return;
    for (std::size_t r = 1; r < n_processes_; ++r) others_->send(r, std::string(1, kStop));
  }

  std::size_t next_ = 0, n_kept_ = 0, n_idle_ = 0;
  std::exception_ptr failure_;
};

// Asks the first process for tasks.
class OtherSharing final : public TaskSharing {
 public:
  using TaskSharing::TaskSharing;

  bool finish() {
    run();
    others_->send(0, std::string(1, kIdle));
    // Messages that crossed the last one are of no importance any more.
    std::optional<RankMessage> ending = others_->receive();
    LastWait last_wait(execution_);
    for (; !ending || ending->bytes.front() != kEnding; ending = others_->receive()) {
      if (ending) continue;
      last_wait.look();
      std::this_thread::sleep_for(kLookAmongOthers);
    }
    if (ending->bytes[1] == kFailed) std::rethrow_exception(failure_of(ending->bytes.substr(2), 0));
    return ending->bytes[1] == kAllDone;
  }

 private:
  bool is_over() const override { return has_none_ && threads_.is_idle(); }

  void begin_tasks() override {
    if (has_none_ || is_waiting_ || !threads_.has_room()) return;
    others_->send(0, std::string(1, kAsk));
    is_waiting_ = true;
  }

  void take(const FinishedTask& finished) override {
    if (is_failure(finished))
      others_->send(0, kFailure + failure_text(finished.failure));
    else if (!finished.failure)
      others_->send(0, with_task(kResult, finished.task, finished.result));
  }

  void hear(const RankMessage& message) override {
    if (message.bytes.front() == kStop) {
      stop_ = true;
      return;
    }
    is_waiting_ = false;
    if (message.bytes.front() == kNone) has_none_ = true;
    if (message.bytes.front() == kTask) begin(numbered(message.bytes).task);
  }

  void cancel() override { others_->send(0, std::string(1, kCancelled)); }

  bool has_none_ = false, is_waiting_ = false;
};

// One after another, each with all threads.
bool run_in_order(const SharedTasks& tasks, const Execution& execution) {
  const FlushToZeroScope flush_to_zero;
  for (std::size_t task = 0; task < tasks.n_tasks; ++task) {
    if (execution.is_cancelled()) return false;
    std::string result;
    try {
      result = tasks.work(task, execution);
    } catch (const Interruption&) {
      if (execution.is_cancelled()) return false;
      throw;
    }
    if (tasks.keep) tasks.keep(task, result);
  }
  return true;
}

}  // namespace

bool share_out(const SharedTasks& tasks, const Execution& execution) {
  if (execution.communicator == nullptr && (tasks.n_tasks < 2 || n_threads_of(execution) == 1))
    return run_in_order(tasks, execution);
  return is_first(execution) ? FirstSharing(tasks, execution).finish()
                             : OtherSharing(tasks, execution).finish();
}

}  // namespace greybox
