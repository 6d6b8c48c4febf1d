#include "text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace greybox::apps {
namespace {

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// As for a file that open makes.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void write_text_file(const std::filesystem::path& file, const std::string& text) {
  std::string temporary = file.string() + ".XXXXXX";
  const int made = ::mkstemp(temporary.data());
  bool is_written = made >= 0 && write_all(made, text) && ::fchmod(made, usual_mode()) == 0;
  if (made >= 0) is_written = ::close(made) == 0 && is_written;
  if (is_written && ::rename(temporary.c_str(), file.c_str()) == 0) return;
  const int reason = errno;
  if (made >= 0) ::unlink(temporary.c_str());
  throw std::system_error(reason, std::generic_category(), "cannot write `" + file.string() + "`");
}

bool append_to_text_file(const std::filesystem::path& file, const std::string& text) {
  const int opened =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (opened < 0) return false;
  struct stat status {};
  const bool is_file = ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
  const bool is_written = is_file && write_all(opened, text);
  return ::close(opened) == 0 && is_written;
}

}  // namespace greybox::apps
