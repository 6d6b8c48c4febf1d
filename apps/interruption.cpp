#include "interruption.hpp"

#include <csignal>

namespace greybox::apps {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void set_interrupted(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& listen_to_interruption() {
  std::signal(SIGINT, set_interrupted);
  std::signal(SIGTERM, set_interrupted);
  // When the terminal goes away; nohup has it ignored, and so it stays.
  if (std::signal(SIGHUP, set_interrupted) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  return interrupted;
}

void report_full_disks() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace greybox::apps
