#include "core/sent_failure.hpp"

#include <fmt/format.h>

#include <new>
#include <vector>

#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr char kInput = 'i', kInterrupted = 'b', kMemory = 'm', kOther = 'o';

void append(std::string& text, const std::string& part) {
  text += std::to_string(part.size()) + ':' + part;
}

std::string take(const std::string& text, std::size_t& at) {
  const std::size_t colon = text.find(':', at);
  const std::size_t size = std::stoull(text.substr(at, colon - at));
  at = colon + 1 + size;
  return text.substr(colon + 1, size);
}

std::string text_of(const InputError& error) {
  std::string text(1, kInput);
  for (const Diagnostic& one : error.diagnostics()) {
    for (const std::string& part : {one.file, one.element, one.option, one.message, one.line, one.help})
      append(text, part);
    for (std::size_t number : {one.span.line, one.span.column, one.span.length})
      append(text, std::to_string(number));
  }
  return text;
}

InputError input_error(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  for (std::size_t at = 1; at < text.size();) {
    Diagnostic& one = diagnostics.emplace_back();
    for (std::string* part : {&one.file, &one.element, &one.option, &one.message, &one.line, &one.help})
      *part = take(text, at);
    for (std::size_t* number : {&one.span.line, &one.span.column, &one.span.length})
      *number = std::stoull(take(text, at));
  }
  return InputError(std::move(diagnostics));
}

}  // namespace

std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    return text_of(error);
  } catch (const Interruption& error) {
    return kInterrupted + std::string(error.what());
  } catch (const std::bad_alloc&) {
    return std::string(1, kMemory);
  } catch (const std::exception& error) {
    return kOther + std::string(error.what());
  } catch (...) {
    return kOther + std::string("an exception of unknown type");
  }
}

std::exception_ptr failure_of(const std::string& text, std::size_t from) {
  switch (text.front()) {
    case kInput:
      return std::make_exception_ptr(input_error(text));
    case kInterrupted:
      return std::make_exception_ptr(Interruption(text.substr(1)));
    case kMemory:
      return std::make_exception_ptr(std::bad_alloc());
    default:
      return std::make_exception_ptr(std::runtime_error(
          from == 0 ? text.substr(1) : fmt::format("on rank {}: {}", from, text.substr(1))));
  }
}

}  // namespace greybox
