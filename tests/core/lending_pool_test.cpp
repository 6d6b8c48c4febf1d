// What is lent comes back, and the last one back goes out first.
#include "core/lending_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "core/thread_pool.hpp"

namespace greybox {
namespace {

class LendingPoolTest : public testing::Test {
 protected:
  using Pool = LendingPool<int>;

  int n_made = 0;
  Pool pool{2, [this] { return std::make_unique<int>(n_made++); }};
};

TEST_F(LendingPoolTest, MakesNoMoreInAdvanceThanCanBeLentAtOnce) {
  for (int borrower = 0; borrower < 5; ++borrower) pool.expect_borrower();
  EXPECT_EQ(n_made, 2);
}

TEST_F(LendingPoolTest, LendsFirstWhatCameBackLast) {
  pool.expect_borrower();
  pool.expect_borrower();
  const Pool::Loan one(pool);
  int last = -1;
  {
    const Pool::Loan two(pool);
    last = *two;
    EXPECT_NE(*one, *two);
  }
  EXPECT_EQ(*Pool::Loan(pool), last);
  EXPECT_EQ(n_made, 2);
}

TEST_F(LendingPoolTest, LendsAThreadWhatItHadBefore) {
  std::promise<void> is_taken, may_return;
  auto own = std::make_unique<Pool::Loan>(pool);
  const int mine = **own;
  std::thread other([&] {
    const Pool::Loan held(pool);
    is_taken.set_value();
    may_return.get_future().wait();
  });
  is_taken.get_future().wait();
  own.reset();
  may_return.set_value();
  other.join();  // its item came back last
  EXPECT_EQ(*Pool::Loan(pool), mine);
}

TEST_F(LendingPoolTest, MakesMoreWhenItHasNoneLeft) {
  const Pool::Loan one(pool), two(pool), three(pool);
  EXPECT_EQ((std::set<int>{*one, *two, *three}), (std::set<int>{0, 1, 2}));
}

TEST(LendingPool, NeverLendsAnItemTwice) {
  LendingPool<int> pool(4, [] { return std::make_unique<int>(0); });
  ThreadPool threads(4);
  std::atomic<int> n_shared = 0;
  threads.run(10000, [&](std::size_t) {
    const LendingPool<int>::Loan loan(pool);
    n_shared += (*loan)++ != 0;
    --*loan;
  });
  EXPECT_EQ(n_shared, 0);
}

}  // namespace
}  // namespace greybox
