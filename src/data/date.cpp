#include "data/date.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "data/number.hpp"

namespace greybox {
namespace {

// Reads an instant from left to right.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  std::optional<double> read() {
    std::optional<int> year, month, day;
    if (rest_.size() > 2 && rest_[2] == '.') {
      day = digits(2);
      month = take('.') ? digits(2) : std::nullopt;
      year = take('.') ? digits(4) : std::nullopt;
    } else {
      year = digits(4);
      const char separator = !rest_.empty() && rest_.front() == '/' ? '/' : '-';
      month = take(separator) ? digits(2) : std::nullopt;
      day = take(separator) ? digits(2) : separator == '-' ? std::optional<int>(1) : std::nullopt;
    }
    if (!year || !month || !day) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    const auto of_day = rest_.empty() ? std::optional<double>(0) : time_of_day();
    if (!of_day || !rest_.empty()) return std::nullopt;
    return 86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + *of_day;
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<int> digits(std::size_t n) {
    if (rest_.size() < n) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      value = 10 * value + (rest_[i] - '0');
    }
    rest_.remove_prefix(n);
    return value;
  }

  std::optional<double> time_of_day() {
    if (!take('T') && !take('t') && !take(' ')) return std::nullopt;
    const auto hour = digits(2);
    if (!hour || !take(':')) return std::nullopt;
    const auto minute = digits(2);
    const auto second = take(':') ? digits(2) : std::optional<int>(0);
    if (!minute || !second || *hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
    const auto zone = fraction_and_zone();
    if (!zone) return std::nullopt;
    return 3600.0 * *hour + 60.0 * *minute + *second + *zone;
  }

  // What the fraction of the second adds and the zone takes off.
  std::optional<double> fraction_and_zone() {
    double sum = 0;
    if (take('.') || take(','))
      for (double unit = 0.1; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; unit /= 10)
        sum += unit * *digits(1);
    if (rest_.empty() || take('Z') || take('z')) return sum;
    const double sign = take('-') ? 1 : take('+') ? -1 : 0;
    const auto hours = digits(2);
    if (sign == 0 || !hours) return std::nullopt;
    take(':');
    const auto minutes = rest_.empty() ? std::optional<int>(0) : digits(2);
    if (!minutes) return std::nullopt;
    return sum + sign * (3600.0 * *hours + 60.0 * *minutes);
  }

  std::string_view rest_;
};

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr auto kUnits = std::to_array<Unit>({
    {"seconds", 1},
    {"minutes", 60},
    {"hours", 3600},
    {"days", 86400},
    {"weeks", 604800},
    {"years", 31557600},  // Julian: 365.25 days
    {"second", 1},
    {"minute", 60},
    {"hour", 3600},
    {"day", 86400},
    {"week", 604800},
    {"year", 31557600},
    {"s", 1},
    {"min", 60},
    {"h", 3600},
    {"d", 86400},
    {"milliseconds", 1e-3},
    {"ms", 1e-3},
    {"us", 1e-6},
    {"µs", 1e-6},
    {"ns", 1e-9},
    {"sec", 1},
    {"secs", 1},
    {"mins", 60},
    {"hr", 3600},
    {"hrs", 3600},
});
constexpr std::size_t kOfficialUnits = 6;

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  return DateReader(text).read();
}

std::string date_text(double seconds) {
  const double day = std::floor(seconds / 86400);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const auto rest = static_cast<int>(std::lround(seconds - 86400 * day));
  if (rest > 0 && rest < 86400)
    text += fmt::format(" {:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
  return text;
}

const std::vector<std::string>& time_units() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < kOfficialUnits; ++i) made.emplace_back(kUnits[i].name);
    return made;
  }();
  return names;
}

std::optional<double> seconds_of(std::string_view unit) {
  for (const Unit& known : kUnits)
    if (known.name == unit) return known.seconds;
  return std::nullopt;
}

std::string_view unit_in_name(std::string_view name) {
  if (seconds_of(name)) return name;
  const std::size_t bracket = name.find_first_of("[(");
  if (bracket != std::string_view::npos) {
    const std::string_view inner = name.substr(bracket + 1);
    name = trimmed(inner.substr(0, inner.find_first_of("])")));
  } else {
    const std::size_t gap = name.find_last_of(" _,/");
    name = gap == std::string_view::npos ? "" : name.substr(gap + 1);
  }
  return seconds_of(name) ? name : "";
}

std::optional<double> parse_duration(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \tsmhdwyun\xc2"), text.size());
  const Cell number = parse_cell(text.substr(0, end));
  if (number.kind != CellKind::number) return std::nullopt;
  const std::string_view own = trimmed(text.substr(end));
  if (own.empty()) return number.value;
  const auto from = seconds_of(own), to = seconds_of(unit);
  if (!from || !to) return std::nullopt;
  return number.value * *from / *to;
}

}  // namespace greybox
