// A fixed set of threads that share out numbered pieces of work, and the processes that do so with others.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace greybox {

class Communicator;

// Every thread has a share of neighbouring pieces, the same one in every run of as many, so that what it
// works on stays in its cache; when it is done it helps the others. So which thread runs a piece is left
// open, and pieces must not depend on each other; results are then the same for any number of threads.
class ThreadPool {
 public:
  // How threads go through their shares. A run that goes back begins with what the last one left in the
  // cache.
  enum class Order { onward, back };

  // `n_threads` includes the calling thread; 0 means one per core. `others`: processes that do the same work
  // together, step by step; engines share the blocks of a batch with them.
  explicit ThreadPool(std::size_t n_threads, Communicator* others = nullptr);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t n_threads() const;
  // Null: this process alone.
  Communicator* others() const { return others_; }

  // Calls work(0) … work(n_pieces - 1) and returns when all are done; an exception from a piece is rethrown
  // here. Does not allocate. Not to be called from inside a piece.
  void run(std::size_t n_pieces, const std::function<void(std::size_t)>& work, Order order = Order::onward);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
  Communicator* others_;
};

}  // namespace greybox
