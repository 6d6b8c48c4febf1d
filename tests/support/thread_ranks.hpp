// Ranks that are threads of this process: what is shared among processes, tested without starting any.
#pragma once

#include <barrier>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "greybox/communicator.hpp"

namespace greybox {

class ThreadRanks {
 public:
  explicit ThreadRanks(std::size_t n) : boxes_(n), barrier_(static_cast<std::ptrdiff_t>(n)) {}

  // Calls work(communicator) in every rank, rank 0 on the calling thread.
  void run(const std::function<void(Communicator&)>& work) {
    std::vector<std::thread> threads;
    for (std::size_t r = 1; r < boxes_.size(); ++r)
      threads.emplace_back([&, r] {
        Rank rank(*this, r);
        work(rank);
      });
    Rank first(*this, 0);
    work(first);
    for (std::thread& thread : threads) thread.join();
  }

 private:
  class Rank final : public Communicator {
   public:
    Rank(ThreadRanks& all, std::size_t rank) : all_(all), rank_(rank) {}
    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return all_.boxes_.size(); }
    std::size_t n_on_host() const override { return size(); }
    void send(std::size_t to, const std::string& bytes) override { all_.put(to, {rank_, bytes}, false); }
    std::optional<RankMessage> receive() override { return all_.take(rank_, false); }
    void broadcast(std::string& bytes) override {
      if (rank_ == 0)
        for (std::size_t r = 1; r < size(); ++r) all_.put(r, {0, bytes}, true);
      else
        bytes = wait().bytes;
      meet();
    }
    void exchange(std::span<std::byte> data, std::span<const std::size_t> begins) override {
      const auto part = [&](std::size_t r) { return data.subspan(begins[r], begins[r + 1] - begins[r]); };
      const std::string own(reinterpret_cast<const char*>(part(rank_).data()), part(rank_).size());
      for (std::size_t r = 0; r < size(); ++r)
        if (r != rank_) all_.put(r, {rank_, own}, true);
      for (std::size_t n = 1; n < size(); ++n) {
        const RankMessage message = wait();
        std::memcpy(part(message.from).data(), message.bytes.data(), message.bytes.size());
      }
      meet();
    }

    void redistribute(std::span<const std::byte> sent, std::span<const std::size_t> sent_begins,
                      std::span<std::byte> received, std::span<const std::size_t> received_begins) override {
      const auto part_for = [&](std::size_t r) {
        return sent.subspan(sent_begins[r], sent_begins[r + 1] - sent_begins[r]);
      };
      const auto take = [&](std::size_t from, const void* bytes, std::size_t size) {
        if (size != received_begins[from + 1] - received_begins[from])
          throw std::logic_error("ranks disagree about what one sends to the other");
        if (size > 0) std::memcpy(received.data() + received_begins[from], bytes, size);
      };
      for (std::size_t r = 0; r < size(); ++r)
        if (r != rank_)
          all_.put(
              r, {rank_, std::string(reinterpret_cast<const char*>(part_for(r).data()), part_for(r).size())},
              true);
      take(rank_, part_for(rank_).data(), part_for(rank_).size());
      for (std::size_t n = 1; n < size(); ++n) {
        const RankMessage message = wait();
        take(message.from, message.bytes.data(), message.bytes.size());
      }
      meet();
    }

   private:
    // Nobody's next message may overtake one of these.
    void meet() { all_.barrier_.arrive_and_wait(); }
    RankMessage wait() {
      std::optional<RankMessage> message;
      while (!(message = all_.take(rank_, true))) std::this_thread::yield();
      return *message;
    }
    ThreadRanks& all_;
    std::size_t rank_;
  };

  struct Box {
    std::deque<RankMessage> single, collective;
  };

  void put(std::size_t to, RankMessage message, bool is_collective) {
    const std::lock_guard lock(mutex_);
    (is_collective ? boxes_[to].collective : boxes_[to].single).push_back(std::move(message));
  }
  std::optional<RankMessage> take(std::size_t of, bool is_collective) {
    const std::lock_guard lock(mutex_);
    std::deque<RankMessage>& box = is_collective ? boxes_[of].collective : boxes_[of].single;
    if (box.empty()) return std::nullopt;
    RankMessage message = std::move(box.front());
    box.pop_front();
    return message;
  }

  std::mutex mutex_;
  std::vector<Box> boxes_;
  std::barrier<> barrier_;
};

}  // namespace greybox
