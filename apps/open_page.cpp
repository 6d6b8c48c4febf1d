#include "open_page.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace greybox::apps {
namespace {

#if defined(__APPLE__)
constexpr const char* kOpener = "open";
#else
constexpr const char* kOpener = "xdg-open";
#endif

}  // namespace

bool open_page(const std::filesystem::path& file) {
  return open_address(std::filesystem::absolute(file).string());
}

bool open_address(const std::string& address) {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execlp(kOpener, kOpener, address.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace greybox::apps
