// Workers spin for a moment, then sleep; a run waits only for workers that have joined it, so one that is
// slow to wake up never holds up the others.
#include "core/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "core/denormals.hpp"
#include "core/threads.hpp"

namespace greybox {
namespace {

// Neighbouring cache lines are fetched in pairs: two lines keep hot counters from disturbing each other.
constexpr std::size_t kCounterAlignment = 128;
// Some tens of microseconds: longer than the serial stretches between the parallel phases of a training step.
constexpr int kSpins = 1000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns when the counter no longer has the value `old`.
void wait_for_change(const std::atomic<std::uint32_t>& counter, std::uint32_t old) {
  for (int i = 0; i < kSpins; ++i) {
    if (counter.load(std::memory_order_acquire) != old) return;
    pause();
  }
  counter.wait(old, std::memory_order_acquire);
}

}  // namespace

struct ThreadPool::Shared {
  // One thread's pieces, [first, end), of which some have been taken.
  struct alignas(kCounterAlignment) Share {
    std::size_t first = 0, end = 0;
    std::atomic<std::size_t> n_taken = 0;
  };

  explicit Shared(std::size_t n_threads) : shares(n_threads) {}

  // One more for every run: the wake-up call.
  alignas(kCounterAlignment) std::atomic<std::uint32_t> generation = 0;
  // Workers inside the current run.
  alignas(kCounterAlignment) std::atomic<std::uint32_t> n_joined = 0;
  // Workers read what follows only while the run is open and after having joined it.
  alignas(kCounterAlignment) std::atomic<bool> is_open = false;
  std::atomic<bool> is_stopping = false;
  std::atomic<bool> has_failed = false;
  std::exception_ptr failure;
  std::vector<Share> shares;  // the first is the calling thread's
  Order order = Order::onward;
  const std::function<void(std::size_t)>* work = nullptr;
  std::vector<std::thread> workers;

  void open(std::size_t n_pieces, const std::function<void(std::size_t)>& piece_work, Order piece_order) {
    order = piece_order;
    work = &piece_work;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i].first = i * n_pieces / shares.size();
      shares[i].end = (i + 1) * n_pieces / shares.size();
      shares[i].n_taken.store(0, std::memory_order_relaxed);
    }
    is_open = true;
    ++generation;
    generation.notify_all();
  }

  // Either a worker sees that the run is closed, or this sees that the worker has joined: both are
  // sequentially consistent, in opposite orders.
  void close() {
    is_open = false;
    for (std::uint32_t n = n_joined; n != 0; n = n_joined) wait_for_change(n_joined, n);
  }

  void join_run(std::size_t thread) {
    ++n_joined;
    if (is_open) take_pieces(thread);
    --n_joined;
    n_joined.notify_one();
  }

  // Those of the thread's own share, then what is left of the others'.
  void take_pieces(std::size_t thread) {
    try {
      for (std::size_t i = 0; i < shares.size(); ++i) take_pieces_of(shares[(thread + i) % shares.size()]);
    } catch (...) {
      for (Share& share : shares) share.n_taken = share.end;  // no further pieces are handed out
      if (!has_failed.exchange(true)) failure = std::current_exception();
    }
  }

  void take_pieces_of(Share& share) {
    const std::size_t size = share.end - share.first;
    for (std::size_t i = share.n_taken++; i < size; i = share.n_taken++)
      (*work)(order == Order::onward ? share.first + i : share.end - 1 - i);
  }

  void rethrow_failure() {
    if (!has_failed.exchange(false)) return;
    std::rethrow_exception(std::exchange(failure, nullptr));
  }

  void serve(std::size_t thread) {
    set_flush_to_zero();
    for (std::uint32_t seen = 0;;) {
      wait_for_change(generation, seen);
      seen = generation;
      if (is_stopping) return;
      join_run(thread);
    }
  }

  ~Shared() {
    is_stopping = true;
    ++generation;
    generation.notify_all();
    for (std::thread& worker : workers) worker.join();
  }
};

ThreadPool::ThreadPool(std::size_t n_threads, Communicator* others) : others_(others) {
  if (n_threads == 0) n_threads = std::max(1U, std::thread::hardware_concurrency());
  check_threads(n_threads);
  shared_ = std::make_unique<Shared>(n_threads);
  shared_->workers.reserve(n_threads - 1);
  for (std::size_t i = 1; i < n_threads; ++i) {
    shared_->workers.push_back(start_thread([shared = shared_.get(), i] { shared->serve(i); }));
  }
}

ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::n_threads() const {
  return shared_->workers.size() + 1;
}

void ThreadPool::run(std::size_t n_pieces, const std::function<void(std::size_t)>& work, Order order) {
  // As in the workers, so that a result does not depend on which thread made it.
  const FlushToZeroScope flush_to_zero;
  if (n_pieces <= 1 || shared_->workers.empty()) {
    for (std::size_t i = 0; i < n_pieces; ++i) work(order == Order::onward ? i : n_pieces - 1 - i);
    return;
  }
  shared_->open(n_pieces, work, order);
  shared_->take_pieces(0);
  shared_->close();
  shared_->rethrow_failure();
}

}  // namespace greybox
