#include "train/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "greybox/error.hpp"
#include "train/run_record.hpp"

namespace greybox {

namespace {

int open_to_lock(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor >= 0) return descriptor;
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot write `{}`", file.string()));
}

[[noreturn]] void refuse_lock(int reason, const std::filesystem::path& file) {
  throw std::system_error(reason, std::generic_category(), fmt::format("cannot lock `{}`", file.string()));
}

}  // namespace

FileLock FileLock::when_free(const std::filesystem::path& file) {
  FileLock lock;
  lock.descriptor_ = open_to_lock(file);
  while (::flock(lock.descriptor_, LOCK_EX) != 0)
    if (errno != EINTR) refuse_lock(errno, file);
  return lock;
}

FileLock::FileLock(const std::filesystem::path& file) : descriptor_(open_to_lock(file)) {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(std::exchange(descriptor_, -1));
  if (reason != EWOULDBLOCK) refuse_lock(reason, file);
  throw InputError(Diagnostic{.file = file.parent_path().string(),
                              .message = "another training is writing into this folder",
                              .help = "wait for it to end, or give another folder (option `folder`)"});
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

bool RunFolder::has_record() const {
  return greybox::has_record(folder_);
}

void RunFolder::refuse_if_in_use() const {
  const auto refuse = [&](const char* message, const char* help) {
    throw InputError(Diagnostic{.file = folder_.string(), .message = message, .help = help});
  };
  if (std::filesystem::exists(folder_) && !std::filesystem::is_directory(folder_))
    refuse("this is a file, and a run needs a folder", "give another folder (option `folder`)");
  if (has_record())
    read_record(folder_).is_finished()
        ? refuse("the folder holds a finished run",
                 "give another folder (option `folder`), or option `overwrite` to start anew")
        : refuse(
              "the folder holds a run that is not finished",
              "option `resume` continues it, option `overwrite` starts anew, option `folder` names another");
  if (std::filesystem::exists(weights()))
    refuse("the folder holds weights that a training would replace",
           "give another folder (option `folder`), or option `overwrite`");
}

void RunFolder::claim() {
  std::filesystem::create_directories(folder_);
  lock_ = FileLock(folder_ / ".lock");
}

void RunFolder::clear() const {
  // The record goes first: without it the rest is not taken for a run.
  for (const std::filesystem::path& file : {folder_ / kRecordName, checkpoint(), weights(), curves()})
    std::filesystem::remove(file);
}

}  // namespace greybox
