#include "core/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/refuse.hpp"

namespace greybox {
namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot write `{}`", file.string()));
}

}  // namespace

Descriptor::Descriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& reported_as)
    : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)), reported_as_(reported_as) {
  if (number_ < 0) fail_to_write(reported_as_);
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)), reported_as_(std::move(other.reported_as_)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(reported_as_, other.reported_as_);
  return *this;
}

void Descriptor::write(std::string_view content) const {
  while (!content.empty()) {
    const ssize_t n_written = ::write(number_, content.data(), content.size());
    if (n_written < 0 && errno != EINTR) fail_to_write(reported_as_);
    if (n_written > 0) content.remove_prefix(static_cast<std::size_t>(n_written));
  }
}

void Descriptor::sync() const {
  // Some file systems cannot sync a folder and say so with EINVAL.
  if (::fsync(number_) != 0 && errno != EINVAL) fail_to_write(reported_as_);
}

Descriptor open_to_append(const std::filesystem::path& file) {
  return {file, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, file};
}

Descriptor open_to_read(const std::filesystem::path& file) {
  // A pipe nobody writes to would block without O_NONBLOCK; files do not care.
  const int opened = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0)
    refuse(file, fmt::format("cannot open the file: {}", std::strerror(errno)),
           "check the path and the permissions");
  Descriptor descriptor(opened, file);
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0 || !S_ISREG(status.st_mode))
    refuse(
        file,
        S_ISDIR(status.st_mode) ? "this is a folder, not a file" : "this is a pipe or a device, not a file",
        "give the path of the file itself");
  return descriptor;
}

}  // namespace greybox
