#include "processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>

#include "standard_streams.hpp"

namespace greybox::apps {
namespace {

constexpr std::string_view kShared[] = {"compare",   "estimate", "landscape", "refit",
                                        "reproduce", "sample",   "train"};
// All fail at about the same time where all meet the same mistake.
constexpr double kPatience = 3, kForever = 1e8;

std::shared_ptr<Communicator> world;
bool has_work = false;

void fall_silent() {
  set_silent(true);
  if (std::freopen("/dev/null", "w", stdout) == nullptr) std::fclose(stdout);
}

}  // namespace

void join_processes(int argc, const char* const* argv) {
  world = launched_communicator();
  if (!world) return;
  has_work = argc > 1 && std::ranges::find(kShared, std::string_view(argv[1])) != std::end(kShared);
  if (is_helper()) {
    fall_silent();
    if (!has_work) throw HelpIsOver{};
  } else if (!has_work && argc > 1) {
    tell_message(fmt::format("warning: this command is not shared among processes: one of {} does all of it",
                             world->size()));
  }
}

Communicator* processes() {
  return has_work ? world.get() : nullptr;
}

bool is_helper() {
  return world && world->rank() > 0;
}

void leave_if_helper() {
  if (is_helper()) throw HelpIsOver{};
}

std::size_t threads_of_process(std::size_t asked) {
  if (asked > 0 || processes() == nullptr) return asked;
  return std::max<std::size_t>(std::max(1U, std::thread::hardware_concurrency()) / world->n_on_host(), 1);
}

void leave_processes(int exit_code, const char* message) {
  const bool is_well = exit_code == 0;
  if (end_together(is_well ? kForever : kPatience)) return;
  if (is_helper() && message != nullptr) {
    const std::string place = fmt::format("rank {} of {}: ", world->rank(), world->size());
    set_silent(false);
    tell_message(place + message);
  }
  end_all_ranks(exit_code);
}

}  // namespace greybox::apps
