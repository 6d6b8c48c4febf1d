// Write, fsync, rename: the POSIX way to replace a file in one step.
#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace greybox {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int reason) {
  throw std::system_error(reason, std::generic_category(), fmt::format("cannot write `{}`", file.string()));
}

// An open file, closed at the end of the scope; errors are reported under the name `reported_as`.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& reported_as)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)), reported_as_(reported_as) {
    if (number_ < 0) fail(reported_as_, errno);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t n_written = ::write(number_, content.data(), content.size());
      if (n_written < 0 && errno != EINTR) fail(reported_as_, errno);
      if (n_written > 0) content.remove_prefix(static_cast<std::size_t>(n_written));
    }
  }

  void sync() const {
    // Some file systems cannot sync a folder and say so with EINVAL.
    if (::fsync(number_) != 0 && errno != EINVAL) fail(reported_as_, errno);
  }

 private:
  int number_;
  const std::filesystem::path& reported_as_;
};

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

// Unique among processes and within this one, so that two writers never share a temporary file.
std::filesystem::path temporary_name(const std::filesystem::path& file) {
  static std::atomic<unsigned> counter = 0;
  return folder_of(file) / fmt::format(".{}.{}-{}.tmp", file.filename().string(), ::getpid(), counter++);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path file)
    : file_(std::move(file)), temporary_(temporary_name(file_)) {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  Descriptor(temporary_, O_RDONLY, file_).sync();
  if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail(file_, errno);
  Descriptor(folder_of(file_), O_RDONLY | O_DIRECTORY, file_).sync();
}

void write_file_atomically(const std::filesystem::path& file, std::string_view content) {
  AtomicFile target(file);
  Descriptor(target.temporary(), O_WRONLY | O_CREAT | O_TRUNC, file).write(content);
  target.commit();
}

}  // namespace greybox
