#include "train/curves.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "data/csv_reader.hpp"
#include "data/mistakes.hpp"
#include "data/number.hpp"

namespace greybox {
namespace {

constexpr std::string_view kHeader = "epoch,L,R,validation_L,validation_R,rate,multiplier\n";
constexpr std::chrono::milliseconds kFlushInterval{200};
constexpr std::size_t kReadBytes = std::size_t{1} << 16U;
constexpr std::size_t kMostRows = 1'000'000;
constexpr std::size_t kEveryRow = 100'000;
constexpr std::size_t kMostReadings = 10;

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot write `{}`", file.string()));
}

// How many bytes the header and the whole rows of epochs 1 … n_epochs take, as far as they are there; 0 when
// the file is not one of ours. Rows are short: a longer one is damage.
std::uint64_t bytes_to_keep(int file, std::size_t n_epochs) {
  std::string text(kReadBytes, '\0');
  std::uint64_t kept = 0;
  while (true) {
    const ssize_t n = ::pread(file, text.data(), text.size(), static_cast<off_t>(kept));
    std::string_view rest = std::string_view(text).substr(0, n > 0 ? static_cast<std::size_t>(n) : 0);
    if (kept == 0 && !rest.starts_with(kHeader)) return 0;
    const std::uint64_t before = kept;
    if (kept == 0) kept = kHeader.size(), rest.remove_prefix(kHeader.size());
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      std::size_t epoch = 0;
      std::from_chars(rest.data(), rest.data() + end, epoch);
      if (epoch == 0 || epoch > n_epochs) return kept;
      kept += end + 1;
      rest.remove_prefix(end + 1);
    }
    if (kept == before) return kept;
  }
}

// Nothing stands for what was not computed, or is no number.
std::string cell(double value) {
  return !std::isfinite(value) ? "" : fmt::format("{}", value);
}

EpochResult result_from(const std::vector<std::string>& names, const CsvRecord& record,
                        const std::filesystem::path& file) {
  const auto refuse_row = [&](const std::string& what) {
    refuse(file, fmt::format("row {}: {}", record.line, what), "remove the row, or the file");
  };
  if (record.fields.size() != names.size()) refuse_row("another number of cells than in the header");
  const auto value = [&](const char* name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return kNaN;
    const std::string_view text = record.fields[static_cast<std::size_t>(found - names.begin())];
    const Cell cell = parse_cell(text);
    if (cell.kind == CellKind::text)
      refuse_row(fmt::format("`{}` is {}, and not a number", name, in_backquotes(text)));
    return cell.kind == CellKind::number ? cell.value : kNaN;
  };
  const double epoch = value("epoch");
  if (!(epoch >= 1 && epoch <= 0x1p53)) refuse_row("`epoch` is not a number of epochs");
  return {.epoch = static_cast<std::size_t>(epoch),
          .loss = value("L"),
          .regularizer = value("R"),
          .validation = {value("validation_L"), value("validation_R")},
          .rate = value("rate"),
          .multiplier = value("multiplier")};
}

bool ends_with_a_line(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  stream.seekg(-1, std::ios::end);
  return stream.get() == '\n';
}

std::vector<EpochResult> read_rows(const std::filesystem::path& file) {
  CsvReader reader(file);
  CsvRecord record;
  std::vector<EpochResult> epochs;
  if (!reader.next(record)) return epochs;
  const std::vector<std::string> names(record.fields.begin(), record.fields.end());
  std::size_t every = 1;
  for (std::size_t row = 0; reader.next(record); ++row) {
    if (row % every != 0) continue;
    try {
      epochs.push_back(result_from(names, record, file));
    } catch (const InputError&) {
      // The last row of a training that was killed may be half written.
      if (reader.next(record) || ends_with_a_line(file)) throw;
      break;
    }
    if (epochs.size() < kMostRows) continue;
    every *= 2;
    for (std::size_t i = 0; 2 * i < epochs.size(); ++i) epochs[i] = epochs[2 * i];
    epochs.resize((epochs.size() + 1) / 2);
  }
  return epochs;
}

}  // namespace

bool has_row(std::size_t epoch) {
  std::size_t every = 1;
  for (std::size_t most = kEveryRow; epoch > most; most *= 10) every *= 10;
  return epoch % every == 0;
}

Curves::Curves(const std::filesystem::path& file, std::size_t n_epochs)
    : last_flush_(std::chrono::steady_clock::now()) {
  file_ = open_to_append(file);
  const std::uint64_t n_bytes = bytes_to_keep(file_.number(), n_epochs);
  if (::ftruncate(file_.number(), static_cast<off_t>(n_bytes)) != 0) fail(file);
  if (n_bytes == 0) file_.write(kHeader);
}

void Curves::add(const EpochResult& result) {
  fmt::format_to(std::back_inserter(pending_), "{},{},{},{},{},{},{}\n", result.epoch, cell(result.loss),
                 cell(result.regularizer), cell(result.validation.loss), cell(result.validation.regularizer),
                 result.rate, cell(result.multiplier));
  if (std::chrono::steady_clock::now() - last_flush_ > kFlushInterval) flush();
}

void Curves::flush() {
  file_.write(pending_);
  pending_.clear();
  last_flush_ = std::chrono::steady_clock::now();
}

std::vector<EpochResult> read_curves(const std::filesystem::path& file) {
  for (std::size_t reading = 1; std::filesystem::exists(file); ++reading) {
    std::error_code none;
    const std::uintmax_t n_bytes = std::filesystem::file_size(file, none);
    try {
      return read_rows(file);
    } catch (const InputError&) {
      // A row that a training is writing at this moment is whole in the next.
      if (reading == kMostReadings || std::filesystem::file_size(file, none) == n_bytes) throw;
    }
  }
  return {};
}

}  // namespace greybox
