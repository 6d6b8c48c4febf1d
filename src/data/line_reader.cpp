// Lines out of a buffer that is refilled from the file.
#include "data/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/descriptor.hpp"
#include "data/mistakes.hpp"
#include "data/utf8.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 18;
constexpr std::size_t kLongestLine = std::size_t{1} << 24;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(const std::filesystem::path& file) : file_(file.string()), buffer_(kFirstBuffer) {
  Descriptor opened = open_to_read(file);
  stream_.reset(::fdopen(opened.number(), "rb"));
  if (stream_ == nullptr) {
    Place{file_, ""}.refuse(fmt::format("cannot open the file: {}", std::strerror(errno)),
                            "check the path and the permissions");
  }
  opened.release();                                 // the stream closes it
  std::setvbuf(stream_.get(), nullptr, _IONBF, 0);  // our own buffer is enough
  fill();
  skip_byte_order_mark();
}

std::optional<std::string_view> LineReader::next() {
  begin_ = next_;
  if (!find_line_end()) return std::nullopt;
  first_line_ = ++last_line_;
  return checked(begin_);
}

std::optional<std::string_view> LineReader::extend() {
  const std::size_t added = next_ - begin_;
  if (!find_line_end()) return std::nullopt;
  ++last_line_;
  return checked(begin_ + added);
}

// Looks for the end of the line that starts at next_, and moves line_end_ and next_ past it.
bool LineReader::find_line_end() {
  std::size_t searched = next_ - begin_;
  const void* found = nullptr;
  while ((found = std::memchr(buffer_.data() + begin_ + searched, '\n', filled_ - begin_ - searched)) ==
         nullptr) {
    searched = filled_ - begin_;
    if (!fill()) break;
  }
  if (found == nullptr && next_ == filled_) return false;
  line_end_ =
      found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : filled_;
  next_ = found != nullptr ? line_end_ + 1 : filled_;
  if (line_end_ > begin_ && buffer_[line_end_ - 1] == '\r') --line_end_;
  return true;
}

// Reads more behind what is kept from begin_ on; false at the end of the file.
bool LineReader::fill() {
  if (at_end_) return false;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
  bytes_dropped_ += begin_;
  next_ -= begin_;
  filled_ -= begin_;
  begin_ = 0;
  if (filled_ > kLongestLine) {
    const bool is_extending = next_ > 0;
    Place{file_, fmt::format("row {}", is_extending ? first_line_ : last_line_ + 1)}.refuse(
        "a line of more than 16 MiB",
        "check that the file is a text table and that every quote \" is closed");
  }
  if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t n_read = std::fread(buffer_.data() + filled_, 1, buffer_.size() - filled_, stream_.get());
  if (std::ferror(stream_.get()) != 0) {
    Place{file_, ""}.refuse(fmt::format("cannot read the file: {}", std::strerror(errno)),
                            "check the file and its disk");
  }
  hash_.add({buffer_.data() + filled_, n_read});
  filled_ += n_read;
  at_end_ = n_read == 0;
  return !at_end_;
}

void LineReader::skip_byte_order_mark() {
  const std::string_view start(buffer_.data(), filled_);
  if (start.starts_with(kByteOrderMark)) next_ = kByteOrderMark.size();
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    Place{file_, "row 1"}.refuse("the file is UTF-16, not UTF-8", "save it again with the encoding UTF-8");
  }
}

// The line given last, of which the part from `from` on has not been looked at yet.
std::string_view LineReader::checked(std::size_t from) const {
  const std::string_view added(buffer_.data() + from, line_end_ - from);
  const auto place = [&] { return Place{file_, fmt::format("row {}", last_line_)}; };
  if (added.find('\0') != std::string_view::npos) {
    place().refuse("a NUL byte: this is not a text file",
                   "export the data as CSV, or name the file .npz if it is one");
  }
  if (!is_utf8(added))
    place().refuse("bytes that are not UTF-8", "save the file again with the encoding UTF-8");
  return {buffer_.data() + begin_, line_end_ - begin_};
}

}  // namespace greybox
