#include "core/kept_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/descriptor.hpp"

namespace greybox {

std::string kept_text(const std::filesystem::path& file, std::size_t most_bytes) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return "";
  const Descriptor descriptor(opened, file);
  struct stat status {};
  if (::fstat(opened, &status) != 0 || !S_ISREG(status.st_mode)) return "";
  std::string text(most_bytes, '\0');
  std::size_t size = 0;
  while (size < most_bytes) {
    const ssize_t n = ::read(opened, text.data() + size, most_bytes - size);
    if (n <= 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

}  // namespace greybox
