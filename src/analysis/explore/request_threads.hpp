// The threads that answer the server's requests. The server's own ones end the program when the system gives
// no thread, or when an answer finds no memory.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/threads.hpp"

namespace greybox {

class RequestThreads : public httplib::TaskQueue {
 public:
  explicit RequestThreads(std::size_t n_threads) {
    try {
      for (std::size_t i = 0; i < n_threads; ++i) threads_.push_back(start_thread([this] { serve(); }));
    } catch (...) {
      end();
      throw;
    }
  }
  ~RequestThreads() override { end(); }
  RequestThreads(const RequestThreads&) = delete;
  RequestThreads& operator=(const RequestThreads&) = delete;

  void enqueue(std::function<void()> request) override {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(std::move(request));
    }
    has_changed_.notify_one();
  }
  void shutdown() override { end(); }

 private:
  // After what has been asked.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    has_changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void serve() {
    while (true) {
      std::unique_lock lock(mutex_);
      has_changed_.wait(lock, [&] { return is_ending_ || !requests_.empty(); });
      if (requests_.empty()) return;
      const std::function<void()> request = std::move(requests_.front());
      requests_.pop_front();
      lock.unlock();
      try {
        request();
      } catch (const std::exception&) {
        // Without an answer the page says that it has none, and asks again.
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable has_changed_;
  std::deque<std::function<void()>> requests_;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace greybox
