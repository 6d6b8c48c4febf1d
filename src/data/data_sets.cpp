// The command `data`: a data set by name, in the form the examples expect.
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "core/stage_progress.hpp"
#include "data/damped_pendulum.hpp"
#include "data/download_published.hpp"
#include "data/generators.hpp"
#include "data/mistakes.hpp"
#include "data/stand_ins.hpp"
#include "data/table_writer.hpp"
#include "greybox/data.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

constexpr std::array kDefaultOutputs = {"toy.csv", "reaction-diffusion.npz", "pendulum.csv",
                                        "predator-prey.csv", "damped-pendulum.csv"};
constexpr double kBytesPerPoint = 16 * 2 * sizeof(float);  // snapshots of u and v
constexpr double kMostBytes = 16e9;

// Lives as long as the downloaded files are needed.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "greybox-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(),
                              fmt::format("cannot make the folder `{}`", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Before any work is done.
void check_output(const fs::path& output, const DataOptions& options) {
  const Place place{output.string(), ""};
  const std::string ending = default_output(options.set).extension().string();
  if (output.extension() != ending)
    place.refuse(fmt::format("these data go to a file that ends in {}", ending),
                 fmt::format("give option `output` NAME{}", ending));
  if (output.has_parent_path() && !fs::is_directory(output.parent_path()))
    place.refuse(fmt::format("there is no folder {}", output.parent_path().string()),
                 "make the folder first");
  if (fs::is_directory(output)) place.refuse("this is a folder", "name a file with option `output`");
  if (fs::exists(output) && !options.overwrite)
    place.refuse("this file is already there",
                 "write elsewhere with option `output`, or replace it with option `overwrite`");
}

DataTable make_fields(const DataOptions& options) {
  ReactionDiffusionOptions request;
  if (options.size > 0) request.n_sequences = options.size;
  if (options.grid > 0) request.grid_size = options.grid;
  request.n_threads = options.execution.n_threads;
  const auto side = static_cast<double>(request.grid_size);
  const double bytes = kBytesPerPoint * side * side * static_cast<double>(request.n_sequences);
  if (bytes > kMostBytes)
    Place{}.refuse(fmt::format("these fields would take {:.0f} GB of memory", bytes / 1e9),
                   "ask for fewer sequences or a coarser grid");
  const StageProgress progress(options.execution, "reaction–diffusion", "sequences");
  return make_reaction_diffusion(request, options.seed, [&](std::size_t n_done, std::size_t n_total) {
    progress.show(n_done, n_total);
  });
}

DataTable make_pendulums(const DataOptions& options) {
  DampedPendulumOptions request;
  if (options.size > 0) request.n_series = options.size;
  if (!options.stiffness.empty()) {
    request.low = options.stiffness.front();
    request.high = options.stiffness.back();
  }
  return make_damped_pendulum(request, options.seed);
}

DataTable make_stand_in_pendulum(const DataOptions& options) {
  const std::vector<double>& gravity = options.gravity;
  if (gravity.empty()) return make_steered_pendulum(options.seed);
  return make_steered_pendulum(options.seed, GravityRange{gravity.front(), gravity.back()});
}

void check_gravity(const DataOptions& options) {
  if (!options.gravity.empty() && !options.is_simulated)
    Place{}.refuse("the published pendulum has the gravity that it has",
                   "leave out option `gravity`, or ask for the stand-in with option `is_simulated`");
}

// From a file of any name, or from the folder that holds it under its own.
DataTable pendulum_from(const fs::path& from) {
  const DataSource& source = pendulum_sources().front();
  const fs::path file = fs::is_directory(from) ? from / source.name : from;
  const Place place{file.string(), ""};
  if (!fs::is_regular_file(file))
    place.refuse("there is no such file", "give the published file, or nothing to download it");
  if (sha256_of_file(file) != source.sha256)
    place.refuse("not the published file: its SHA-256 is another", "leave out option `from` to download it");
  return convert_pendulum(file);
}

DataTable predator_prey_from(const fs::path& folder) {
  if (!fs::is_directory(folder))
    Place{folder.string(), ""}.refuse("there is no such folder",
                                      "give the folder that holds C1.csv … C10.csv");
  check_sources(folder, predator_prey_sources());
  return convert_predator_prey(folder);
}

DataTable published(const PublishedSet& set, const DataOptions& options,
                    DataTable (*convert)(const fs::path&)) {
  if (!options.from.empty()) return convert(options.from);
  const std::vector<DownloadedFile> files = download_published(set, options.mirror);
  const TemporaryFolder folder;
  for (const DownloadedFile& file : files) write_file_atomically(folder.path() / file.name, file.bytes);
  return convert(folder.path());
}

DataTable table_of(const DataOptions& options) {
  switch (options.set) {
    case DataSet::toy:
      return make_toy(options.seed, options.size > 0 ? options.size : kToyRows);
    case DataSet::reaction_diffusion:
      return make_fields(options);
    case DataSet::pendulum:
      check_gravity(options);
      return options.is_simulated ? make_stand_in_pendulum(options)
                                  : published(published_pendulum(), options, pendulum_from);
    case DataSet::predator_prey:
      return options.is_simulated ? make_plankton(options.seed)
                                  : published(published_predator_prey(), options, predator_prey_from);
    case DataSet::damped_pendulum:
      return make_pendulums(options);
  }
  return {};
}

}  // namespace

fs::path default_output(DataSet set) {
  return kDefaultOutputs[static_cast<std::size_t>(set)];
}

DataReport make_data(const DataOptions& options) {
  const fs::path output = options.output.empty() ? default_output(options.set) : options.output;
  check_output(output, options);
  const DataTable table = table_of(options);
  write_table(output, table);
  return {.file = output,
          .n_rows = table.n_rows(),
          .n_series = table.series.size(),
          .sha256 = sha256_of_file(output)};
}

std::string to_json(const DataReport& report) {
  return nlohmann::ordered_json{{"file", report.file.string()},
                                {"rows", report.n_rows},
                                {"series", report.n_series},
                                {"sha256", report.sha256}}
      .dump();
}

}  // namespace greybox
