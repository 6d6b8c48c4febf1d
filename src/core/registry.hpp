// What a program can be extended by: items that are there from the start, and more that are added before use.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace greybox {

// Items keep their addresses. The first reading closes the registry, because tables are derived from it once.
template <class Item>
class Registry {
 public:
  explicit Registry(std::deque<Item> built_in) : items_(std::move(built_in)) {}

  // `check(items)` throws when the new item does not go with those that are there. Returns its position;
  // throws std::logic_error after the first reading.
  template <class Check>
  std::size_t add(Item item, Check&& check) {
    const std::scoped_lock lock(mutex_);
    if (is_closed_) throw std::logic_error("extensions must be registered before the first model is read");
    check(std::as_const(items_));
    items_.push_back(std::move(item));
    return items_.size() - 1;
  }

  const std::deque<Item>& items() {
    if (!is_closed_.load(std::memory_order_acquire)) {
      const std::scoped_lock lock(mutex_);
      is_closed_.store(true, std::memory_order_release);
    }
    return items_;
  }

 private:
  std::deque<Item> items_;
  std::mutex mutex_;
  std::atomic<bool> is_closed_ = false;
};

}  // namespace greybox
