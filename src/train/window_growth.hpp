// Windows that begin short and grow: what a training looks at, epoch by epoch. Where every state is measured,
// a short window is another piece of the whole one in each epoch, as in multiple shooting with the data at
// the nodes.
#pragma once

#include <span>

#include "core/thread_pool.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

class WindowGrowth {
 public:
  // To their full length over the first `n_epochs`; 0: they are whole from the start.
  WindowGrowth(const LoadedModel& loaded, std::size_t n_epochs);

  std::size_t n_epochs() const { return n_epochs_; }
  // Rows of the longest window in an epoch, counted from 0: each epoch the same factor more.
  std::size_t n_rows(std::size_t epoch) const;
  bool is_growing(std::size_t epoch) const { return n_rows(epoch) < longest_; }
  // Valid until the next call.
  const WindowData& windows(std::size_t epoch);

 private:
  // The piece of `n_rows` of a whole window that is looked at in an epoch.
  Window piece(std::size_t window, std::size_t epoch, std::size_t n_rows) const;
  // Whether it has what it starts from, and something to be compared with.
  bool is_usable(const Window& piece) const;

  std::shared_ptr<const BoundModel> model_;
  std::shared_ptr<const PreparedData> whole_;
  WindowData cut_;
  std::size_t n_epochs_, shortest_, longest_;
  bool may_begin_anywhere_;
};

// Whether the theory alone, without its networks, leaves the data far behind or becomes non-finite for some
// of the windows, each with its θ (row by row).
template <class T>
bool is_theory_unstable(const LoadedModel& loaded, std::span<const std::size_t> windows,
                        std::span<const T> theta, ThreadPool& pool);

// Where the theory alone is unstable: a step of the solver with which it is not; 0 where that is not why, or
// where the solver chooses its steps.
template <class T>
double finer_step(const LoadedModel& loaded, std::span<const std::size_t> windows, std::span<const T> theta,
                  ThreadPool& pool);

}  // namespace greybox
