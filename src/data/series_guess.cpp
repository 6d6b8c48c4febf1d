#include "data/series_guess.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"
#include "data/date.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

class SeriesGuess {
 public:
  SeriesGuess(const std::filesystem::path& file, const TableOptions& options)
      : reader_(file), cells_(options), file_(file.string()), options_(options) {}

  std::string column() {
    if (!reader_.next(record_)) return {};
    names_.assign(record_.fields.begin(), record_.fields.end());
    cells_.separated_by(reader_.separator());
    const Place header{file_, "header"};
    rename_columns(names_, options_, header);
    time_ = find_roles(names_, options_, header).time;
    is_candidate_.assign(names_.size(), 1);
    if (time_) is_candidate_[*time_] = 0;
    blocks_.resize(names_.size());
    while (reader_.next(record_)) add_row();
    // Experiments one after the other on one clock.
    if (n_restarts_ == 0)
      return has_repeated_time_
                 ? ""
                 : only_one([&](std::size_t i) { return i != time_ && blocks_[i].are_names(); });
    const std::string one =
        only_one([&](std::size_t i) { return is_candidate_[i] != 0 && blocks_[i].are_names(); });
    if (!one.empty()) return one;
    // Several that change where the time starts again, such as a subject's number and weight, tell apart the
    // same.
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (is_candidate_[i] != 0) return names_[i];
    return {};
  }

 private:
  // Words, each in consecutive rows.
  struct Blocks {
    std::set<std::string, std::less<>> seen;
    std::size_t n_rows = 0;
    bool is_broken = false;

    void add(std::string_view text, bool is_word, bool changes) {
      ++n_rows;
      is_broken = is_broken || !is_word || (changes && !seen.emplace(text).second);
    }
    bool are_names() const { return !is_broken && seen.size() > 1 && 2 * seen.size() <= n_rows; }
  };

  template <class F>
  std::string only_one(F&& is_meant) const {
    std::string found;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!is_meant(i)) continue;
      if (!found.empty()) return {};
      found = names_[i];
    }
    return found;
  }

  void add_row() {
    if (record_.fields.size() != names_.size()) return;
    // Without a time, rows are counted.
    const double now = time_ ? cells_.read_time(record_.fields[*time_]).value : last_time_ + 1;
    const bool restarts = !last_.empty() && now < last_time_;
    has_repeated_time_ |= !last_.empty() && now == last_time_;
    n_restarts_ += restarts ? 1 : 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const bool changes = !last_.empty() && record_.fields[i] != last_[i];
      const bool is_word =
          cells_.read(record_.fields[i]).kind == CellKind::text && !parse_date(record_.fields[i]);
      if (!blocks_[i].is_broken) blocks_[i].add(record_.fields[i], is_word, changes || last_.empty());
      if (!last_.empty() && changes != restarts) is_candidate_[i] = 0;
    }
    last_.assign(record_.fields.begin(), record_.fields.end());
    last_time_ = now;
  }

  CsvReader reader_;
  CellReader cells_;
  CsvRecord record_;
  std::string file_;
  const TableOptions& options_;
  std::vector<std::string> names_, last_;
  std::optional<std::size_t> time_;
  std::vector<std::uint8_t> is_candidate_;
  std::vector<Blocks> blocks_;
  double last_time_ = 0;
  bool has_repeated_time_ = false;
  std::size_t n_restarts_ = 0;
};

}  // namespace

std::string guessed_series_column(const std::filesystem::path& file, const TableOptions& options) {
  const bool can_be_read_again = std::filesystem::is_regular_file(file);
  if (!can_be_read_again || file.extension() == ".npz") return {};
  return SeriesGuess(file, options).column();
}

}  // namespace greybox
