#include "analysis/reproduce/reproduce_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/atomic_file.hpp"
#include "core/refuse.hpp"
#include "data/download.hpp"
#include "data/json_file.hpp"
#include "greybox/error.hpp"
#include "train/shard_folder.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

constexpr const char *kRecord = "reproduce.json", *kSourceRecord = "data.json";

DataSet data_set_of(Experiment experiment) {
  switch (experiment) {
    case Experiment::toy:
      return DataSet::toy;
    case Experiment::pendulum:
      return DataSet::pendulum;
    case Experiment::reaction_diffusion:
      return DataSet::reaction_diffusion;
    case Experiment::predator_prey:
      return DataSet::predator_prey;
  }
  return DataSet::toy;
}

bool is_published(DataSet set) {
  return set == DataSet::pendulum || set == DataSet::predator_prey;
}

// What results depend on; trials and networks may be added later.
Json identity_of(const ReproduceOptions& options) {
  const Json epochs = options.epochs ? Json(*options.epochs) : Json();
  return {{"experiment", to_string(options.experiment)},
          {"quick", options.quick},
          {"seed", options.seed},
          {"epochs", epochs},
          {"size", options.size},
          {"grid", options.grid}};
}

void refuse_if_other(const fs::path& folder, const Json& identity) {
  const Json kept = read_json_file(folder / kRecord).value_or(Json());
  if (!kept.is_object())
    refuse(folder, "this folder is not empty and holds no reproduction",
           "give a new folder (option `folder`)");
  for (const auto& [key, value] : identity.items())
    if (kept.value(key, Json()) != value)
      refuse(folder,
             fmt::format("the reproduction in this folder has another {}: {}", key,
                         kept.value(key, Json()).dump()),
             "give a new folder (option `folder`), or the options that it was started with");
}

// Nothing is there but what shards that begin at the same time are just writing.
bool is_unclaimed(const fs::path& folder) {
  return std::ranges::all_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with('.');
  });
}

void refuse_wrong_options(const ReproduceOptions& options) {
  if (options.seeds == 0U)
    refuse_option("seeds", "there is no network to look at",
                  "1 is the run's own network; 5 trains four more");
  const auto refuse_useless = [&](const char* option, const char* help) {
    refuse_option(option, fmt::format("this option says nothing about {}", to_string(options.experiment)),
                  help);
  };
  const bool is_field = options.experiment == Experiment::reaction_diffusion;
  if (!is_field && options.size > 0) refuse_useless("size", "it is for reaction-diffusion");
  if (!is_field && options.grid > 0) refuse_useless("grid", "it is for reaction-diffusion");
  if (is_published(data_set_of(options.experiment))) return;
  if (!options.data.empty()) refuse_useless("data", "its data are made; option `seed` draws others");
  if (options.is_simulated) refuse_useless("is_simulated", "its data are made anyway");
}

}  // namespace

ReproduceFolder::ReproduceFolder(const ReproduceOptions& options)
    : name_(to_string(options.experiment)),
      path_(options.folder.empty() ? fs::path("reproduce-" + name_) : options.folder) {
  refuse_wrong_options(options);
  check_shard(options.shard);
  const Json identity = identity_of(options);
  if (fs::exists(path_) && !fs::is_directory(path_))
    refuse(path_, "this is a file, and a reproduction needs a folder", "give a new folder (option `folder`)");
  fs::create_directories(path_);
  if (!fs::exists(path_ / kRecord) && is_unclaimed(path_))
    write_file_atomically(path_ / kRecord, identity.dump(2) + '\n');
  else
    refuse_if_other(path_, identity);
}

fs::path ReproduceFolder::data() const {
  return path_ / (name_ + (name_ == to_string(Experiment::reaction_diffusion) ? ".npz" : ".csv"));
}

fs::path ReproduceFolder::landscape(const std::string& name) const {
  return path_ / "landscapes" / (name + ".json");
}

void ReproduceFolder::write_model(std::string_view text) const {
  write_file_atomically(model(), text);
}

ReproduceFolder::Source ReproduceFolder::make_data(DataOptions request,
                                                   const ReproduceOptions& options) const {
  if (const std::optional<Json> kept = read_json_file(path_ / kSourceRecord); kept && fs::exists(data())) {
    const JsonValue json(*kept, (path_ / kSourceRecord).string());
    const auto warning = json.find("warning");
    return {json.at("data").text(), warning ? warning->text() : ""};
  }
  request.set = data_set_of(options.experiment);
  request.output = data();
  request.overwrite = true;  // without its record, it may be half of an interrupted call
  request.from = options.data;
  request.is_simulated = options.is_simulated;
  Source source;
  source.kind = !is_published(request.set) ? kMade : options.is_simulated ? kStandIn : kPublished;
  try {
    greybox::make_data(request);
  } catch (const DownloadError& error) {
    source.warning =
        fmt::format("the published data cannot be downloaded ({}): using a simulated stand-in", error.what());
    source.kind = kStandIn;
    request.is_simulated = true;
    greybox::make_data(request);
  }
  write_file_atomically(path_ / kSourceRecord,
                        Json{{"data", source.kind}, {"warning", source.warning}}.dump(2) + '\n');
  return source;
}

std::string with_setting(std::string text, const std::string& section, const std::string& key,
                         const std::string& value) {
  const std::size_t table = text.find(fmt::format("\n[{}]", section));
  const std::size_t line =
      table == std::string::npos ? table : text.find(fmt::format("\n{} ", key), table + 1);
  if (line == std::string::npos)
    throw std::logic_error(fmt::format("the model has no `{}` in [{}]", key, section));
  const std::size_t end = text.find('\n', line + 1);
  return text.replace(line, end - line, fmt::format("\n{} = {}", key, value));
}

}  // namespace greybox
