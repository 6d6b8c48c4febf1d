#include "data/zip_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

namespace greybox {
namespace {

zip_buffer_fragment_t fragment(std::string_view bytes) {
  // libzip's interface takes the bytes as mutable, but a source only reads them.
  return {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data())), bytes.size()};
}

}  // namespace

// libzip's own files are written under names that it makes up and renamed: this one is written as it is.
ZipWriter::ZipWriter(const Descriptor& file)
    : target_(std::make_unique<Target>(Target{.descriptor = file.number()})) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_function_create(serve, target_.get(), &error);
  if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (archive_ != nullptr) return;
  const std::string reason = zip_error_strerror(&error);
  if (source != nullptr) zip_source_free(source);
  zip_error_fini(&error);
  throw std::runtime_error(reason);
}

zip_int64_t ZipWriter::write(Target& target, const void* data, zip_uint64_t length) {
  for (zip_uint64_t n_done = 0; n_done < length;) {
    const ssize_t n = ::pwrite(target.descriptor, static_cast<const char*>(data) + n_done, length - n_done,
                               static_cast<off_t>(target.offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      zip_error_set(&target.error, ZIP_ER_WRITE, errno);
      return -1;
    }
    n_done += static_cast<zip_uint64_t>(n);
    target.offset += static_cast<zip_uint64_t>(n);
    target.size = std::max(target.size, target.offset);
  }
  return static_cast<zip_int64_t>(length);
}

zip_int64_t ZipWriter::serve(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  Target& target = *static_cast<Target*>(user);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_WRITABLE;
    case ZIP_SOURCE_STAT:
      zip_stat_init(static_cast<zip_stat_t*>(data));
      return sizeof(zip_stat_t);
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&target.error, data, length);
    case ZIP_SOURCE_WRITE:
      return write(target, data, length);
    case ZIP_SOURCE_TELL_WRITE:
      return static_cast<zip_int64_t>(target.offset);
    case ZIP_SOURCE_SEEK_WRITE: {
      const zip_int64_t offset =
          zip_source_seek_compute_offset(target.offset, target.size, data, length, &target.error);
      if (offset < 0) return -1;
      target.offset = static_cast<zip_uint64_t>(offset);
      return 0;
    }
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      zip_error_set(&target.error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

void ZipWriter::add(const std::string& name, std::string_view head, std::string_view body) {
  zip_buffer_fragment_t fragments[2] = {fragment(head), fragment(body)};
  zip_source_t* source = zip_source_buffer_fragment(archive_.get(), fragments, body.empty() ? 1 : 2, 0);
  const zip_int64_t index = zip_file_add(archive_.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail();
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  constexpr zip_uint16_t kFirstDosDay =
      (1 << 5) | 1;  // 1 January 1980: the same bytes whenever they are written
  if (zip_set_file_compression(archive_.get(), entry, ZIP_CM_STORE, 0) != 0) fail();
  if (zip_file_set_dostime(archive_.get(), entry, 0, kFirstDosDay, 0) != 0) fail();
}

void ZipWriter::close() {
  if (zip_close(archive_.get()) != 0) fail();
  static_cast<void>(archive_.release());  // zip_close has freed it
}

void ZipWriter::fail() const {
  throw std::runtime_error(zip_strerror(archive_.get()));
}

}  // namespace greybox
