// Write, fsync, rename: the POSIX way to replace a file in one step.
#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

namespace greybox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".greybox-tmp";
constexpr std::size_t kDigits = 16;

[[noreturn]] void fail(const fs::path& file, int reason) {
  throw std::system_error(reason, std::generic_category(), fmt::format("cannot write `{}`", file.string()));
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

// ".weights.npz.0123456789abcdef.greybox-tmp"
fs::path temporary_name(const fs::path& folder, const std::string& name) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) fail(folder / name, errno);
  return folder / fmt::format(".{}.{:016x}{}", name, number, kEnding);
}

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kEnding)) return false;
  name.remove_suffix(kEnding.size());
  if (name.size() < kDigits + 2) return false;
  const std::string_view digits = name.substr(name.size() - kDigits);
  return name[name.size() - kDigits - 1] == '.' && std::all_of(digits.begin(), digits.end(), [](char c) {
           return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f');
         });
}

// False when it is gone, or somebody else has it: a sweep that came between making and locking it.
bool lock(const Descriptor& file) {
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  return ::fstat(file.number(), &status) != 0 || status.st_nlink > 0;
}

// A temporary file whose maker lives is locked.
void remove_if_left_over(const fs::path& path) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return;
  const Descriptor file(opened, path);
  std::error_code ignored;
  if (::flock(opened, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
}

// What killed processes left in a folder; looked for once per process and folder.
void sweep(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> swept;
  {
    const std::lock_guard guard(mutex);
    if (!swept.insert(fs::absolute(folder)).second) return;
  }
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    if (is_temporary_name(i->path().filename().string())) found.push_back(i->path());
  for (const fs::path& path : found) remove_if_left_over(path);
}

}  // namespace

AtomicFile::AtomicFile(fs::path file) : file_(std::move(file)) {
  const fs::path folder = folder_of(file_);
  sweep(folder);
  do {
    temporary_ = temporary_name(folder, file_.filename().string());
    descriptor_ = Descriptor(temporary_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, file_);
  } while (!lock(descriptor_));
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  descriptor_.sync();
  if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail(file_, errno);
  temporary_.clear();
  Descriptor(folder_of(file_), O_RDONLY | O_DIRECTORY, file_).sync();
}

void write_file_atomically(const fs::path& file, std::string_view content) {
  AtomicFile target(file);
  target.descriptor().write(content);
  target.commit();
}

AtomicFolder::AtomicFolder(fs::path target) : target_(std::move(target)) {
  fs::create_directories(target_);
  sweep(target_);
  do {
    temporary_ = temporary_name(target_, "files");
    if (::mkdir(temporary_.c_str(), 0777) != 0) fail(target_, errno);
    descriptor_ = Descriptor(temporary_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, target_);
  } while (!lock(descriptor_));
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

std::vector<fs::path> AtomicFolder::commit(const std::vector<fs::path>& files) {
  std::vector<fs::path> moved;
  for (const fs::path& file : files) {
    const fs::path& to = moved.emplace_back(target_ / file.filename());
    if (::rename(file.c_str(), to.c_str()) != 0) fail(to, errno);
  }
  Descriptor(target_, O_RDONLY | O_DIRECTORY, target_).sync();
  return moved;
}

}  // namespace greybox
