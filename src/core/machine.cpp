#include "core/machine.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <cstdint>
#include <fstream>
#include <thread>

#include "greybox/counted.hpp"

namespace greybox {
namespace {

std::string processor_name() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);)
    if (const std::size_t colon = line.find(": ");
        line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

}  // namespace

// The best of those supported has the lowest bit.
std::string vector_instructions() {
  const auto supported = static_cast<std::uint64_t>(hwy::SupportedTargets());
  return hwy::TargetName(static_cast<std::int64_t>(supported & (~supported + 1)));
}

std::string machine_name() {
  const unsigned n_cores = std::thread::hardware_concurrency();
  return fmt::format("{}, {}", processor_name(), counted(n_cores, "core"));
}

}  // namespace greybox
