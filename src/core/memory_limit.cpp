#include "core/memory_limit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>

#include "greybox/error.hpp"

namespace greybox {
namespace {

// Of this machine, or of the container that the process runs in.
double machine_memory() {
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (double limit = 0; std::ifstream(file) >> limit && limit > 0) bytes = std::min(bytes, limit);
  return bytes;
}

// 0 until somebody sets one.
std::atomic<std::size_t> chosen_limit = 0;

}  // namespace

std::size_t memory_limit() {
  static const auto usual = static_cast<std::size_t>(machine_memory() / 2);
  const std::size_t chosen = chosen_limit;
  return chosen > 0 ? chosen : usual;
}

void set_memory_limit(std::size_t bytes) {
  chosen_limit = bytes;
}

std::string memory_text(double bytes) {
  constexpr std::array kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

void refuse_memory(double bytes, std::string_view what, std::string_view help) {
  throw InputError(
      Diagnostic{.message = fmt::format("{} would take {} of memory, and the limit is {}", what,
                                        memory_text(bytes), memory_text(static_cast<double>(memory_limit()))),
                 .help = fmt::format("{}, or raise the limit (option `memory`)", help)});
}

}  // namespace greybox
