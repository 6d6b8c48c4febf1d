// Long computations: they run on a thread of their own while the calling thread listens to Python's signals,
// to the caller's `cancel` and to progress, whose callback it calls itself.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <greybox/communicator.hpp>
#include <greybox/execution.hpp>
#include <memory>
#include <optional>

namespace greybox::python {

namespace nb = nanobind;

// What the caller of a long function gives.
struct Control {
  std::size_t n_threads = 0;
  // Called with a dictionary for every report; None: nobody listens.
  nb::object progress;
  // Anything with `is_set()`, such as threading.Event; None: only signals cancel.
  nb::object cancel;
  // Processes that all make the same call; null: this one alone.
  std::shared_ptr<Communicator> communicator{};
};

// Runs the work without the GIL until it ends. An exception of Python's (a signal's or the callback's)
// cancels the work and is given back once that has ended; the work's own exceptions are thrown, unless
// Python's came first.
std::optional<nb::python_error> listen(const Control& control,
                                       const std::function<void(const Execution&)>& work);

// The same for work that gives a result; exceptions of Python's are thrown.
template <class Work>
auto in_background(const Control& control, Work work) {
  std::optional<decltype(work(Execution{}))> result;
  std::optional<nb::python_error> error =
      listen(control, [&](const Execution& execution) { result.emplace(work(execution)); });
  if (error) throw std::move(*error);
  return std::move(*result);
}

}  // namespace greybox::python
