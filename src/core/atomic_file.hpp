// Files that appear complete or not at all.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/descriptor.hpp"

namespace greybox {

// A file being written under a temporary name in the folder of its final one. Write to `temporary()`, then
// `commit`; without a commit the temporary file is removed and what was there before stays. The name cannot
// be guessed, and the file is made anew: what somebody put there before is never written to. While it is open
// it is locked, so that what a killed process left behind is known and removed by the next one that writes
// there.
class AtomicFile {
 public:
  // Throws std::system_error (a std::runtime_error) with the file's name and the system's reason.
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  const Descriptor& descriptor() const { return descriptor_; }
  // Brings the content to the disk, then renames. Throws as the constructor does.
  void commit();

 private:
  std::filesystem::path file_;
  std::filesystem::path temporary_;
  Descriptor descriptor_;
};

// All of `content` at once; throws as `commit` does.
void write_file_atomically(const std::filesystem::path& file, std::string_view content);

// Files that belong together: written into `folder()`, then moved to where they shall be one right after the
// other. Without a commit none of them is.
class AtomicFolder {
 public:
  // `target` is made when it is not there. Throws as AtomicFile does.
  explicit AtomicFolder(std::filesystem::path target);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const std::filesystem::path& folder() const { return temporary_; }
  // `files` are in `folder()`; gives where they are now.
  std::vector<std::filesystem::path> commit(const std::vector<std::filesystem::path>& files);

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  Descriptor descriptor_;
};

}  // namespace greybox
