// The entries of a zip archive as byte streams.
#pragma once

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/mapped_file.hpp"
#include "data/mistakes.hpp"

namespace greybox {

// Where the bytes of an archive are held against the memory that may be taken.
struct ZipBudget {
  // Bytes that arrays may still take in memory.
  std::uint64_t n_left = 0;
  // Of the archive.
  std::uint64_t n_bytes = 0;
};

// An opened entry. Reading past the end, or bytes that do not match their checksum, throws InputError.
class ZipEntry {
 public:
  // `budget` is that of this entry and those after it; it must outlive the entry. `file`: the archive, where
  // the entry's bytes stand in it from `begin` on as they are; else null.
  ZipEntry(zip_file_t* stream, Place place, std::uint64_t size, ZipBudget& budget,
           std::shared_ptr<const MappedFile> file, std::uint64_t begin)
      : stream_(stream),
        place_(std::move(place)),
        unread_(size),
        budget_(&budget),
        file_(std::move(file)),
        begin_(begin),
        size_(size) {}

  void read(std::span<std::byte> bytes);  // fills all of it
  // Before memory is taken for what is in the entry; `n_stored`: bytes of the array in a file that is not
  // compressed.
  void claim(std::uint64_t bytes, std::uint64_t n_stored);
  // Whether bytes of the entry had better be left in the file, and can be.
  bool stays_in_file(std::uint64_t bytes) const;
  // The archive, and where in it what is read next stands.
  const std::shared_ptr<const MappedFile>& file() const { return file_; }
  std::uint64_t position() const { return begin_ + (size_ - unread_); }
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
  ZipBudget* budget_;
  std::shared_ptr<const MappedFile> file_;
  std::uint64_t begin_, size_;
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
  std::uint64_t size_ = 0;
  ZipBudget budget_;
  std::shared_ptr<const MappedFile> mapped_;
  std::vector<std::optional<std::uint64_t>> begins_;
  std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace greybox
