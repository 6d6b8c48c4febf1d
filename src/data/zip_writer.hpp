// A zip archive of stored entries, written into an open file.
#pragma once

#include <zip.h>

#include <memory>
#include <string>
#include <string_view>

#include "core/descriptor.hpp"

namespace greybox {

// Functions throw std::runtime_error with the reason.
class ZipWriter {
 public:
  // The file is empty, and outlives the writer.
  explicit ZipWriter(const Descriptor& file);

  // The entry is `head`, then `body`; both are read when the archive is closed.
  void add(const std::string& name, std::string_view head, std::string_view body);
  void close();

 private:
  // Where the archive goes, as libzip wants to be told.
  struct Target {
    int descriptor;
    zip_uint64_t offset = 0, size = 0;
    zip_error_t error{};
  };
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };

  static zip_int64_t serve(void* target, void* data, zip_uint64_t length, zip_source_cmd_t command);
  static zip_int64_t write(Target& target, const void* data, zip_uint64_t length);
  [[noreturn]] void fail() const;

  std::unique_ptr<Target> target_;
  std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace greybox
