// Which of a page's requests are the newest of their kind: older ones need no answer any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace greybox {

class Newest {
 public:
  // One request: asks whether a newer one came since.
  class Ticket {
   public:
    bool is_superseded() const { return newest_ && newest_->load(std::memory_order_relaxed) > number_; }

   private:
    friend class Newest;
    std::shared_ptr<std::atomic<std::uint64_t>> newest_;
    std::uint64_t number_ = 0;
  };

  // `who` is a page and a kind of request; its numbers grow.
  Ticket take(const std::string& who, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    Ticket ticket;
    ticket.number_ = number;
    ticket.newest_ = counter_of(who);
    if (ticket.newest_->load() < number) ticket.newest_->store(number);
    return ticket;
  }

 private:
  using Counter = std::shared_ptr<std::atomic<std::uint64_t>>;

  // The last used stand first; the oldest are forgotten.
  Counter counter_of(const std::string& who) {
    for (auto one = known_.begin(); one != known_.end(); ++one)
      if (one->first == who) {
        known_.splice(known_.begin(), known_, one);
        return one->second;
      }
    known_.emplace_front(who, std::make_shared<std::atomic<std::uint64_t>>(0));
    if (known_.size() > kMost) known_.pop_back();
    return known_.front().second;
  }

  static constexpr std::size_t kMost = 256;
  std::mutex mutex_;
  std::list<std::pair<std::string, Counter>> known_;
};

}  // namespace greybox
