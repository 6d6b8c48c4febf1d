#include "core/shared_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "core/machine.hpp"
#include "core/refuse.hpp"
#include "core/sent_failure.hpp"
#include "core/shared_flag.hpp"

namespace greybox {
namespace {

// How it went in the first process.
constexpr char kMade = 'm', kRefused = 'r';

}  // namespace

std::size_t n_threads_of(const Execution& execution) {
  if (execution.n_threads > 0) return execution.n_threads;
  const std::size_t n_cores = std::max(1U, std::thread::hardware_concurrency());
  return execution.communicator == nullptr
             ? n_cores
             : std::max<std::size_t>(n_cores / execution.communicator->n_on_host(), 1);
}

bool is_first(const Execution& execution) {
  return execution.communicator == nullptr || execution.communicator->rank() == 0;
}

std::string in_all(const Execution& execution, const std::function<std::string()>& make) {
  if (execution.communicator == nullptr) return make();
  std::string bytes(1, kMade);
  std::exception_ptr failure;
  if (is_first(execution)) {
    try {
      bytes += make();
    } catch (...) {
      failure = std::current_exception();
      bytes = kRefused + failure_text(failure);
    }
  }
  execution.communicator->broadcast(bytes);
  if (failure) std::rethrow_exception(failure);
  if (bytes.front() == kRefused) std::rethrow_exception(failure_of(bytes.substr(1), 0));
  return bytes.substr(1);
}

bool have_like_processors(const Execution& execution) {
  const std::string own = vector_instructions(), first = in_all(execution, [&] { return own; });
  return !SharedFlag(execution.communicator).is_raised(own != first);
}

void require_like_processors(const Execution& execution) {
  if (have_like_processors(execution)) return;
  refuse_option(
      "communicator",
      fmt::format("the processors have different vector instructions (here {}), and sums over them would "
                  "differ",
                  vector_instructions()),
      "one training needs computers of the same kind: ask for them, for instance by srun --constraint");
}

}  // namespace greybox
