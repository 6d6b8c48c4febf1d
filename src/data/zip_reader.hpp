// The entries of a zip archive as byte streams.
#pragma once

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "data/mistakes.hpp"

namespace greybox {

// An opened entry. Reading past a sound end, or bytes that do not match their checksum, throws InputError.
class ZipEntry {
 public:
  ZipEntry(zip_file_t* stream, Place place, std::uint64_t size)
      : stream_(stream), place_(std::move(place)), unread_(size) {}

  void read(std::span<std::byte> bytes);  // fills all of it
  void expect_end();                      // also has the checksum verified
  std::uint64_t unread() const { return unread_; }
  const Place& place() const { return place_; }

 private:
  struct Close {
    void operator()(zip_file_t* stream) const { zip_fclose(stream); }
  };
  std::unique_ptr<zip_file_t, Close> stream_;
  Place place_;
  std::uint64_t unread_;
};

// Throws InputError for what is not a sound archive.
class ZipReader {
 public:
  explicit ZipReader(const std::filesystem::path& file);

  // SHA-256 of the archive.
  const std::string& digest() const { return digest_; }

  std::size_t n_entries() const;
  std::string name(std::size_t index) const;
  ZipEntry open(std::size_t index, Place place) const;  // `place` is where mistakes in it are reported

 private:
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  std::string file_, digest_;
  std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace greybox
