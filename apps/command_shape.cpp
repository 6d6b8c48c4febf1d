#include "command_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace greybox::apps {
namespace {

constexpr const char* kData = "Data";
constexpr const char* kParameters = "Parameters and regularizers";
constexpr const char* kLearning = "Learning";
constexpr const char* kNetworks = "Networks";
constexpr const char* kComputing = "Computation";
constexpr const char* kOutput = "Output";
constexpr const char* kOther = "Options";
constexpr std::array kGroups = {kData, kParameters, kLearning, kNetworks, kOther, kComputing, kOutput};

struct OptionKind {
  const char* flag;
  const char* group;
  const char* value;
};

constexpr const char* kCount = "N";

constexpr std::array kKinds = {
    OptionKind{"--data", kData, "FILE"},
    OptionKind{"--from", kData, "PATH"},
    OptionKind{"--mirror", kData, "ADDRESS"},
    OptionKind{"--simulated", kData, ""},
    OptionKind{"--split", kData, "SPLIT"},
    OptionKind{"--window", kData, "WINDOW"},
    OptionKind{"--on", kData, "SPLIT|FILE"},
    OptionKind{"--sample", kData, kCount},
    OptionKind{"--series", kData, "COLUMN"},
    OptionKind{"--time", kData, "COLUMN"},
    OptionKind{"--missing", kData, "WORD"},
    OptionKind{"--size", kData, kCount},
    OptionKind{"--grid", kData, kCount},
    OptionKind{"--stiffness", kData, "X[,X]"},
    OptionKind{"--gravity", kData, "X[,X]"},
    OptionKind{"--vary", kParameters, "NAME[=LOW:HIGH:POINTS]"},
    OptionKind{"--at", kParameters, "NAME=VALUE,…"},
    OptionKind{"--theta", kParameters, "NAME=VALUE,…"},
    OptionKind{"--view", kParameters, "PLANE"},
    OptionKind{"--regularizer", kParameters, "R"},
    OptionKind{"--beta", kParameters, "X"},
    OptionKind{"--range", kParameters, "NAME=LOW:HIGH,…"},
    OptionKind{"--mode", kLearning, "MODE"},
    OptionKind{"--modes", kLearning, "MODE,…"},
    OptionKind{"--lambda", kLearning, "X"},
    OptionKind{"--epochs", kLearning, kCount},
    OptionKind{"--batch", kLearning, kCount},
    OptionKind{"--rate", kLearning, "FIRST:LAST"},
    OptionKind{"--trials", kLearning, kCount},
    OptionKind{"--amortised", kLearning, ""},
    OptionKind{"--resume", kLearning, ""},
    OptionKind{"--seeds", kNetworks, kCount},
    OptionKind{"--with", kNetworks, "RUN"},
    OptionKind{"--retrain", kNetworks, kCount},
    OptionKind{"--threads", kComputing, kCount},
    OptionKind{"--memory", kComputing, "SIZE"},
    OptionKind{"--precision", kComputing, "PRECISION"},
    OptionKind{"--exact", kComputing, ""},
    OptionKind{"--seed", kComputing, kCount},
    OptionKind{"--output", kOutput, "PATH"},
    OptionKind{"--picture", kOutput, ""},
    OptionKind{"--shown", kOutput, kCount},
    OptionKind{"--width", kOutput, "WIDTH"},
    OptionKind{"--no-title", kOutput, ""},
    OptionKind{"--json", kOutput, ""},
    OptionKind{"--overwrite", kOutput, ""},
    OptionKind{"--force", kOutput, ""},
    OptionKind{"--open", kOutput, ""},
};

bool takes_value(const CLI::Option& option) {
  return option.get_type_size_max() > 0 && option.get_expected_max() > 0;
}

// What "{a,b}" in a type's name lists: checks that are members of a set describe themselves so.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t begin = type.find('{'), end = type.find('}', std::min(begin, type.size()));
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::stringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string one; std::getline(list, one, ',');) choices.push_back(one);
  return choices;
}

