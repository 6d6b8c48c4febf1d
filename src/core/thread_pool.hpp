// A fixed set of threads that share out numbered pieces of work.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace greybox {

// Which thread runs a piece is left open, so pieces must not depend on each other; results are then the same
// for any number of threads.
class ThreadPool {
 public:
  // `n_threads` includes the calling thread; 0 means one per core.
  explicit ThreadPool(std::size_t n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t n_threads() const;

  // Calls work(0) … work(n_pieces - 1) and returns when all are done; an exception from a piece is rethrown
  // here. Does not allocate. Not to be called from inside a piece.
  void run(std::size_t n_pieces, const std::function<void(std::size_t)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace greybox
