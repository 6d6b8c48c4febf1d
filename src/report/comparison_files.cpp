// Comparisons as files: CSV for tables, pictures for people.
#include <algorithm>
#include <limits>

#include "data/csv_writer.hpp"
#include "data/json_file.hpp"
#include "report/comparison_picture.hpp"
#include "report/folds_picture.hpp"
#include "report/picture_style.hpp"

namespace greybox {
namespace {

void write_rows(const std::vector<ComparedRow>& rows, const std::filesystem::path& file) {
  std::vector<std::string> modes;
  std::vector<double> lambdas, trials, losses, loss_errors, regularizers, regularizer_errors;
  for (const ComparedRow& row : rows) {
    modes.push_back(row.mode);
    lambdas.push_back(row.lambda.value_or(std::numeric_limits<double>::quiet_NaN()));
    trials.push_back(static_cast<double>(row.trials));
    losses.push_back(row.loss.mean);
    loss_errors.push_back(row.loss.standard_error);
    regularizers.push_back(row.regularizer.mean);
    regularizer_errors.push_back(row.regularizer.standard_error);
  }
  using Numbers = std::span<const double>;
  const std::vector<CsvColumn> columns = {{"mode", std::span<const std::string>(modes)},
                                          {"lambda", Numbers(lambdas)},
                                          {"trials", Numbers(trials)},
                                          {"L_mean", Numbers(losses)},
                                          {"L_se", Numbers(loss_errors)},
                                          {"R_mean", Numbers(regularizers)},
                                          {"R_se", Numbers(regularizer_errors)}};
  write_csv(file, columns);
}

void write_folds(const std::vector<ComparedFold>& folds, const std::filesystem::path& file) {
  std::vector<std::string> modes, tested_on;
  std::vector<double> lambdas, numbers, losses, regularizers, likelihoods;
  // A fold that diverged has none.
  const auto with_outputs =
      std::ranges::find_if(folds, [](const ComparedFold& fold) { return !fold.outputs.empty(); });
  const std::vector<OutputError> outputs =
      with_outputs == folds.end() ? std::vector<OutputError>() : with_outputs->outputs;
  std::vector<std::vector<double>> errors(3 * outputs.size());
  for (const ComparedFold& fold : folds) {
    modes.push_back(fold.mode);
    tested_on.push_back(fold.tested_on);
    lambdas.push_back(fold.lambda.value_or(kNotMeasured));
    numbers.push_back(static_cast<double>(fold.fold));
    losses.push_back(fold.loss);
    regularizers.push_back(fold.regularizer);
    likelihoods.push_back(fold.log_likelihood);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const OutputError error = i / 3 < fold.outputs.size() ? fold.outputs[i / 3] : OutputError{};
      errors[i].push_back(i % 3 == 0 ? error.rmse : i % 3 == 1 ? error.nrmse : error.r2);
    }
  }
  using Numbers = std::span<const double>;
  std::vector<CsvColumn> columns = {{"mode", std::span<const std::string>(modes)},
                                    {"lambda", Numbers(lambdas)},
                                    {"fold", Numbers(numbers)},
                                    {"tested_on", std::span<const std::string>(tested_on)},
                                    {"L", Numbers(losses)},
                                    {"R", Numbers(regularizers)},
                                    {"log_likelihood", Numbers(likelihoods)}};
  constexpr const char* kErrors[] = {".rmse", ".nrmse", ".r2"};
  for (std::size_t i = 0; i < errors.size(); ++i)
    columns.push_back({outputs[i / 3].name + kErrors[i % 3], Numbers(errors[i])});
  write_csv(file, columns);
}

Json json_of(const ComparedFold& fold) {
  Json json{{"mode", fold.mode},
            {"lambda", fold.lambda ? Json(*fold.lambda) : Json()},
            {"fold", fold.fold},
            {"tested_on", fold.tested_on},
            {"L", fold.loss},
            {"R", fold.regularizer},
            {"log_likelihood", fold.log_likelihood}};
  for (const OutputError& output : fold.outputs)
    json["outputs"][output.name] = {{"rmse", output.rmse}, {"nrmse", output.nrmse}, {"r2", output.r2}};
  return json;
}

}  // namespace

std::vector<std::filesystem::path> write_comparison(const Comparison& comparison,
                                                    const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> files = {folder / "comparison.csv", folder / "comparison.svg",
                                              folder / "comparison.png"};
  write_rows(comparison.rows, files[0]);
  draw_comparison(comparison, {files[1], files[2]});
  if (comparison.folds.empty()) return files;
  files.insert(files.end(), {folder / "folds.csv", folder / "folds.svg", folder / "folds.png"});
  write_folds(comparison.folds, files[3]);
  draw_folds(comparison, {files[4], files[5]});
  return files;
}

std::string to_json(const Comparison& comparison) {
  const auto pair = [](const MeanAndError& value) {
    return Json{{"mean", value.mean}, {"se", value.standard_error}};
  };
  Json json;
  json["rows"] = Json::array();
  for (const ComparedRow& row : comparison.rows) {
    Json one{{"mode", row.mode},
             {"lambda", row.lambda ? Json(*row.lambda) : Json()},
             {"trials", row.trials},
             {"L", pair(row.loss)},
             {"R", pair(row.regularizer)}};
    for (const ComparedOutput& output : row.outputs)
      one["outputs"][output.name] = {
          {"rmse", pair(output.rmse)}, {"nrmse", pair(output.nrmse)}, {"r2", pair(output.r2)}};
    if (!comparison.folds.empty()) one["log_likelihood"] = pair(row.log_likelihood);
    json["rows"].push_back(std::move(one));
  }
  for (const ComparedFold& fold : comparison.folds) json["folds"].push_back(json_of(fold));
  return json.dump();
}

std::vector<std::filesystem::path> draw_pictures(const Comparison& comparison,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = picture_files(folder, "comparison", style);
  draw_comparison(comparison, files, style);
  if (comparison.folds.empty()) return files;
  const std::vector<std::filesystem::path> folds = picture_files(folder, "folds", style);
  draw_folds(comparison, folds, style);
  files.insert(files.end(), folds.begin(), folds.end());
  return files;
}

}  // namespace greybox