std::string value_of(const CLI::Option& option, bool is_argument) {
  if (is_argument) return option.get_name(true);
  if (!takes_value(option)) return {};
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find_first_of(":{ "));
  if (name == "UINT" || name == "INT") return kCount;
  if (name == "FLOAT") return "X";
  if (name.empty() || name == "TEXT") return "TEXT";
  // What checks say about themselves follows; names such as FIRST:LAST have colons too.
  std::size_t end = type.size();
  for (const char* check : {":{", ":UINT in", ":INT in", ":FLOAT in"}) end = std::min(end, type.find(check));
  return type.substr(0, end);
}

OptionShape shape_of(const CLI::Option& option) {
  OptionShape shape;
  if (!option.get_snames().empty()) shape.short_flag = "-" + option.get_snames().front();
  if (!option.get_lnames().empty()) shape.long_flag = "--" + option.get_lnames().front();
  shape.value = value_of(option, shape.is_argument());
  shape.text = option.get_description();
  shape.group = option.get_group();
  shape.choices = choices_in(option.get_type_name());
  shape.is_required = option.get_required();
  shape.is_repeated =
      option.get_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  const bool is_told = shape.text.find("default") != std::string::npos;
  const std::string value = option.get_default_str();
  if (takes_value(option) && !is_told && value != "[]" && value != "{}") shape.default_value = value;
  return shape;
}

// Arguments, then groups in their order, then by the alphabet of the flags as declared.
std::size_t rank_of(const OptionShape& option) {
  if (option.is_argument()) return 0;
  const auto found = std::find(kGroups.begin(), kGroups.end(), option.group);
  return 1 + static_cast<std::size_t>(found - kGroups.begin());
}

const OptionKind* kind_of(const CLI::Option& option) {
  for (const OptionKind& kind : kKinds)
    for (const std::string& name : option.get_lnames())
      if (kind.flag == "--" + name) return &kind;
  return nullptr;
}

CommandShape shape_of(const CLI::App& app, const std::string& before) {
  CommandShape shape;
  shape.name = app.get_name();
  shape.path = before.empty() ? shape.name : before + " " + shape.name;
  shape.about = app.get_description();
  shape.group = app.get_group();
  std::stringstream examples(app.get_footer());
  for (std::string line; std::getline(examples, line);)
    if (!line.empty()) shape.examples.push_back(line);
  for (const CLI::Option* option : app.get_options({}))
    if (!option->get_group().empty()) shape.options.push_back(shape_of(*option));
  std::stable_sort(shape.options.begin(), shape.options.end(),
                   [](const OptionShape& a, const OptionShape& b) { return rank_of(a) < rank_of(b); });
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    shape.commands.push_back(shape_of(*command, shape.path));
  return shape;
}

}  // namespace

std::string OptionShape::names() const {
  if (is_argument()) return value + (is_repeated ? "…" : "");
  std::string flags = short_flag;
  if (!long_flag.empty()) flags += (flags.empty() ? "" : ", ") + long_flag;
  return value.empty() ? flags : flags + " " + value;
}

std::string OptionShape::full_text() const {
  std::string all = text;
  const bool is_listed = std::all_of(choices.begin(), choices.end(), [&](const std::string& choice) {
    return text.find(choice) != std::string::npos;
  });
  if (!is_listed) all += fmt::format("; one of {}", fmt::join(choices, ", "));
  if (!default_value.empty()) all += fmt::format(" [default: {}]", default_value);
  if (is_required && !is_argument()) all += " [required]";
  return all;
}

CommandShape shape_of(const CLI::App& app) {
  std::string before;
  for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent())
    before = parent->get_name() + (before.empty() ? "" : " " + before);
  return shape_of(app, before);
}

void sort_options(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) sort_options(*command);
  for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; })) {
    const OptionKind* kind = kind_of(*option);
    option->group(kind != nullptr ? kind->group : kOther);
    if (kind != nullptr && takes_value(*option)) option->type_name(kind->value);
  }
}

void describe(CLI::App& command, const char* group, const std::vector<std::string>& examples) {
  command.group(group);
  command.footer(fmt::format("{}", fmt::join(examples, "\n")));
}

}  // namespace greybox::apps
