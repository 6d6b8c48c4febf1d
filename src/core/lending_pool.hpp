// Working memory that many share because few need it at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace greybox {

// Items that nobody uses at the moment. A thread gets the one it gave back last, if it is there: that is
// still in its cache, where an item for every borrower would push out one another.
template <class Item>
class LendingPool {
 public:
  using Make = std::function<std::unique_ptr<Item>()>;

  // `most`: how many are lent at once at most. Should they be more, the last borrowers get an item made when
  // first they need it.
  LendingPool(std::size_t most, Make make) : most_(most), make_(std::move(make)) { free_.reserve(most); }

  // Before work begins, so that lending need not allocate: one more borrower may come.
  void expect_borrower() {
    const std::lock_guard lock(mutex_);
    if (n_expected_ == most_) return;
    free_.push_back({make_(), {}});
    ++n_expected_;
  }

  // Lends an item for as long as it lives.
  class Loan {
   public:
    explicit Loan(LendingPool& pool) : pool_(&pool), item_(pool.take()) {}
    ~Loan() { pool_->give_back(std::move(item_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Item& operator*() const { return *item_; }

   private:
    LendingPool* pool_;
    std::unique_ptr<Item> item_;
  };

 private:
  struct Returned {
    std::unique_ptr<Item> item;
    std::thread::id by;  // nobody's thread when it was never lent
  };

  std::unique_ptr<Item> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return make_();
    const auto mine = std::find_if(free_.rbegin(), free_.rend(), [](const Returned& returned) {
      return returned.by == std::this_thread::get_id();
    });
    if (mine != free_.rend()) std::swap(*mine, free_.back());
    std::unique_ptr<Item> item = std::move(free_.back().item);
    free_.pop_back();
    return item;
  }
  void give_back(std::unique_ptr<Item> item) {
    const std::lock_guard lock(mutex_);
    free_.push_back({std::move(item), std::this_thread::get_id()});
  }

  std::size_t most_;
  Make make_;
  std::mutex mutex_;
  std::vector<Returned> free_;
  std::size_t n_expected_ = 0;
};

}  // namespace greybox
