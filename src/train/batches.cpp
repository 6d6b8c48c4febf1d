#include "train/batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/random.hpp"
#include "core/require.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

// Beyond these nobody has the memory; their products are far from the largest number.
constexpr std::size_t kMostDraws = 1'000'000, kMostSamples = 100'000'000;

void check_samples(std::size_t batch, std::size_t draws) {
  if (draws > kMostDraws)
    throw InputError(Diagnostic{
        .message = fmt::format("`draws` in [train] is {}, and may be {} at most", draws, kMostDraws),
        .help = "each draw is a sample of its own; a few per window are plenty"});
  if (batch * draws > kMostSamples)
    throw InputError(Diagnostic{
        .message = fmt::format("a step has {} windows × {} draws = {} samples, and may have {} at most",
                               batch, draws, batch * draws, kMostSamples),
        .help = "give option `batch` or `draws` in [train] a smaller value"});
}

// Fisher–Yates; positions from `offset` on are this shuffle's own.
void shuffle(std::vector<std::size_t>& order, const Random& random, std::uint64_t epoch, std::size_t offset) {
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(i, epoch, offset + i)]);
}

}  // namespace

Batches::Batches(std::vector<std::size_t> train, std::vector<std::size_t> regularized,
                 const BatchOptions& options)
    : train_(std::move(train)),
      regularized_(std::move(regularized)),
      train_order_(train_),
      other_order_(regularized_),
      options_(options) {
  require(!train_.empty() && options.batch > 0 && options.draws > 0, "there is nothing to make batches of");
  options_.batch = std::min(options_.batch, train_.size());
  check_samples(options_.batch, options_.draws);
  const std::size_t share = (regularized_.size() + n_steps() - 1) / n_steps();
  windows_.resize(options_.batch * options_.draws + share);
}

void Batches::begin_epoch(std::uint64_t epoch) {
  const Random random(options_.seed, Purpose::shuffle);
  // From the given order each time: an epoch does not depend on those before it.
  std::copy(train_.begin(), train_.end(), train_order_.begin());
  std::copy(regularized_.begin(), regularized_.end(), other_order_.begin());
  shuffle(train_order_, random, epoch, 0);
  shuffle(other_order_, random, epoch, train_.size());
}

Batch Batches::step(std::size_t step) {
  require(step < n_steps(), "an epoch has fewer steps than Batches::step is asked for");
  std::size_t n = 0;
  const std::size_t end = std::min((step + 1) * options_.batch, train_.size());
  for (std::size_t i = step * options_.batch; i < end; ++i)
    for (std::size_t draw = 0; draw < options_.draws; ++draw) windows_[n++] = train_order_[i];
  const std::size_t n_loss = n;
  const std::size_t others_end = (step + 1) * regularized_.size() / n_steps();
  for (std::size_t i = step * regularized_.size() / n_steps(); i < others_end; ++i)
    windows_[n++] = other_order_[i];
  return {std::span(windows_).first(n), {.n_loss = n_loss, .n_regularizer = n}};
}

}  // namespace greybox
