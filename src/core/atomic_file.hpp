// Files that appear complete or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace greybox {

// A file being written under a temporary name in the folder of its final one. Write to `temporary()`, then
// `commit`; without a commit the temporary file is removed and what was there before stays.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  // Brings the content to the disk, then renames. Throws std::system_error (a std::runtime_error) with the
  // file's name and the system's reason.
  void commit();

 private:
  std::filesystem::path file_;
  std::filesystem::path temporary_;
};

// All of `content` at once; throws as `commit` does.
void write_file_atomically(const std::filesystem::path& file, std::string_view content);

}  // namespace greybox
