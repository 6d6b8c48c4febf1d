// Every piece runs once, on any number of threads; failures come back to the caller.
#include "core/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/task_threads.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

class ThreadPoolTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ThreadPoolTest, RunsEveryPieceOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.n_threads(), GetParam());
  for (const std::size_t n_pieces : {0U, 1U, 2U, 7U, 1000U}) {
    std::vector<int> counts(n_pieces);
    pool.run(n_pieces, [&](std::size_t i) { ++counts[i]; });
    EXPECT_EQ(counts, std::vector<int>(n_pieces, 1));
  }
}

TEST_P(ThreadPoolTest, GoesBackThroughEveryShare) {
  ThreadPool pool(GetParam());
  std::vector<int> counts(100);
  pool.run(
      counts.size(), [&](std::size_t i) { ++counts[i]; }, ThreadPool::Order::back);
  EXPECT_EQ(counts, std::vector<int>(counts.size(), 1));
}

TEST(ThreadPool, OneThreadKeepsTheOrder) {
  ThreadPool pool(1);
  std::vector<std::size_t> seen;
  pool.run(3, [&](std::size_t i) { seen.push_back(i); });
  pool.run(
      3, [&](std::size_t i) { seen.push_back(i); }, ThreadPool::Order::back);
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 2, 1, 0}));
}

TEST_P(ThreadPoolTest, IsDoneWhenRunReturns) {
  ThreadPool pool(GetParam());
  // Many short runs: a worker that wakes up late must neither miss a piece nor take one of a run that is
  // over.
  for (int run = 0; run < 20000; ++run) {
    std::array<int, 3> results{};
    pool.run(results.size(), [&](std::size_t i) { results[i] = run; });
    ASSERT_EQ(results, (std::array<int, 3>{run, run, run}));
  }
}

TEST_P(ThreadPoolTest, WakesUpWorkersThatSleep) {
  ThreadPool pool(GetParam());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::atomic<std::size_t> n_started = 0;
  // Each piece waits for all others, so this ends only if every thread takes one.
  pool.run(GetParam(), [&](std::size_t) {
    ++n_started;
    while (n_started < GetParam()) std::this_thread::yield();
  });
  EXPECT_EQ(n_started, GetParam());
}

TEST_P(ThreadPoolTest, RethrowsAndGoesOn) {
  ThreadPool pool(GetParam());
  for (int repeat = 0; repeat < 100; ++repeat) {
    EXPECT_THROW(pool.run(10,
                          [](std::size_t i) {
                            if (i == 3) throw std::domain_error("three");
                          }),
                 std::domain_error);
    std::atomic<int> n_done = 0;
    pool.run(10, [&](std::size_t) { ++n_done; });
    EXPECT_EQ(n_done, 10);
  }
}

TEST_P(ThreadPoolTest, FlushesDenormalsOnEveryThread) {
#if defined(__SSE2__) || defined(__aarch64__)
  ThreadPool pool(GetParam());
  std::atomic<int> n_denormal = 0;
  pool.run(100, [&](std::size_t) {
    volatile float x = std::numeric_limits<float>::min();
    x = x / 2;
    if (x != 0) ++n_denormal;
  });
  EXPECT_EQ(n_denormal, 0);
#endif
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, testing::Values(1, 2, 5));

TEST(ThreadPool, RefusesMoreThreadsThanAnyMachineHas) {
  for (const std::size_t n_threads : {std::size_t{100'000}, std::numeric_limits<std::size_t>::max()}) {
    EXPECT_THROW(ThreadPool{n_threads}, InputError);
    EXPECT_THROW((TaskThreads{n_threads, 1, [](std::size_t, std::size_t) { return std::string(); }}),
                 InputError);
  }
}

TEST(ThreadPool, TakesAThreadPerCoreByDefault) {
  EXPECT_EQ(ThreadPool(0).n_threads(), std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace greybox
