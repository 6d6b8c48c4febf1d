// A model file with a formula for its correction in the theory.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/refuse.hpp"
#include "greybox/explain.hpp"
#include "model/loaded_model.hpp"
#include "train/run_state.hpp"

namespace greybox {
namespace {

// Replaces `length` bytes at a place of the text.
struct Edit {
  std::size_t at = 0, length = 0;
  std::string text;
};

std::size_t offset_of(const std::string& text, const SourceSpan& span) {
  std::size_t at = 0;
  for (std::size_t line = 1; line < span.line; ++line) at = text.find('\n', at) + 1;
  return at + span.column - 1;
}

void refuse_composition(const ModelSpec& spec, const std::string& component) {
  const auto found = std::ranges::find(spec.composition, component, &Equation::name);
  if (found != spec.composition.end())
    throw InputError(at(*spec.source, found->name_span,
                        fmt::format("[composition] of `{}` is not the sum of theory and network", component),
                        "a formula for the network is no term of the theory there: write it by hand"));
}

Edit theory_edit(const ModelSpec& spec, const FormulaCandidate& candidate) {
  refuse_composition(spec, candidate.component);
  const auto found = std::ranges::find(spec.theory, candidate.component, &Equation::name);
  if (found == spec.theory.end() || !found->is_literal || found->text.find('\n') != std::string::npos)
    refuse(spec.source->path,
           fmt::format("the theory of `{}` is not one line of plain text", candidate.component),
           "add the formula by hand");
  return {offset_of(spec.source->text, found->text_span), found->text.size(), candidate.theory};
}

// Text as it stands between such quotes in a model file; none where that is not possible.
std::optional<std::string> escaped(std::string_view text, char quote) {
  if (quote == '\'') return text.find('\'') != text.npos ? std::nullopt : std::optional(std::string(text));
  std::string inside;
  for (const char c : text) {
    if (c == '"' || c == '\\') inside += '\\';
    inside += c;
  }
  return inside;
}

// A file that the model names, as `known` is seen from the new place.
std::optional<Edit> file_edit(const ModelSpec& spec, const std::string& written, const SourceSpan& span,
                              const std::filesystem::path& known, const std::filesystem::path& folder) {
  if (known.empty()) return std::nullopt;
  const std::size_t from = offset_of(spec.source->text, span);
  const std::size_t at = spec.source->text.find(written, from);
  if (at == std::string::npos || at > from + 8) return std::nullopt;
  const std::filesystem::path file = std::filesystem::absolute(known);
  const std::filesystem::path here = folder.empty() ? std::filesystem::current_path() : folder;
  const std::filesystem::path seen = file.lexically_relative(std::filesystem::absolute(here));
  const auto path = escaped((seen.empty() ? file : seen).generic_string(), spec.source->text[at - 1]);
  return path ? std::optional(Edit{at, written.size(), *path}) : std::nullopt;
}

// What stands between the quotes in a line `name = "…"`; none in any other line.
std::optional<std::string_view> name_in(std::string_view line) {
  const auto skip = [&](std::string_view what) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool is_there = line.starts_with(what);
    if (is_there) line.remove_prefix(what.size());
    return is_there;
  };
  if (!skip("name") || !skip("=") || !skip("\"")) return std::nullopt;
  const std::size_t end = line.find('"');
  return end == line.npos ? std::nullopt : std::optional(line.substr(0, end));
}

// None where the model names no single file.
std::optional<Edit> data_edit(const Run& run, const std::filesystem::path& folder) {
  const ModelSpec& spec = *run.model().spec();
  if (spec.data.files.size() != 1) return std::nullopt;
  const auto record = run.record();
  const std::filesystem::path known = record ? std::filesystem::path(record->data.file) : data_path(spec);
  return file_edit(spec, spec.data.files.front(), spec.data.file_span, known, folder);
}

std::vector<Edit> input_edits(const Run& run, const std::filesystem::path& folder) {
  const ModelSpec& spec = *run.model().spec();
  const auto record = run.record();
  std::vector<Edit> edits;
  for (std::size_t j = 0; record && j < spec.inputs.size(); ++j) {
    const auto known = record->inputs.find(spec.inputs[j].name);
    if (spec.signals[j].file.empty() || known == record->inputs.end()) continue;
    if (auto edit =
            file_edit(spec, spec.signals[j].file, spec.signals[j].file_span, known->second.file, folder))
      edits.push_back(std::move(*edit));
  }
  return edits;
}

// A name of its own, so that both can be kept beside each other.
std::optional<Edit> name_edit(const ModelSpec& spec) {
  const std::string_view text = spec.source->text;
  for (std::size_t begin = 0; begin < text.size() && text[begin] != '[';) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (const auto name = name_in(text.substr(begin, end - begin)))
      return Edit{static_cast<std::size_t>(name->data() - text.data()), name->size(),
                  std::string(*name) + "-extended"};
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::string model_with_candidates(const Run& run, const Explanation& explanation,
                                  const std::filesystem::path& folder) {
  const ModelSpec& spec = *run.model().spec();
  std::vector<Edit> edits;
  for (const FormulaCandidate& candidate : explanation.candidates)
    if (!candidate.terms.empty()) edits.push_back(theory_edit(spec, candidate));
  if (edits.empty())
    refuse(spec.source->path, "there is no formula to add to the theory",
           "allow more terms, or give other ones");
  if (auto edit = data_edit(run, folder)) edits.push_back(std::move(*edit));
  for (Edit& edit : input_edits(run, folder)) edits.push_back(std::move(edit));
  if (auto edit = name_edit(spec)) edits.push_back(std::move(*edit));
  std::ranges::sort(edits, [](const Edit& a, const Edit& b) { return a.at > b.at; });
  std::string text = spec.source->text;
  for (const Edit& edit : edits) text.replace(edit.at, edit.length, edit.text);
  Model::parse(text, spec.source->path);
  return text;
}

}  // namespace greybox
