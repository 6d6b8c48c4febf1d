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

// An opened entry. Reading past the end, or bytes that do not match their checksum, throws InputError.
class ZipEntry {
 public:
  // `budget`: bytes that this entry and those after it may take; it must outlive the entry.
  ZipEntry(zip_file_t* stream, Place place, std::uint64_t size, std::uint64_t& budget)
      : stream_(stream), place_(std::move(place)), unread_(size), budget_(&budget) {}

  void read(std::span<std::byte> bytes);  // fills all of it
  // Before memory is taken for what is in the entry.
  void claim(std::uint64_t bytes);
  void expect_end();  // also has the checksum verified
  std::uint64_t unread() const { return unread_; }
  const Place& place() const { return place_; }

 private:
  struct Close {
    void operator()(zip_file_t* stream) const { zip_fclose(stream); }
  };
  std::unique_ptr<zip_file_t, Close> stream_;
  Place place_;
  std::uint64_t unread_;
  std::uint64_t* budget_;
};

// Throws InputError for what is not a valid archive.
class ZipReader {
 public:
  explicit ZipReader(const std::filesystem::path& file);

  // SHA-256 of the archive.
  const std::string& digest() const { return digest_; }

  std::size_t n_entries() const;
  std::string name(std::size_t index) const;
  ZipEntry open(std::size_t index, Place place);  // `place` is where mistakes in it are reported

 private:
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  std::string file_, digest_;
  std::uint64_t size_ = 0, budget_ = 0;
  std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace greybox
