// A shared library for LD_PRELOAD: writes the path of every file that a program opens to read into $OPEN_LOG.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void log_path(const char* path, bool is_written) {
  const char* log = std::getenv("OPEN_LOG");
  if (log == nullptr || is_written) return;
  const auto file =
      static_cast<int>(::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666));
  char line[4096];
  const int n = std::snprintf(line, sizeof line, "%s\n", path);
  (void)!::write(file, line, static_cast<std::size_t>(n));
  ::close(file);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int logged_open(const char* path, int flags, mode_t mode) {
  log_path(path, (flags & O_ACCMODE) != O_RDONLY);
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return logged_open(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return logged_open(path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  log_path(path, std::strpbrk(mode, "wa+") != nullptr);
  return next<std::FILE*(const char*, const char*)>("fopen")(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  log_path(path, std::strpbrk(mode, "wa+") != nullptr);
  return next<std::FILE*(const char*, const char*)>("fopen64")(path, mode);
}

}  // extern "C"
