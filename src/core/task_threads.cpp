#include "core/task_threads.hpp"

#include <algorithm>

#include "core/denormals.hpp"
#include "core/threads.hpp"

namespace greybox {

TaskThreads::TaskThreads(std::size_t n_threads, std::size_t n_tasks, Work work)
    : work_(std::move(work)), n_free_(n_threads) {
  check_threads(n_threads);
  const std::size_t n_side = std::max<std::size_t>(std::min(n_threads, n_tasks), 1);
  threads_.reserve(n_side);
  try {
    for (std::size_t i = 0; i < n_side; ++i) threads_.push_back(start_thread([this] { serve(); }));
  } catch (...) {
    stop();
    throw;
  }
}

TaskThreads::~TaskThreads() {
  stop();
}

void TaskThreads::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  has_begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TaskThreads::begin(std::size_t task, std::size_t n_left) {
  const std::size_t n_to_come = std::clamp<std::size_t>(n_left, 1, threads_.size() - n_running_);
  const std::size_t n_threads = std::max<std::size_t>(n_free_ / n_to_come, 1);
  n_free_ -= std::min(n_free_, n_threads);
  ++n_running_;
  {
    const std::lock_guard lock(mutex_);
    begun_.push_back({task, n_threads});
  }
  has_begun_.notify_one();
}

bool TaskThreads::wait(std::chrono::milliseconds time, FinishedTask& finished) {
  std::unique_lock lock(mutex_);
  if (!has_finished_.wait_for(lock, time, [&] { return !finished_.empty(); })) return false;
  finished = std::move(finished_.front().task);
  n_free_ += finished_.front().n_threads;
  finished_.pop_front();
  --n_running_;
  return true;
}

void TaskThreads::serve() {
  set_flush_to_zero();
  while (true) {
    std::unique_lock lock(mutex_);
    has_begun_.wait(lock, [&] { return is_stopping_ || !begun_.empty(); });
    if (begun_.empty()) return;
    const Begun begun = begun_.front();
    begun_.pop_front();
    lock.unlock();
    FinishedTask finished{.task = begun.task};
    try {
      finished.result = work_(begun.task, begun.n_threads);
    } catch (...) {
      finished.failure = std::current_exception();
    }
    lock.lock();
    finished_.push_back({std::move(finished), begun.n_threads});
    lock.unlock();
    has_finished_.notify_one();
  }
}

}  // namespace greybox
