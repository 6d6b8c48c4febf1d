// The fuzzer's bytes as files in memory, for readers that want a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "core/descriptor.hpp"
#include "greybox/error.hpp"

namespace greybox::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = {}) : file_(::memfd_create("fuzz", MFD_CLOEXEC), "fuzz") {
    file_.write(content);
  }
  const Descriptor& descriptor() const { return file_; }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_.number()); }

 private:
  Descriptor file_;
};

// A folder of this process in memory, where one is needed.
inline const std::filesystem::path& memory_folder() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path made = "/dev/shm/greybox-fuzz-" + std::to_string(::getpid());
    std::filesystem::create_directories(made);
    std::atexit([] { std::filesystem::remove_all("/dev/shm/greybox-fuzz-" + std::to_string(::getpid())); });
    return made;
  }();
  return folder;
}

inline void write_file(const std::filesystem::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary) << content;
}

// What is wrong gets a message, and nothing else happens.
inline void expect_read_or_refused(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    if (error.diagnostics().empty() || error.diagnostics().front().message.empty()) std::abort();
  }
}

}  // namespace greybox::fuzz
