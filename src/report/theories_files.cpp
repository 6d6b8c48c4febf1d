// Theories side by side as files: CSV and JSON for programs, pictures for people.
#include "core/atomic_file.hpp"
#include "data/csv_writer.hpp"
#include "data/json_file.hpp"
#include "report/picture_style.hpp"
#include "report/theories_picture.hpp"

namespace greybox {
namespace {

void write_theory_rows(const TheoryComparison& comparison, const std::filesystem::path& file) {
  std::vector<std::string> names;
  std::vector<double> likelihoods, behind, errors, shares;
  std::vector<std::vector<double>> rmse(comparison.theories.front().outputs.size());
  for (const ComparedTheory& theory : comparison.theories) {
    names.push_back(theory.name);
    likelihoods.push_back(theory.log_likelihood);
    behind.push_back(theory.behind_best);
    errors.push_back(theory.behind_best_error);
    shares.push_back(theory.network_share);
    for (std::size_t o = 0; o < rmse.size(); ++o) rmse[o].push_back(theory.outputs[o].rmse);
  }
  using Numbers = std::span<const double>;
  std::vector<CsvColumn> columns = {{"theory", std::span<const std::string>(names)},
                                    {"log_likelihood", Numbers(likelihoods)},
                                    {"behind_best", Numbers(behind)},
                                    {"behind_best_se", Numbers(errors)},
                                    {"network_share", Numbers(shares)}};
  for (std::size_t o = 0; o < rmse.size(); ++o)
    columns.push_back({"rmse." + comparison.theories.front().outputs[o].name, Numbers(rmse[o])});
  write_csv(file, columns);
}

Json json_of(const ComparedTheory& theory) {
  Json json{{"name", theory.name},
            {"run", theory.run.string()},
            {"theta", theory.theta},
            {"regularizer", theory.regularizer},
            {"log_likelihood", theory.log_likelihood},
            {"behind_best", theory.behind_best},
            {"behind_best_se", theory.behind_best_error},
            {"network_share", theory.network_share}};
  for (const OutputError& output : theory.outputs)
    json["outputs"][output.name] = {{"rmse", output.rmse}, {"nrmse", output.nrmse}, {"r2", output.r2}};
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : theory.verdicts.verdicts)
    json["verdicts"].push_back({{"parameter", verdict.parameter},
                                {"finding", name_of(verdict.finding)},
                                {"interval", {verdict.interval.first, verdict.interval.second}},
                                {"sentence", verdict.sentence}});
  return json;
}

}  // namespace

std::string to_json(const TheoryComparison& comparison) {
  Json json{{"split", comparison.split}, {"windows", comparison.n_windows}};
  for (const ComparedTheory& theory : comparison.theories) json["theories"].push_back(json_of(theory));
  json["warnings"] = comparison.warnings;
  return json.dump();
}

std::vector<std::filesystem::path> write_theories(const TheoryComparison& comparison,
                                                  const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::vector<std::filesystem::path> files = {folder / "theories.csv", folder / "theories.json",
                                                    folder / "theories.svg", folder / "theories.png"};
  write_theory_rows(comparison, files[0]);
  write_file_atomically(files[1], to_json(comparison) + '\n');
  draw_theories(comparison, {files[2], files[3]});
  return files;
}

std::vector<std::filesystem::path> draw_pictures(const TheoryComparison& comparison,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = picture_files(folder, "theories", style);
  draw_theories(comparison, files, style);
  return files;
}

}  // namespace greybox
