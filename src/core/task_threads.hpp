// Threads of this process that whole tasks are given to, while the calling thread looks after everything
// else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace greybox {

struct FinishedTask {
  std::size_t task = 0;
  std::string result{};
  // Set when it threw.
  std::exception_ptr failure{};
};

class TaskThreads {
 public:
  using Work = std::function<std::string(std::size_t task, std::size_t n_threads)>;

  // `n_threads` for the tasks to share, at most `n_tasks` of which run at the same time.
  TaskThreads(std::size_t n_threads, std::size_t n_tasks, Work work);
  // Waits for tasks that run.
  ~TaskThreads();
  TaskThreads(const TaskThreads&) = delete;
  TaskThreads& operator=(const TaskThreads&) = delete;

  // Neither counts those that have finished but were not taken.
  bool has_room() const { return n_running_ < threads_.size(); }
  bool is_idle() const { return n_running_ == 0; }

  // `n_left` tasks, this one included, are expected to begin: it gets its share of the free threads.
  void begin(std::size_t task, std::size_t n_left);
  // Waits for one to finish, or until the time is over.
  bool wait(std::chrono::milliseconds time, FinishedTask& finished);

 private:
  struct Begun {
    std::size_t task = 0, n_threads = 0;
  };
  void serve();
  void stop();

  Work work_;
  std::size_t n_free_, n_running_ = 0;  // of the calling thread alone
  std::mutex mutex_;
  std::condition_variable has_begun_, has_finished_;
  std::deque<Begun> begun_;
  struct Ended {
    FinishedTask task;
    std::size_t n_threads = 0;
  };
  std::deque<Ended> finished_;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace greybox
