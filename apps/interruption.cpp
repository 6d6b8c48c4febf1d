#include "interruption.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <greybox/mapped_files.hpp>

#include "command.hpp"

namespace greybox::apps {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void set_interrupted(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

void say(const char* text) {
  // There is nobody to tell that the message is lost.
  [[maybe_unused]] const auto n_written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Nothing may be done here but what the system allows while anything else is half done.
extern "C" void end_for_lost_page(int signal, siginfo_t* about, void*) {
  const char* file = mapped_file_at(about->si_addr);
  if (file == nullptr) {
    std::signal(signal, SIG_DFL);  // the instruction is tried again, and ends the process
    return;
  }
  say("\n");
  say(file);
  say(": error: the file became shorter while it was read, or cannot be read any more\n"
      "  help: leave data files as they are while a command runs; with the file as it was, "
      "`greybox train --resume` continues a training\n");
  ::_exit(kFailed);
}

}  // namespace

const std::atomic<bool>& listen_to_interruption() {
  std::signal(SIGINT, set_interrupted);
  std::signal(SIGTERM, set_interrupted);
  // When the terminal goes away; nohup has it ignored, and so it stays.
  if (std::signal(SIGHUP, set_interrupted) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  return interrupted;
}

void report_shortened_files() {
  struct sigaction action {};
  action.sa_sigaction = end_for_lost_page;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

void report_full_disks() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace greybox::apps
