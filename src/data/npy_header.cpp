// A strict reader for the one Python literal that numpy writes.
#include "data/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>

namespace greybox {
namespace {

constexpr std::size_t kMostAxes = 32;  // numpy's own limit

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const Place& place) : rest_(text), place_(place) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      parse_value(key);
      if (!accept(',') && peek() != '}') fail();
    }
    if (!has_type_ || !has_order_ || !has_shape_) fail();
    return std::move(header_);
  }

 private:
  void parse_value(std::string_view key) {
    if (key == "descr") {
      has_type_ = true;
      type();
    } else if (key == "fortran_order") {
      has_order_ = true;
      header_.is_fortran_order = boolean();
    } else if (key == "shape") {
      has_shape_ = true;
      shape();
    } else {
      fail();
    }
  }

  void type() {
    if (peek() == '[') {
      place_.refuse("a structured array", "save each field as an array of its own");
    }
    std::string_view text = string();
    if (text.empty()) fail();
    const char order = text.front();
    if (order == '<' || order == '>' || order == '|' || order == '=') text.remove_prefix(1);
    if (text.empty()) fail();
    header_.is_big_endian = order == '>';
    header_.kind = text.front();
    text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), header_.item_size);
    const bool has_size = error == std::errc{} && end == text.data() + text.size();
    // Objects and dates (`|O`, `<M8[ns]`) have other sizes; their kind is refused by name later.
    if (!has_size) header_.item_size = 0;
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail();
    return false;
  }

  void shape() {
    header_.shape.clear();
    expect('(');
    while (!accept(')')) {
      header_.shape.push_back(number());
      if (header_.shape.size() > kMostAxes) fail();
      if (!accept(',') && peek() != ')') fail();
    }
  }

  std::size_t number() {
    skip_blanks();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range)
      place_.refuse("a shape larger than any memory", "check the file");
    if (error != std::errc{}) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    accept('L');  // Python 2 wrote long integers so
    return value;
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    rest_.remove_prefix(1);
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail();
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  char peek() {
    skip_blanks();
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  [[noreturn]] void fail() const {
    place_.refuse(fmt::format("the array's header cannot be understood at {}", in_backquotes(rest_)),
                  kWriteAgain);
  }

  std::string_view rest_;
  const Place& place_;
  NpyHeader header_;
  bool has_type_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const Place& place) {
  return HeaderParser(text, place).parse();
}

std::string format_npy_header(std::string_view type, const std::vector<std::size_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t kPreamble = 10;
  const std::size_t total = (kPreamble + text.size() + 1 + 63) / 64 * 64;
  text.append(total - kPreamble - text.size() - 1, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(length & 0xFF);
  header += static_cast<char>(length >> 8);
  return header + text;
}

}  // namespace greybox
