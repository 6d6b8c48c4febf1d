#include "core/shared_tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "core/packed_values.hpp"
#include "core/refuse.hpp"
#include "support/thread_ranks.hpp"

namespace greybox {
namespace {

// Until it is told to end; fails a test that waits in vain.
void wait_for_end(const Execution& own) {
  for (int i = 0; i < 20'000 && !own.is_cancelled(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(own.is_cancelled());
}

TEST(SharedTasks, RunSideBySideFirstAndThenWithin) {
  // [threads][tasks]: threads of each task when all begin together
  const std::vector<std::tuple<std::size_t, std::size_t, std::multiset<std::size_t>>> cases = {
      {4, 4, {1, 1, 1, 1}}, {4, 2, {2, 2}}, {5, 2, {2, 3}}, {8, 3, {2, 3, 3}}, {3, 1, {3}}};
  for (const auto& [n_threads, n_tasks, expected] : cases) {
    std::mutex mutex;
    std::multiset<std::size_t> seen;
    std::atomic<std::size_t> n_begun = 0;
    const auto work = [&, n = n_tasks](std::size_t, const Execution& own) {
      ++n_begun;
      while (n_begun < n) std::this_thread::yield();
      const std::lock_guard lock(mutex);
      seen.insert(own.n_threads);
      return std::string();
    };
    EXPECT_TRUE(share_out({.n_tasks = n_tasks, .work = work}, {.n_threads = n_threads}));
    EXPECT_EQ(seen, expected) << n_tasks << " tasks on " << n_threads << " threads";
  }
}

TEST(SharedTasks, AreDoneOnceWhateverTheThreadsAndRanks) {
  constexpr std::size_t kTasks = 23;
  const auto squares = [&](Communicator* others, std::size_t n_threads) {
    std::map<std::size_t, std::string> kept;
    const bool is_done = share_out(
        {.n_tasks = kTasks,
         .work = [](std::size_t task, const Execution&) { return std::to_string(task * task); },
         .keep = [&](std::size_t task,
                     const std::string& result) { EXPECT_TRUE(kept.emplace(task, result).second); }},
        {.n_threads = n_threads, .communicator = others});
    EXPECT_TRUE(is_done);
    return kept;
  };
  const auto expected = squares(nullptr, 1);
  EXPECT_EQ(expected.size(), kTasks);
  for (std::size_t n_threads : {2, 3, 4}) EXPECT_EQ(squares(nullptr, n_threads), expected);
  for (std::size_t n_ranks : {1, 2, 3, 5})
    for (std::size_t n_threads : {1, 2})
      ThreadRanks(n_ranks).run([&](Communicator& rank) {
        const auto kept = squares(&rank, n_threads);
        EXPECT_EQ(kept.size(), rank.rank() == 0 ? kTasks : 0);
        if (rank.rank() == 0) {
          EXPECT_EQ(kept, expected);
        }
      });
}

TEST(SharedTasks, AllRanksGetWork) {
  std::mutex mutex;
  std::set<std::thread::id> workers;
  ThreadRanks(3).run([&](Communicator& rank) {
    share_out({.n_tasks = 12,
               .work =
                   [&](std::size_t, const Execution&) {
                     std::this_thread::sleep_for(std::chrono::milliseconds(5));
                     const std::lock_guard lock(mutex);
                     workers.insert(std::this_thread::get_id());
                     return std::string();
                   }},
              {.n_threads = 1, .communicator = &rank});
  });
  EXPECT_EQ(workers.size(), 3U);
}

TEST(SharedTasks, AFailureEndsTheOthersAndIsThrownAsItIs) {
  const auto work = [](std::size_t task, const Execution& own) -> std::string {
    if (task == 1) throw std::system_error(ENOSPC, std::generic_category(), "cannot write `x`");
    wait_for_end(own);
    return {};
  };
  EXPECT_THROW(share_out({.n_tasks = 5, .work = work}, {.n_threads = 3}), std::system_error);
}

TEST(SharedTasks, AFailureInOneRankIsThrownInAll) {
  std::atomic<int> n_thrown = 0;
  ThreadRanks(3).run([&](Communicator& rank) {
    const auto work = [&](std::size_t, const Execution& own) -> std::string {
      if (rank.rank() == 2) refuse("here.csv", "it is wrong", "make it right");
      wait_for_end(own);
      throw Interruption("told to end");
    };
    try {
      share_out({.n_tasks = 9, .work = work}, {.n_threads = 1, .communicator = &rank});
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "here.csv: error: it is wrong\n  help: make it right");
      ++n_thrown;
    }
  });
  EXPECT_EQ(n_thrown, 3);
}

TEST(SharedTasks, OtherFailuresSayWhichRankFailed) {
  std::mutex mutex;
  std::multiset<std::string> messages;
  ThreadRanks(2).run([&](Communicator& rank) {
    const auto work = [&](std::size_t, const Execution& own) -> std::string {
      if (rank.rank() == 1) throw std::runtime_error("the disk is full");
      wait_for_end(own);
      throw Interruption("told to end");
    };
    try {
      share_out({.n_tasks = 4, .work = work}, {.n_threads = 1, .communicator = &rank});
    } catch (const std::runtime_error& error) {
      const std::lock_guard lock(mutex);
      messages.insert(error.what());
    }
  });
  EXPECT_EQ(messages,
            (std::multiset<std::string>{"on rank 1: the disk is full", "on rank 1: the disk is full"}));
}

TEST(SharedTasks, CancellationInAnyRankEndsAllAndTheNextSharingIsWhole) {
  std::atomic<bool> cancel = false;
  std::atomic<int> n_ended = 0, n_whole = 0;
  ThreadRanks(3).run([&](Communicator& rank) {
    const auto work = [&](std::size_t, const Execution& own) -> std::string {
      if (rank.rank() == 1) cancel = true;
      wait_for_end(own);
      throw Interruption("told to end");
    };
    const Execution execution{
        .n_threads = 1, .cancel = rank.rank() == 1 ? &cancel : nullptr, .communicator = &rank};
    if (!share_out({.n_tasks = 9, .work = work}, execution)) ++n_ended;
    const auto quick = [](std::size_t, const Execution&) { return std::string("done"); };
    if (share_out({.n_tasks = 9, .work = quick}, {.n_threads = 1, .communicator = &rank})) ++n_whole;
  });
  EXPECT_EQ(n_ended, 3);
  EXPECT_EQ(n_whole, 3);
}

TEST(SharedTasks, WhatIsCancelledKeepsWhatWasReturned) {
  std::atomic<bool> cancel = false;
  std::vector<std::size_t> kept;
  const auto work = [&](std::size_t task, const Execution& own) -> std::string {
    cancel = true;
    wait_for_end(own);
    if (task == 0) return "half";
    throw Interruption("dropped");
  };
  EXPECT_FALSE(share_out({.n_tasks = 4,
                          .work = work,
                          .keep = [&](std::size_t task, const std::string&) { kept.push_back(task); }},
                         {.n_threads = 2, .cancel = &cancel}));
  EXPECT_EQ(kept, std::vector<std::size_t>{0});
}

TEST(SharedTasks, TheFirstRankMakesForAll) {
  ThreadRanks(3).run([](Communicator& rank) {
    const Execution execution{.communicator = &rank};
    EXPECT_EQ(in_all(execution, [&] { return "made by " + std::to_string(rank.rank()); }), "made by 0");
    EXPECT_THROW(in_all(execution, []() -> std::string { throw Interruption("ended"); }), Interruption);
  });
}

TEST(PackedValues, ComeBackExactly) {
  const double value = 0.1 + 0.2;
  const std::string bytes =
      PackedValues().put(value).put(std::string("näme")).put(std::vector<double>{1e-310, -0.0}).take();
  UnpackedValues values(bytes);
  EXPECT_EQ(values.get<double>(), value);
  EXPECT_EQ(values.get<std::string>(), "näme");
  const std::vector<double> numbers = values.get_all<double>();
  EXPECT_EQ(numbers[0], 1e-310);
  EXPECT_TRUE(std::signbit(numbers[1]));
  EXPECT_THROW(values.get<double>(), std::logic_error);
}

}  // namespace
}  // namespace greybox
