// Checks on the bytes of a model file.
#include "model/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "language/lexer_characters.hpp"

namespace greybox {

namespace {

constexpr std::size_t max_line_bytes = 10'000;
constexpr std::size_t max_nesting = 32;

void check_size(const SourceFile& source) {
  if (source.text.size() <= max_model_file_bytes) return;
  throw InputError(
      at(source, SourceSpan{}, fmt::format("the file is larger than {} bytes", max_model_file_bytes),
         "a model file is a page of text; give data in a file of its own and name it under [data]"));
}

void check_characters(const SourceFile& source) {
  const std::string_view text = source.text;
  for (std::size_t i = 0; i < text.size();) {
    const Character character = decode_character(text, i);
    if (character.code == Character::invalid)
      throw InputError(at(source, place_of(source, i), "the file is not valid UTF-8 here",
                          "save it as text with the encoding UTF-8"));
    if (character.code == 0)
      throw InputError(at(source, place_of(source, i), "a NUL byte stands here: is this a text file?",
                          "save the model as plain text with the encoding UTF-8"));
    i += character.n_bytes;
  }
}

void check_line_lengths(const SourceFile& source) {
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < source.text.size(); ++number) {
    const std::size_t end = std::min(source.text.find('\n', begin), source.text.size());
    if (end - begin > max_line_bytes)
      throw InputError(at(source, {.line = number},
                          fmt::format("the line is longer than {} bytes", max_line_bytes),
                          "break it into several lines, or give parts of an equation names in [define]"));
    begin = end + 1;
  }
}

// Follows strings and comments just well enough to see the brackets and dots outside them. The parser makes
// one table inside another for each, and takes them apart recursively.
class NestingScan {
 public:
  explicit NestingScan(std::string_view text) : text_(text) {}

  // The byte at which brackets or dotted names nest too deeply, or npos.
  std::size_t find_too_deep() {
    for (; position_ < text_.size(); ++position_) {
      step();
      if (depth_ > max_nesting || n_dots_ > max_nesting) return position_;
    }
    return std::string_view::npos;
  }

 private:
  void step() {
    const char c = text_[position_];
    if (!quote_.empty()) return step_in_quotes(c);
    switch (c) {
      case '#':
        position_ = std::min(text_.find('\n', position_), text_.size());
        break;
      case '"':
      case '\'':
        open_quotes(c);
        break;
      case '[':
      case '{':
        ++depth_;
        break;
      case ']':
      case '}':
        depth_ -= depth_ > 0 ? 1 : 0;
        break;
      case '.':
        ++n_dots_;
        break;
      case '=':
      case ',':
      case '\n':
        n_dots_ = 0;
        break;
      default:
        break;
    }
  }

  void open_quotes(char c) {
    quote_ = text_.substr(position_).starts_with(std::string(3, c)) ? std::string(3, c) : std::string(1, c);
    position_ += quote_.size() - 1;
  }

  void step_in_quotes(char c) {
    if (c == '\\' && quote_[0] == '"') {
      ++position_;
    } else if (text_.substr(position_).starts_with(quote_)) {
      position_ += quote_.size() - 1;
      // Text in triple quotes may end with up to two quotes of its own.
      for (int i = 0; i < 2 && quote_.size() == 3 && text_.substr(position_ + 1).starts_with(quote_[0]); ++i)
        ++position_;
      quote_.clear();
    } else if (c == '\n' && quote_.size() == 1) {
      quote_.clear();
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  std::size_t n_dots_ = 0;
  std::string quote_;  // that would end the string we are in
};

void check_nesting(const SourceFile& source) {
  const std::size_t offset = NestingScan(source.text).find_too_deep();
  if (offset == std::string_view::npos) return;
  throw InputError(at(source, place_of(source, offset),
                      fmt::format("tables or lists are nested more than {} deep", max_nesting),
                      "no key of a model file needs that: is a bracket not closed?"));
}

}  // namespace

SourceSpan place_of(const SourceFile& source, std::size_t offset, std::size_t length) {
  const std::string_view before = std::string_view(source.text).substr(0, offset);
  const auto n_lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = n_lines + 1, .column = offset - line_begin + 1, .length = length};
}

void check_text(const SourceFile& source) {
  check_size(source);
  check_characters(source);
  check_line_lengths(source);
  check_nesting(source);
}

}  // namespace greybox
