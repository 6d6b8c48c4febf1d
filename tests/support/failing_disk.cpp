// A shared library for LD_PRELOAD: the call number $FAIL_AT (from 1) of those that change files in $FAIL_IN
// fails with the error $FAIL_WITH, or ends the process when that is 0. A process is ended also at calls whose
// errors mean nothing: those that lock, close and remove files. How many there were is in $FAIL_COUNT at the
// end.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> n_calls = 0;

long number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atol(text) : 0;
}

// Whether this call fails; then errno says why.
bool fails() {
  if (++n_calls != number_of("FAIL_AT")) return false;
  const auto error = static_cast<int>(number_of("FAIL_WITH"));
  if (error == 0) ::kill(::getpid(), SIGKILL);
  errno = error;
  return true;
}

bool is_to_be_killed() {
  const char* text = std::getenv("FAIL_WITH");
  return text != nullptr && std::atol(text) == 0;
}

bool is_watched(const char* path) {
  const char* folder = std::getenv("FAIL_IN");
  return folder != nullptr && path != nullptr && std::strstr(path, folder) != nullptr;
}

bool is_watched(int file) {
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t n = ::readlink(link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  return is_watched(path);
}

struct CountAtEnd {
  ~CountAtEnd() {
    const char* file = std::getenv("FAIL_COUNT");
    if (file == nullptr) return;
    if (std::FILE* out = std::fopen(file, "w")) {
      std::fprintf(out, "%ld\n", n_calls.load());
      std::fclose(out);
    }
  }
} count_at_end;

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, std::size_t n) {
  if (is_watched(file) && fails()) return -1;
  return ::syscall(SYS_write, file, bytes, n);
}

ssize_t pwrite(int file, const void* bytes, std::size_t n, off_t offset) {
  if (is_watched(file) && fails()) return -1;
  return ::syscall(SYS_pwrite64, file, bytes, n, offset);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t n, off_t offset) {
  return pwrite(file, bytes, n, offset);
}

int fsync(int file) {
  if (is_watched(file) && fails()) return -1;
  return static_cast<int>(::syscall(SYS_fsync, file));
}

int ftruncate(int file, off_t size) {
  if (is_watched(file) && fails()) return -1;
  return static_cast<int>(::syscall(SYS_ftruncate, file, size));
}

int rename(const char* from, const char* to) {
  if (is_watched(to) && fails()) return -1;
  return static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int mkdir(const char* path, mode_t mode) {
  if (is_watched(path) && fails()) return -1;
  return static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int flock(int file, int operation) {
  if (is_to_be_killed() && is_watched(file)) fails();
  return static_cast<int>(::syscall(SYS_flock, file, operation));
}

int close(int file) {
  if (is_to_be_killed() && is_watched(file)) fails();
  return static_cast<int>(::syscall(SYS_close, file));
}

int remove(const char* path) {
  if (is_to_be_killed() && is_watched(path)) fails();
  const int removed = static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
  return removed != 0 && errno == EISDIR
             ? static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR))
             : removed;
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = static_cast<mode_t>(va_arg(arguments, int));
    va_end(arguments);
    if (is_watched(path) && fails()) return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

}  // extern "C"
