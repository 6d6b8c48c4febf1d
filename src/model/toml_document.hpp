// A model file parsed as TOML, with the place of everything in it.
#pragma once

#include <toml++/toml.h>

#include <memory>
#include <string>
#include <vector>

#include "model/spec.hpp"
#include "model/toml_mistakes.hpp"

namespace greybox {

// `name = value` or `[name]`.
struct Entry {
  std::string name;
  SourceSpan name_span;
  const toml::node* value = nullptr;
  SourceSpan value_span;  // its first line only
};

class TomlDocument {
 public:
  // Throws InputError when the text is not TOML; what is wrong with its contents goes to `mistakes`.
  explicit TomlDocument(std::shared_ptr<const SourceFile> source);

  const std::shared_ptr<const SourceFile>& source() const { return source_; }
  const toml::table& root() const { return root_; }
  FileMistakes& mistakes() { return mistakes_; }

  std::vector<Entry> entries(const toml::table& table) const;  // in the order of the file
  Entry element(const Entry& array, std::size_t i) const;      // of an array; named like it

  // The text of `entry` as an equation; without syntax, and reported, when it is none.
  Equation equation(const Entry& entry);
  Equation unnamed_equation(const Entry& entry, const std::string& text);

 private:
  std::size_t offset_of(const toml::source_position& position) const;
  SourceSpan span_of(const toml::source_region& region) const;
  Equation located_text(const Entry& entry, const std::string& text) const;

  std::shared_ptr<const SourceFile> source_;
  std::vector<std::size_t> line_begins_;
  toml::table root_;
  FileMistakes mistakes_;
};

// What a value is, for messages: "text", "a number", "a list"…
std::string_view describe(const toml::node& value);

// A toml++ error in this project's words.
Diagnostic explain(const SourceFile& source, const SourceSpan& place, std::string_view description);

}  // namespace greybox
