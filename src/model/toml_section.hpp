// One table of a model file seen through its rows in the table of keys: typed values, defaults, checks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/keys.hpp"
#include "model/toml_document.hpp"

namespace greybox {

// Every access gives a usable value: the default when the key is missing, and also, after reporting the
// mistake, when its value is wrong. Unknown and missing keys are reported on construction.
class Section {
 public:
  // `place` is the table's name in the file; a table that is not there (null) has no keys and lacks none.
  // `name` is what the file has for the NAME of "network.NAME".
  Section(TomlDocument& document, const TableInfo& info, const toml::table* table, const SourceSpan& place,
          std::string_view name = {});
  Section(TomlDocument& document, const TableInfo& info, std::vector<Entry> entries, const SourceSpan& place,
          std::string_view name = {});

  bool has(std::string_view key) const { return find(key) != nullptr; }
  bool is_list(std::string_view key) const { return has(key) && find(key)->value->is_array(); }
  const SourceSpan& place() const { return place_; }  // of the table's name
  SourceSpan key_place(std::string_view key) const;   // of a key's name, or of the table when it is not given
  SourceSpan value_place(std::string_view key) const;  // of its value, likewise

  std::string text(std::string_view key);
  double number(std::string_view key);  // NaN when there is neither a value nor a default
  std::pair<double, double> pair(std::string_view key);
  std::size_t count(std::string_view key);
  bool flag(std::string_view key);
  std::vector<std::size_t> counts(std::string_view key);
  std::vector<double> numbers(std::string_view key);
  std::vector<Entry> list(std::string_view key);  // elements of any type
  std::vector<std::string> names(std::string_view key);
  // A text, or several in a list.
  std::vector<std::string> text_or_names(std::string_view key);
  // The seconds of a value such as "30 days"; nothing for any other value, which `count` or `number` then
  // reads.
  std::optional<double> duration(std::string_view key);
  std::optional<Equation> equation(std::string_view key);
  Section table(std::string_view key);  // described under "this.key"

  // The choice's position in the table of keys is that of the enumerator.
  template <class Enumeration>
  Enumeration choice(std::string_view key) {
    return static_cast<Enumeration>(choice_index(key));
  }
  std::size_t choice_index(std::string_view key);

  // Reports a mistake about a key, pointing at its value.
  void refuse(std::string_view key, std::string message, std::string help);
  // Reports a key that must not be there, pointing at its name.
  void refuse_key(std::string_view key, std::string message, std::string help);

 private:
  const Entry* find(std::string_view key) const;
  const KeyInfo& info_of(std::string_view key) const;
  void report_unknown(const Entry& entry);
  void report_missing(const KeyInfo& key);
  void report_type(const Entry& entry, std::string_view wanted, std::string help);
  const std::string& printable(const Entry& entry, const std::string& text);
  std::optional<double> number_in(const Entry& entry, const KeyInfo& info);
  std::optional<double> whole_number_in(const Entry& entry, const KeyInfo& info);
  std::optional<double> constant_in(const Entry& entry);

  TomlDocument* document_;
  const TableInfo* info_;
  SourceSpan place_;
  std::string where_;  // "in [train]"
  std::vector<Entry> entries_;
};

// The table `[name]` at the top of the file.
Section top_section(TomlDocument& document, std::string_view name);

// The names freely chosen in `[name]`, whatever they hold.
std::vector<Entry> free_entries(TomlDocument& document, std::string_view name);

// The number that an expression of numbers, pi, + - * / ^, sqrt, exp and log stands for; throws
// EquationError.
double constant_value(const Syntax& syntax);

}  // namespace greybox
