// Sums over blocks in several processes: the bits of one process.
#include "core/ordered_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <mutex>

#include "core/shared_flag.hpp"
#include "support/thread_ranks.hpp"

namespace greybox {
namespace {

// Of many magnitudes, so that every other order of addition gives other bits.
double addend(std::size_t block, std::size_t i) {
  return std::sin(static_cast<double>(7 * block + i)) * std::pow(10.0, static_cast<double>((block * 5) % 7));
}

std::vector<double> sums_of(Communicator* others, std::size_t n_values, std::size_t n_blocks) {
  OrderedSums<double> sums(others, n_values, n_blocks + 2);
  const BlockRange own =
      others != nullptr ? share_of(others->rank(), others->size(), n_blocks) : BlockRange{0, n_blocks};
  std::vector<double> total(n_values, 0.1);
  for (int round = 0; round < 2; ++round) {
    sums.begin(total, n_blocks);
    for (std::size_t b = own.first; b < own.end; ++b) {
      const std::span<double> addends = sums.addends();
      for (std::size_t i = 0; i < n_values; ++i) addends[i] += addend(b, i);
      sums.put();
    }
    sums.finish();
  }
  return total;
}

TEST(OrderedSums, HaveTheSameBitsWhoeverHasTheBlocks) {
  for (std::size_t n_values : {1, 2, 17})
    for (std::size_t n_blocks : {1, 3, 8}) {
      const std::vector<double> expected = sums_of(nullptr, n_values, n_blocks);
      for (std::size_t n_ranks : {1, 2, 3, 5})
        ThreadRanks(n_ranks).run([&](Communicator& rank) {
          EXPECT_EQ(sums_of(&rank, n_values, n_blocks), expected)
              << n_values << " values of " << n_blocks << " blocks on rank " << rank.rank() << " of "
              << n_ranks;
        });
    }
}

TEST(OrderedSums, RefuseBlocksOfOthers) {
  ThreadRanks(1).run([&](Communicator& rank) {
    OrderedSums<float> sums(&rank, 2, 3);
    std::vector<float> total(2);
    sums.begin(total, 1);
    EXPECT_THROW(sums.finish(), std::logic_error);
    sums.put();
    EXPECT_THROW(sums.put(), std::logic_error);
  });
}

TEST(BlockRange, SharesAreWholeAndEven) {
  for (std::size_t n_ranks : {1, 2, 3, 7})
    for (std::size_t n_blocks : {0, 1, 5, 16}) {
      std::size_t next = 0;
      for (std::size_t r = 0; r < n_ranks; ++r) {
        const BlockRange share = share_of(r, n_ranks, n_blocks);
        EXPECT_EQ(share.first, next);
        EXPECT_LE(share.size(), n_blocks / n_ranks + 1);
        next = share.end;
      }
      EXPECT_EQ(next, n_blocks);
    }
}

TEST(SharedFlag, IsRaisedForAllByAny) {
  EXPECT_TRUE(SharedFlag(nullptr).is_raised(true));
  EXPECT_FALSE(SharedFlag(nullptr).is_raised(false));
  ThreadRanks(3).run([](Communicator& rank) {
    SharedFlag flag(&rank);
    EXPECT_FALSE(flag.is_raised(false));
    EXPECT_TRUE(flag.is_raised(rank.rank() == 2));
    EXPECT_FALSE(flag.is_raised(false));
  });
}

}  // namespace
}  // namespace greybox
