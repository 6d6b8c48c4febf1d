// An open file of the system, closed at the end of its scope.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace greybox {

class Descriptor {
 public:
  Descriptor() = default;
  // With the flags of open(2), and never inherited by other programs. Throws std::system_error that names
  // `reported_as`.
  Descriptor(const std::filesystem::path& path, int flags, const std::filesystem::path& reported_as);
  // Takes over a file that is open.
  Descriptor(int number, std::filesystem::path reported_as)
      : number_(number), reported_as_(std::move(reported_as)) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  const std::filesystem::path& reported_as() const { return reported_as_; }
  // Leaves the file open, to be closed by the caller.
  int release() { return std::exchange(number_, -1); }
  // All of it, from where the file stands. Throws std::system_error, as `sync` does.
  void write(std::string_view content) const;
  // Brings what was written to the disk.
  void sync() const;

 private:
  int number_ = -1;
  std::filesystem::path reported_as_;
};

// A file to which whole pieces of text are appended. It is made when it is not there; a symbolic link is not
// followed.
Descriptor open_to_append(const std::filesystem::path& file);

// A file to read: no folder, pipe or device, which might never end. Throws InputError.
Descriptor open_to_read(const std::filesystem::path& file);

}  // namespace greybox
