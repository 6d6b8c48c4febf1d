// The most memory that this process ever had in use (Linux; 0 elsewhere).
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace greybox::bench {

inline double memory_high_water_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("VmHWM:")) continue;
    double kilobytes = 0;
    std::istringstream(line.substr(line.find(':') + 1)) >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}

}  // namespace greybox::bench
