// Zip entries through libzip, with sizes checked before anyone allocates by them.
#include "data/zip_reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/checksum.hpp"
#include "core/descriptor.hpp"
#include "core/memory_limit.hpp"

namespace greybox {
namespace {

// Deflate cannot shrink data by more than this; an entry that claims so lies about its size.
constexpr std::uint64_t kGreatestDeflateRatio = 1032;
// What all arrays of an archive together may take in memory: this much, and so many times the archive's size.
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 28U, kUsualRatio = 64;

std::string reason(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

}  // namespace

void ZipEntry::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const zip_int64_t n_read = zip_fread(stream_.get(), bytes.data(), bytes.size());
    if (n_read < 0) {
      place_.refuse(fmt::format("the archive is damaged: {}", zip_file_strerror(stream_.get())), kWriteAgain);
    }
    if (n_read == 0) place_.refuse("the array is cut short", kWriteAgain);
    bytes = bytes.subspan(static_cast<std::size_t>(n_read));
    unread_ -= std::min(unread_, static_cast<std::uint64_t>(n_read));
  }
}

void ZipEntry::claim(std::uint64_t bytes) {
  if (bytes > *budget_)
    place_.refuse("the archive is small, and its arrays would take too much memory",
                  "write it without compression, e.g. with np.savez, or raise the limit (option `memory`)");
  *budget_ -= bytes;
}

void ZipEntry::expect_end() {
  std::byte extra;
  const zip_int64_t n_read = zip_fread(stream_.get(), &extra, 1);
  if (n_read > 0) place_.refuse("bytes after the end of the array", kWriteAgain);
  if (n_read < 0) {
    place_.refuse(fmt::format("the archive is damaged: {}", zip_file_strerror(stream_.get())), kWriteAgain);
  }
}

// The file is opened once: what is hashed is what is read.
ZipReader::ZipReader(const std::filesystem::path& file) : file_(file.string()) {
  Descriptor descriptor = open_to_read(file);
  digest_ = sha256_of_descriptor(descriptor.number(), file_);
  struct stat status {};
  size_ = ::fstat(descriptor.number(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  budget_ = std::min(kFreeBytes + size_ * kUsualRatio, static_cast<std::uint64_t>(memory_limit() / 2));
  int code = 0;
  archive_.reset(zip_fdopen(descriptor.number(), 0, &code));
  if (archive_ == nullptr)
    Place{file_, ""}.refuse(fmt::format("cannot read the file as an npz archive: {}", reason(code)),
                            kWriteAgain);
  descriptor.release();  // the archive closes it
}

std::size_t ZipReader::n_entries() const {
  return static_cast<std::size_t>(zip_get_num_entries(archive_.get(), 0));
}

std::string ZipReader::name(std::size_t index) const {
  const char* name = zip_get_name(archive_.get(), index, 0);
  return name != nullptr ? name : "";
}

ZipEntry ZipReader::open(std::size_t index, Place place) {
  zip_stat_t stat;
  constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
  const bool is_known =
      zip_stat_index(archive_.get(), index, 0, &stat) == 0 && (stat.valid & kNeeded) == kNeeded;
  const bool is_plausible =
      is_known && stat.comp_size <= size_ && stat.size / kGreatestDeflateRatio <= stat.comp_size;
  if (!is_plausible) place.refuse("the archive claims a size that the entry cannot have", kWriteAgain);
  zip_file_t* stream = zip_fopen_index(archive_.get(), index, 0);
  if (stream == nullptr) {
    place.refuse(fmt::format("cannot open this entry of the archive: {}", zip_strerror(archive_.get())),
                 kWriteAgain);
  }
  return {stream, std::move(place), stat.size, budget_};
}

}  // namespace greybox
