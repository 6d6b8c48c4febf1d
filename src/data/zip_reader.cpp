// Zip entries through libzip, with sizes checked before anyone allocates by them.
#include "data/zip_reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/checksum.hpp"
#include "core/descriptor.hpp"
#include "core/memory_limit.hpp"
#include "data/zip_directory.hpp"

namespace greybox {
namespace {

// Deflate cannot shrink data by more than this; an entry that claims so lies about its size.
constexpr std::uint64_t kGreatestDeflateRatio = 1032;
// What all arrays of an archive together may take in memory: this much, and so many times the archive's size.
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 28U, kUsualRatio = 64;
// Part of the memory that may be taken from which on an array stays in its file.
constexpr std::uint64_t kLargePart = 64;

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

void ZipEntry::claim(std::uint64_t bytes, std::uint64_t n_stored) {
  if (bytes > budget_->n_left) {
    const bool is_compressed = n_stored > budget_->n_bytes;
    place_.refuse(
        fmt::format("{}the array would take {} of memory, and the limit leaves {} to arrays",
                    is_compressed ? "the archive is compressed, and " : "",
                    memory_text(static_cast<double>(bytes)),
                    memory_text(static_cast<double>(budget_->n_left))),
        "write it with np.savez, which does not compress, as float32 or float64 in C order: then a field "
        "stays in the file; or raise the limit (option `memory`)");
  }
  budget_->n_left -= bytes;
}

bool ZipEntry::stays_in_file(std::uint64_t bytes) const {
  return file_ != nullptr && (bytes > memory_limit() / kLargePart || bytes > budget_->n_left);
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
  budget_.n_left = std::min(kFreeBytes + size_ * kUsualRatio, static_cast<std::uint64_t>(memory_limit() / 2));
  budget_.n_bytes = size_;
  if (size_ > memory_limit() / kLargePart) {
    mapped_ = std::make_shared<const MappedFile>(descriptor, size_);
    begins_ = stored_entries(mapped_->bytes());
  }
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
  const bool is_stored = index < begins_.size() && begins_[index] && begins_.size() == n_entries() &&
                         *begins_[index] <= size_ && stat.size <= size_ - *begins_[index];
  return {stream,
          std::move(place),
          stat.size,
          budget_,
          is_stored ? mapped_ : nullptr,
          is_stored ? *begins_[index] : 0};
}

}  // namespace greybox
