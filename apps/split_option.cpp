#include "split_option.hpp"

#include <algorithm>
#include <greybox/error.hpp>

namespace greybox::apps {
namespace {

constexpr const char* kAll = "all";

Split parse_split(const std::string& name) {
  try {
    return split_named(name);
  } catch (const InputError& error) {
    Diagnostic mistake = error.diagnostics().front();
    const bool is_suggestion = mistake.help.ends_with('?');
    if (!is_suggestion) mistake.help += "; join several with +, or say all";
    throw InputError(std::move(mistake));
  }
}

}  // namespace

bool is_splits(const std::string& text) {
  try {
    return !std::holds_alternative<std::monostate>(parse_splits(text));
  } catch (const InputError&) {
    return false;
  }
}

Selection parse_splits(const std::string& text) {
  if (text.empty()) return {};
  Splits splits;
  if (text == kAll) return splits;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    splits.parts.push_back(parse_split(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return splits;
}

}  // namespace greybox::apps
