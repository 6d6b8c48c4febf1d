#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

#include "terminal.hpp"

namespace greybox::apps {
namespace {

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

// Control characters of both sets made visible.
std::string visible(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_second_set =
        text[i] == '\xC2' && i + 1 < text.size() && text[i + 1] < '\xA0' && text[i + 1] < 0;
    if (is_second_set) ++i;
    if (is_second_set || is_control(text[i]))
      line += "\uFFFD";
    else
      line += text[i];
  }
  return line;
}

// A labelled line is text and may be broken; others quote a file, and stay as they are.
std::string message_line(std::string_view line, bool coloured) {
  constexpr std::pair<std::string_view, Style> kLabels[] = {
      {"error:", Style::error}, {"warning:", Style::warning}, {"help:", Style::help}};
  for (const auto& [label, style] : kLabels) {
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos || line.find_first_not_of(' ') != at) continue;
    std::string text = prose(line.substr(at), at, Stream::err);
    return text.replace(at, label.size(), styled(label, style, coloured));
  }
  return std::string(line) + '\n';
}

bool is_silent = false;

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is this one.
    if (::open("/dev/null", O_RDWR) != stream) std::_Exit(1);
  }
}

void flush_results() {
  errno = 0;
  const bool is_lost = !std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (is_lost)
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                            "the results did not reach standard output");
}

void set_silent(bool silent) {
  is_silent = silent;
}

void tell(std::string_view text) {
  if (is_silent) return;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void tell_line(std::string_view text) {
  tell(visible(text) + '\n');
}

void tell_message(std::string_view text) {
  const bool coloured = has_colours(Stream::err);
  const std::string all = visible(text);
  std::string message;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    message += message_line(std::string_view(all).substr(begin, end - begin), coloured);
    begin = end + 1;
  }
  tell(message);
}

}  // namespace greybox::apps
