// The folder of a run: who may write into it, and what it must not lose.
#pragma once

#include <filesystem>

namespace greybox {

// A file locked for this process. The kernel frees the lock however the process ends.
class FileLock {
 public:
  FileLock() = default;
  // Throws InputError when another process holds the lock, std::system_error when the file cannot be made.
  explicit FileLock(const std::filesystem::path& file);
  // Waits until no other process holds the lock.
  static FileLock when_free(const std::filesystem::path& file);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

 private:
  int descriptor_ = -1;
};

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path model() const { return folder_ / "model.toml"; }
  std::filesystem::path weights() const { return folder_ / "weights.npz"; }
  std::filesystem::path curves() const { return folder_ / "curves.csv"; }
  std::filesystem::path checkpoint() const { return folder_ / "checkpoint.npz"; }
  bool has_record() const;

  // Throws InputError when the folder holds results that a new training would destroy.
  void refuse_if_in_use() const;
  // Makes the folder and locks it; removes half-written files of a process that was killed.
  void claim();
  // Removes what an earlier training left.
  void clear() const;

 private:
  std::filesystem::path folder_;
  FileLock lock_;
};

}  // namespace greybox
