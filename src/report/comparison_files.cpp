// Comparisons as files: CSV for tables, pictures for people.
#include <limits>

#include "data/csv_writer.hpp"
#include "data/json_file.hpp"
#include "report/comparison_picture.hpp"

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

}  // namespace

std::vector<std::filesystem::path> write_comparison(const Comparison& comparison,
                                                    const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::vector<std::filesystem::path> files = {folder / "comparison.csv", folder / "comparison.svg",
                                                    folder / "comparison.png"};
  write_rows(comparison.rows, files[0]);
  draw_comparison(comparison, {files[1], files[2]});
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
    json["rows"].push_back(std::move(one));
  }
  return json.dump();
}

}  // namespace greybox
