#include "train/batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "greybox/error.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> numbers(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> values(end - begin);
  std::iota(values.begin(), values.end(), begin);
  return values;
}

std::vector<std::size_t> windows_of_epoch(Batches& batches, std::uint64_t epoch) {
  std::vector<std::size_t> all;
  batches.begin_epoch(epoch);
  for (std::size_t step = 0; step < batches.n_steps(); ++step) {
    const Batch batch = batches.step(step);
    all.insert(all.end(), batch.windows.begin(), batch.windows.end());
  }
  return all;
}

TEST(Batches, EveryWindowOncePerEpochAndNoneDropped) {
  Batches batches(numbers(100, 123), {}, {.batch = 10, .draws = 1, .seed = 5});
  ASSERT_EQ(batches.n_steps(), 3U);
  std::vector<std::size_t> windows = windows_of_epoch(batches, 0);
  EXPECT_EQ(batches.step(2).windows.size(), 3U);  // the incomplete last one is kept
  EXPECT_NE(windows, numbers(100, 123));
  std::sort(windows.begin(), windows.end());
  EXPECT_EQ(windows, numbers(100, 123));
}

TEST(Batches, AnEpochDependsOnItsNumberAlone) {
  const BatchOptions options{.batch = 4, .draws = 1, .seed = 5};
  Batches one(numbers(0, 17), {}, options), other(numbers(0, 17), {}, options);
  const std::vector<std::size_t> first = windows_of_epoch(one, 0), second = windows_of_epoch(one, 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(windows_of_epoch(other, 1), second);
}

TEST(Batches, EachDrawIsASampleOfItsOwn) {
  Batches batches(numbers(0, 6), {}, {.batch = 3, .draws = 2, .seed = 1});
  const Batch batch = batches.step(0);
  ASSERT_EQ(batch.windows.size(), 6U);
  EXPECT_EQ(batch.ranges.n_loss, 6U);
  for (std::size_t i = 0; i < 6; i += 2) EXPECT_EQ(batch.windows[i], batch.windows[i + 1]);
}

TEST(Batches, RegularizedWindowsAreSharedOutEvenly) {
  Batches batches(numbers(0, 10), numbers(50, 57), {.batch = 4, .draws = 1, .seed = 1});
  batches.begin_epoch(2);
  std::vector<std::size_t> regularized;
  for (std::size_t step = 0; step < batches.n_steps(); ++step) {
    const Batch batch = batches.step(step);
    EXPECT_EQ(batch.ranges.n_regularizer, batch.windows.size());
    EXPECT_LE(batch.windows.size(), batches.capacity());
    const auto others = batch.windows.subspan(batch.ranges.n_loss);
    EXPECT_GE(others.size(), 2U);
    EXPECT_LE(others.size(), 3U);
    regularized.insert(regularized.end(), others.begin(), others.end());
    EXPECT_TRUE(std::all_of(batch.windows.begin(),
                            batch.windows.begin() + static_cast<std::ptrdiff_t>(batch.ranges.n_loss),
                            [](std::size_t window) { return window < 10; }));
  }
  std::sort(regularized.begin(), regularized.end());
  EXPECT_EQ(regularized, numbers(50, 57));
}

std::string refusal(std::size_t n_windows, const BatchOptions& options) {
  try {
    Batches(numbers(0, n_windows), {}, options);
  } catch (const InputError& error) {
    return error.diagnostics().front().message;
  }
  return "";
}

// batch × draws of the first wraps around to less than a batch.
TEST(Batches, RefusesStepsTooLargeToCount) {
  EXPECT_EQ(refusal(10'000, {.batch = 2049, .draws = 9'002'803'354'665'472, .seed = 0}),
            "`draws` in [train] is 9002803354665472, and may be 1000000 at most");
  EXPECT_EQ(refusal(101, {.batch = 1000, .draws = 1'000'000, .seed = 0}),
            "a step has 101 windows × 1000000 draws = 101000000 samples, and may have 100000000 at most");
  EXPECT_EQ(refusal(10, {.batch = std::numeric_limits<std::size_t>::max(), .draws = 3, .seed = 0}), "");
}

TEST(Batches, RefusesStepsThatAnEpochDoesNotHave) {
  Batches batches(numbers(0, 6), {}, {.batch = 3, .draws = 1, .seed = 1});
  EXPECT_THROW(batches.step(2), std::logic_error);
  EXPECT_THROW(Batches({}, {}, {.batch = 3, .draws = 1, .seed = 1}), std::logic_error);
}

TEST(Batches, ABatchLargerThanTheDataIsAllOfThem) {
  Batches batches(numbers(0, 3), {}, {.batch = 50, .draws = 1, .seed = 1});
  EXPECT_EQ(batches.n_steps(), 1U);
  EXPECT_EQ(batches.step(0).windows.size(), 3U);
}

}  // namespace
}  // namespace greybox
