#include "analysis/estimate/amortised_folder.hpp"

#include "core/atomic_file.hpp"
#include "model/weights.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

constexpr const char* kKey = "amortised";

Json record_of(const OpenedRun& run, const TrainedEstimator& trained) {
  Json record = read_record(run.folder);
  record[kKey] = trained.options;
  record[kKey]["from"] = std::filesystem::absolute(run.folder).lexically_normal().string();
  record["L"] = trained.result.loss;
  record["R"] = trained.result.regularizer;
  record["ledger"].push_back(to_json(LedgerEntry{"estimate --amortised", "train", "weights of the estimator",
                                                 trained.options.at("regularizer").get<std::string>()}));
  return record;
}

}  // namespace

std::filesystem::path amortised_folder(const std::filesystem::path& run) {
  std::filesystem::path folder = (run / "").parent_path();
  folder += "-amortised";
  return folder;
}

Json estimator_record(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / kRecordName)) return nullptr;
  const Json record = read_record(run);
  return record.contains(kKey) ? record.at(kKey) : Json(nullptr);
}

void write_amortised_run(const OpenedRun& run, const RunFolder& folder, const TrainedEstimator& trained) {
  write_file_atomically(folder.model(), run.loaded.spec->source->text);
  const NetworkSet<double> networks(*run.loaded.model);
  write_npz(folder.weights(), weight_arrays<double>(networks.tensors(), trained.result.weights));
  write_record(folder.path(), record_of(run, trained));  // last: only now is it a run
}

}  // namespace greybox
