// Explanations as files: CSV and JSON for programs, pictures for people.
#include "core/atomic_file.hpp"
#include "data/csv_writer.hpp"
#include "data/json_file.hpp"
#include "report/explanation_picture.hpp"
#include "report/picture_style.hpp"

namespace greybox {
namespace {

void write_dependences(const Explanation& explanation, const std::filesystem::path& file) {
  std::vector<std::string> components, variables;
  std::vector<double> x, mean, low, high;
  for (const PartialDependence& one : explanation.dependences) {
    components.insert(components.end(), one.x.size(), one.component);
    variables.insert(variables.end(), one.x.size(), one.variable);
    x.insert(x.end(), one.x.begin(), one.x.end());
    mean.insert(mean.end(), one.mean.begin(), one.mean.end());
    low.insert(low.end(), one.low.begin(), one.low.end());
    high.insert(high.end(), one.high.begin(), one.high.end());
  }
  using Numbers = std::span<const double>;
  const std::vector<CsvColumn> columns = {{"component", std::span<const std::string>(components)},
                                          {"variable", std::span<const std::string>(variables)},
                                          {"x", Numbers(x)},
                                          {"mean", Numbers(mean)},
                                          {"low", Numbers(low)},
                                          {"high", Numbers(high)}};
  write_csv(file, columns);
}

Json json_of(const FormulaCandidate& candidate) {
  Json json{{"component", candidate.component},
            {"formula", candidate.formula},
            {"theory", candidate.theory},
            {"rmse", candidate.rmse},
            {"r2", candidate.r2},
            {"network_rms", candidate.network},
            {"rmse_by_size", candidate.rmse_by_size},
            {"terms", Json::array()}};
  for (const CandidateTerm& term : candidate.terms)
    json["terms"].push_back({{"text", term.text}, {"coefficient", term.coefficient}});
  return json;
}

}  // namespace

std::string to_json(const Explanation& explanation) {
  Json json{{"model", explanation.model},       {"theta", explanation.theta},     {"on", explanation.on},
            {"windows", explanation.n_windows}, {"points", explanation.n_points}, {"shares", Json::array()},
            {"dependences", Json::array()},     {"candidates", Json::array()}};
  for (const ComponentShare& share : explanation.shares)
    json["shares"].push_back({{"component", share.component},
                              {"theory_rms", share.theory},
                              {"network_rms", share.network},
                              {"share", share.share}});
  for (const PartialDependence& one : explanation.dependences)
    json["dependences"].push_back(
        {{"component", one.component}, {"variable", one.variable}, {"strength", one.strength}});
  for (const FormulaCandidate& candidate : explanation.candidates)
    json["candidates"].push_back(json_of(candidate));
  json["warnings"] = explanation.warnings;
  return json.dump();
}

std::vector<std::filesystem::path> write_explanation(const Explanation& explanation,
                                                     const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> files = {folder / "explanation.json", folder / "dependence.csv"};
  write_file_atomically(files[0], to_json(explanation) + '\n');
  write_dependences(explanation, files[1]);
  if (explanation.candidates.empty()) return files;
  files.insert(files.end(), {folder / "explanation.svg", folder / "explanation.png"});
  draw_explanation(explanation, {files[2], files[3]});
  return files;
}

std::vector<std::filesystem::path> draw_pictures(const Explanation& explanation,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = picture_files(folder, "explanation", style);
  if (explanation.candidates.empty()) return {};
  draw_explanation(explanation, files, style);
  return files;
}

}  // namespace greybox
