#include "core/threads.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostThreads = 4096;
constexpr const char* kOption = "n_threads";

}  // namespace

void check_threads(std::size_t n_threads) {
  if (n_threads > kMostThreads)
    refuse_option(kOption, fmt::format("{} threads are more than {}", n_threads, kMostThreads),
                  "0 takes one per core");
}

std::thread start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    refuse_option(kOption, fmt::format("the system gives no further thread: {}", error.code().message()),
                  "ask for fewer threads, or raise the limit of memory (--memory), which the stacks of "
                  "threads count to");
  }
}

}  // namespace greybox
