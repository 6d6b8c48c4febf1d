#include "analysis/run/kept_estimates.hpp"

#include "core/atomic_file.hpp"
#include "train/run_folder.hpp"

namespace greybox {
namespace {

constexpr const char* kFile = "estimates.json";
constexpr const char* kLock = ".estimates.lock";

}  // namespace

KeptEstimates::KeptEstimates(const OpenedRun& run) {
  const std::filesystem::path folder = run.handle.folder();
  if (folder.empty()) {
    RunState& state = run.handle.state();
    const std::lock_guard lock(state.mutex);
    estimates_ = state.estimates;
    return;
  }
  place_ = (folder / kFile).string();
  estimates_ = read_json_file(folder / kFile).value_or(Json::array());
  JsonValue(estimates_, place_).elements();  // throws unless it is a list
}

std::optional<KeptEstimates::One> KeptEstimates::last_theta() const {
  const std::vector<JsonValue> all = JsonValue(estimates_, place_).elements();
  for (std::size_t k = all.size(); k-- > 0;)
    if (const auto theta = all[k].find("theta")) {
      const auto regularizer = all[k].find("regularizer");
      return One{theta->numbers_by_name(), regularizer ? regularizer->text() : "a regularizer"};
    }
  return std::nullopt;
}

void keep_estimate(const OpenedRun& run, const Json& estimate) {
  const std::filesystem::path folder = run.handle.folder();
  if (folder.empty()) {
    RunState& state = run.handle.state();
    const std::lock_guard lock(state.mutex);
    state.estimates.push_back(estimate);
    return;
  }
  const FileLock lock = FileLock::when_free(folder / kLock);
  Json all = read_json_file(folder / kFile).value_or(Json::array());
  JsonValue(all, (folder / kFile).string()).elements();  // throws unless it is a list
  all.push_back(estimate);
  write_file_atomically(folder / kFile, all.dump(2) + '\n');
}

}  // namespace greybox
