#include "train/curves.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/limits.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

constexpr std::string_view kHeader = "epoch,L,R,validation_L,validation_R,rate,multiplier\n";
constexpr std::chrono::milliseconds kFlushInterval{200};

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot write `{}`", file.string()));
}

// The header and the whole rows of epochs 1 … n_epochs, as far as they are there.
std::string rows_to_keep(const std::filesystem::path& file, std::size_t n_epochs) {
  std::string kept(kHeader);
  std::ifstream stream(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!text.starts_with(kHeader)) return kept;
  for (std::size_t begin = kHeader.size(); begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::size_t epoch = 0;
    std::from_chars(text.data() + begin, text.data() + text.size(), epoch);
    if (end == text.npos || epoch == 0 || epoch > n_epochs) break;
    kept.append(text, begin, end + 1 - begin);
    begin = end + 1;
  }
  return kept;
}

// Nothing stands for what was not computed.
std::string cell(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

}  // namespace

Curves::Curves(std::filesystem::path file, std::size_t n_epochs)
    : file_(std::move(file)), last_flush_(std::chrono::steady_clock::now()) {
  write_file_atomically(file_, rows_to_keep(file_, n_epochs));
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) fail(file_);
}

Curves::~Curves() {
  ::close(descriptor_);
}

void Curves::add(const EpochResult& result) {
  fmt::format_to(std::back_inserter(pending_), "{},{},{},{},{},{},{}\n", result.epoch, result.loss,
                 result.regularizer, cell(result.validation.loss), cell(result.validation.regularizer),
                 result.rate, cell(result.multiplier));
  if (std::chrono::steady_clock::now() - last_flush_ > kFlushInterval) flush();
}

void Curves::flush() {
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) fail(file_);
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  }
  pending_.clear();
  last_flush_ = std::chrono::steady_clock::now();
}

std::vector<EpochResult> read_curves(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  const DataTable table = read_table(file, {.series_column = {}, .time_column = "epoch"});
  const auto value = [&](const char* name, std::size_t row) {
    const Column* column = table.find(name);
    return column != nullptr ? column->at(row) : kNaN;
  };
  std::vector<EpochResult> epochs;
  for (std::size_t row = 0; row < table.n_rows(); ++row)
    epochs.push_back({.epoch = static_cast<std::size_t>(table.time[row]),
                      .loss = value("L", row),
                      .regularizer = value("R", row),
                      .validation = {value("validation_L", row), value("validation_R", row)},
                      .rate = value("rate", row),
                      .multiplier = value("multiplier", row)});
  return epochs;
}

}  // namespace greybox
