// Keys that are known, unknown and missing; where they stand; nested tables.
#include "model/toml_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

namespace greybox {

namespace {

std::vector<std::string> names_of(const std::vector<KeyInfo>& keys) {
  std::vector<std::string> names;
  for (const KeyInfo& key : keys) names.emplace_back(key.name);
  return names;
}

// Tables that have a key of this name, for those who wrote it elsewhere.
std::vector<std::string> tables_with(std::string_view key) {
  std::vector<std::string> titles;
  for (const TableInfo& info : model_file_tables())
    if (info.find(key) != nullptr && !info.name.empty()) titles.push_back(fmt::format("[{}]", info.name));
  return titles;
}

std::string where(std::string_view table, std::string_view name) {
  if (table.empty()) return "at the top of the file";
  if (!name.empty()) return fmt::format("in [{}.{}]", table.substr(0, table.find('.')), name);
  return fmt::format("in [{}]", table);
}

}  // namespace

Section::Section(TomlDocument& document, const TableInfo& info, std::vector<Entry> entries,
                 const SourceSpan& place, std::string_view name)
    : document_(&document), info_(&info), place_(place), where_(where(info.name, name)) {
  for (Entry& entry : entries) {
    if (info.find(entry.name) == nullptr)
      report_unknown(entry);
    else
      entries_.push_back(std::move(entry));
  }
  for (const KeyInfo& key : info.keys)
    if (key.is_required && !has(key.name)) report_missing(key);
}

Section::Section(TomlDocument& document, const TableInfo& info, const toml::table* table,
                 const SourceSpan& place, std::string_view name)
    : document_(&document), info_(&info), place_(place) {
  if (table != nullptr) *this = Section(document, info, document.entries(*table), place, name);
}

const Entry* Section::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

const KeyInfo& Section::info_of(std::string_view key) const {
  const KeyInfo* info = info_->find(key);
  assert(info != nullptr);
  return *info;
}

SourceSpan Section::key_place(std::string_view key) const {
  const Entry* entry = find(key);
  return entry != nullptr ? entry->name_span : place_;
}

SourceSpan Section::value_place(std::string_view key) const {
  const Entry* entry = find(key);
  return entry != nullptr ? entry->value_span : place_;
}

void Section::refuse(std::string_view key, std::string message, std::string help) {
  document_->mistakes().add(value_place(key), std::move(message), std::move(help));
}

void Section::refuse_key(std::string_view key, std::string message, std::string help) {
  document_->mistakes().add(key_place(key), std::move(message), std::move(help));
}

void Section::report_unknown(const Entry& entry) {
  const std::vector<std::string> known = names_of(info_->keys);
  const std::vector<std::string> elsewhere = tables_with(entry.name);
  const std::string otherwise =
      !elsewhere.empty() ? fmt::format("`{}` belongs in {}", entry.name, fmt::join(elsewhere, " or "))
                         : fmt::format("the keys here are {}", fmt::join(known, ", "));
  document_->mistakes().add(entry.name_span, fmt::format("unknown key `{}` {}", entry.name, where_),
                            document_->mistakes().suggest(entry.name, known, otherwise));
}

void Section::report_missing(const KeyInfo& key) {
  document_->mistakes().add(place_, fmt::format("`{}` is missing {}", key.name, where_),
                            fmt::format("add `{}`: {}", key.name, key.about));
}

Section Section::table(std::string_view key) {
  const TableInfo& nested = table_info(fmt::format("{}.{}", info_->name, key));
  const Entry* entry = find(key);
  if (entry == nullptr) return Section(*document_, nested, nullptr, place_);
  const toml::table* table = entry->value->as_table();
  if (table == nullptr) report_type(*entry, "a table", fmt::format("write {} = {{ … }}", key));
  return Section(*document_, nested, table, entry->name_span);
}

Section top_section(TomlDocument& document, std::string_view name) {
  for (const Entry& entry : document.entries(document.root()))
    if (entry.name == name)
      return Section(document, table_info(name), entry.value->as_table(), entry.name_span);
  return Section(document, table_info(name), nullptr, {});
}

std::vector<Entry> free_entries(TomlDocument& document, std::string_view name) {
  const toml::table* table = document.root().get_as<toml::table>(name);
  return table != nullptr ? document.entries(*table) : std::vector<Entry>{};
}

}  // namespace greybox
