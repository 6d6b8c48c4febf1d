#include "data/json_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/descriptor.hpp"
#include "core/limits.hpp"
#include "core/memory_limit.hpp"
#include "core/refuse.hpp"
#include "data/utf8.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostJsonDepth = 64;
// Finding a name among the members of an object looks at one after the other.
constexpr std::size_t kMostMembers = 2'000;
// Whole numbers up to here are exact in double precision.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53U;
constexpr const char* kHelp = "remove the file, and run the command that makes it again";

// A number in an array takes two bytes in the file and up to 64 in memory while the array grows.
std::uintmax_t most_json_bytes() {
  return std::min<std::uintmax_t>(std::uintmax_t{1} << 28U, memory_limit() / 32);
}

// Refuses what nests too deep or has too many members, before anything is kept of it.
class JsonLimits final : public Json::json_sax_t {
 public:
  explicit JsonLimits(const std::filesystem::path& file) : file_(file) {}

  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string&) override {
    if (++n_members_.back() > kMostMembers)
      refuse(file_, fmt::format("an object of the JSON has more than {} members", kMostMembers), kHelp);
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  // Whoever reads the values says it.
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  bool open() {
    n_members_.push_back(0);
    if (n_members_.size() > kMostJsonDepth)
      refuse(file_, fmt::format("the JSON is nested more than {} deep", kMostJsonDepth), kHelp);
    return true;
  }
  bool close() {
    n_members_.pop_back();
    return true;
  }

  std::filesystem::path file_;
  std::vector<std::size_t> n_members_;  // of the objects and lists that are open
};

// Two readings: one that looks while it keeps the values goes through a list again after each of its objects.
Json parse_json(std::string_view text, const std::filesystem::path& file) {
  JsonLimits limits(file);
  Json::sax_parse(text.begin(), text.end(), &limits);
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::exception& problem) {
    // After "[json.exception.parse_error.101] ", which says nothing to the reader.
    const std::string_view what = problem.what();
    const std::size_t end = what.find("] ");
    refuse(file, fmt::format("this is not valid JSON ({})", end == what.npos ? what : what.substr(end + 2)),
           kHelp);
  }
}

// As many bytes as it had when it was opened.
std::string all_of(const Descriptor& descriptor, std::size_t size, const std::filesystem::path& file) {
  std::string text(size, '\0');
  std::size_t n_read = 0;
  while (n_read < size) {
    const ssize_t n = ::read(descriptor.number(), text.data() + n_read, size - n_read);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(file, "the file cannot be read", "check its permissions");
    if (n == 0) break;
    n_read += static_cast<std::size_t>(n);
  }
  text.resize(n_read);
  return text;
}

}  // namespace

void JsonValue::refuse(const std::string& expected) const {
  greybox::refuse(file_,
                  place_.empty() ? fmt::format("this is not {}", expected)
                                 : fmt::format("`{}` is not {}", place_, expected),
                  kHelp);
}

JsonValue JsonValue::at(const std::string& name) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(name);
  if (found == json_->end())
    greybox::refuse(file_, fmt::format("`{}{}{}` is missing", place_, place_.empty() ? "" : ".", name),
                    kHelp);
  return {*found, file_, place_.empty() ? name : place_ + "." + name};
}

std::optional<JsonValue> JsonValue::find(const std::string& name) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(name);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return at(name);
}

std::vector<JsonValue> JsonValue::elements() const {
  if (!json_->is_array()) refuse("a list");
  std::vector<JsonValue> values;
  for (std::size_t i = 0; i < json_->size(); ++i)
    values.push_back(JsonValue((*json_)[i], file_, fmt::format("{}[{}]", place_, i)));
  return values;
}

std::vector<std::string> JsonValue::names() const {
  if (!json_->is_object()) refuse("an object");
  std::vector<std::string> names;
  for (const auto& [name, value] : json_->items()) names.push_back(name);
  return names;
}

std::string JsonValue::text() const {
  if (!json_->is_string()) refuse("text");
  std::string text = json_->get<std::string>();
  if (has_control_characters(text)) refuse("text without control characters");
  return text;
}

bool JsonValue::boolean() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

double JsonValue::number() const {
  if (json_->is_null()) return kNaN;
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

std::uint64_t JsonValue::whole_number() const {
  if (!json_->is_number_unsigned()) refuse("a whole number of 0 or more");
  return json_->get<std::uint64_t>();
}

std::size_t JsonValue::count() const {
  const std::uint64_t value = whole_number();
  if (value > kMostCount) refuse("a number of things");
  return value;
}

std::vector<double> JsonValue::numbers() const {
  std::vector<double> values;
  for (const JsonValue& element : elements()) values.push_back(element.number());
  return values;
}

std::vector<std::string> JsonValue::texts() const {
  std::vector<std::string> values;
  for (const JsonValue& element : elements()) values.push_back(element.text());
  return values;
}

std::map<std::string, double> JsonValue::numbers_by_name() const {
  std::map<std::string, double> values;
  for (const std::string& name : names()) values[name] = at(name).number();
  return values;
}

std::optional<Json> read_json_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  const Descriptor descriptor = open_to_read(file);
  struct stat status {};
  ::fstat(descriptor.number(), &status);
  if (static_cast<std::uintmax_t>(status.st_size) > most_json_bytes())
    refuse(file,
           fmt::format("the file is larger than {}", memory_text(static_cast<double>(most_json_bytes()))),
           kHelp);
  return parse_json(all_of(descriptor, static_cast<std::size_t>(status.st_size), file), file);
}

Json read_json_text(std::string_view text, const std::string& name) {
  if (!is_utf8(text)) refuse(name, "this is not UTF-8", kHelp);
  return parse_json(text, name);
}

}  // namespace greybox
