// Reads [network.NAME].
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "language/lexer_characters.hpp"
#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

constexpr std::size_t max_output_count = 100000;
constexpr double max_weights = 0x1p28;

void read_inputs(TomlDocument& document, Section& section, const toml::table& table, NetworkSpec& spec) {
  const toml::value<std::string>* text = table.get_as<std::string>("inputs");
  spec.reads_window = text != nullptr && text->get() == "window";
  if (spec.reads_window) return;
  if (text != nullptr)
    return section.refuse("inputs", "`inputs` must be a list of equations or \"window\"",
                          fmt::format("write inputs = [\"{}\"]", text->get()));
  for (const Entry& element : section.list("inputs")) spec.inputs.push_back(document.equation(element));
  for (Equation& input : spec.inputs) {
    input.name.clear();
    spec.reads_window = spec.reads_window || input.text == "window" || input.text.starts_with("window.");
    input.where = fmt::format("the inputs of network `{}`", spec.name);
  }
  if (section.is_list("inputs") && spec.inputs.empty())
    section.refuse("inputs", "a network needs at least one input",
                   "list equations, or write inputs = \"window\"");
}

// Which stand behind the inputs.
void read_conditions(TomlDocument& document, Section& section, NetworkSpec& spec) {
  if (!section.has("conditions")) return;
  const std::vector<Entry> elements = section.list("conditions");
  if (!spec.kind->takes_conditions)
    return section.refuse_key("conditions",
                              fmt::format("{} has no weights that conditions could make", spec.kind->noun),
                              "remove it, or write kind = \"mlp\"");
  if (section.is_list("conditions") && elements.empty())
    return section.refuse("conditions", "weights are made of at least one condition",
                          "list equations, or remove it");
  if (spec.inputs.empty() && spec.reads_window)
    return section.refuse("inputs", "the window alone leaves no place for conditions",
                          "write inputs = [\"window\"]");
  for (const Entry& element : elements) {
    spec.inputs.push_back(document.equation(element));
    spec.inputs.back().name.clear();
    spec.inputs.back().where = fmt::format("the conditions of network `{}`", spec.name);
  }
  spec.n_conditions = elements.size();
}

// Weights are made where there are conditions, and only there.
void check_conditions(Section& section, const NetworkSpec& spec) {
  if (!spec.kind->takes_conditions) return;
  const bool is_made = spec.settings.count("weights") > 0, is_given = section.has("conditions");
  if (is_made && !is_given)
    section.refuse("weights",
                   fmt::format("network `{}` names nothing that its weights are to be made of", spec.name),
                   "add what stays the same in a window, such as conditions = [\"k\"]");
  if (!is_made && is_given)
    section.refuse_key(
        "conditions",
        fmt::format("the weights of network `{}` are its own, and not made of conditions", spec.name),
        "add weights = \"film\" or \"hyper\", or list them in `inputs`");
  if (!is_made && section.has("maker"))
    section.refuse_key(
        "maker", fmt::format("the weights of network `{}` are its own, and nothing makes them", spec.name),
        "add weights = \"film\" or \"hyper\", or remove it");
}

// "name" or "name[count]"; nothing when it is neither.
std::optional<OutputSpec> parse_output(std::string_view text) {
  const std::size_t bracket = text.find('[');
  OutputSpec output{
      .name = std::string(text.substr(0, bracket)), .is_vector = bracket != text.npos, .span = {}};
  if (!is_identifier(output.name)) return std::nullopt;
  if (!output.is_vector) return output;
  if (!text.ends_with(']')) return std::nullopt;
  const char* last = text.data() + text.size() - 1;
  const auto [end, error] = std::from_chars(text.data() + bracket + 1, last, output.count);
  if (error != std::errc{} || end != last) return std::nullopt;
  if (output.count == 0 || output.count > max_output_count) return std::nullopt;
  return output;
}

void read_output(TomlDocument& document, const Entry& element, NetworkSpec& spec) {
  const auto* text = element.value->as_string();
  const auto output = text != nullptr ? parse_output(text->get()) : std::nullopt;
  const auto is_same = [&](const OutputSpec& other) { return output && other.name == output->name; };
  if (!output)
    return document.mistakes().add(
        element.value_span, "an output must be a name such as \"y\" or a vector such as \"z[16]\"",
        "names start with a letter; letters, digits and _ may follow; a vector has 1 component or more");
  if (std::ranges::any_of(spec.outputs, is_same))
    return document.mistakes().add(element.value_span,
                                   fmt::format("the output `{}` is listed twice", output->name),
                                   "give every output a name of its own");
  spec.outputs.push_back(*output);
  spec.outputs.back().span = element.value_span;
}

void read_outputs(TomlDocument& document, Section& section, NetworkSpec& spec) {
  const std::vector<Entry> elements = section.list("outputs");
  for (const Entry& element : elements) read_output(document, element, spec);
  if (section.is_list("outputs") && elements.empty())
    section.refuse("outputs", "a network needs at least one output", "name its outputs");
}

// Layers of millions of units are a slip of the pen, and would take all memory of any machine.
void check_size(TomlDocument& document, Section& section, const NetworkSpec& spec) {
  double n_weights = 0, before = static_cast<double>(spec.inputs.size());
  for (const std::size_t width : spec.kind->hidden(spec.settings)) {
    n_weights += before * static_cast<double>(width);
    before = static_cast<double>(width);
  }
  if (n_weights <= max_weights) return;
  document.mistakes().add(
      section.value_place("hidden"),
      fmt::format("network `{}` would have more than {:.2g} weights, and {:.2g} is the most", spec.name,
                  n_weights, max_weights),
      "give it smaller layers");
}

void read_network_scales(Section& section, Scaling scale, NetworkSpec& spec) {
  spec.scale = section.has("scale") ? section.choice<Scaling>("scale") : scale;
  spec.given_scales = {section.numbers("input_mean"), section.numbers("input_scale"),
                       section.numbers("output_scale")};
}

NetworkSpec read_network(TomlDocument& document, const Entry& entry, const toml::table& table,
                         Scaling scale) {
  Section section(document, table_info("network.NAME"), &table, entry.name_span, entry.name);
  NetworkSpec spec;
  spec.name = entry.name;
  spec.span = entry.name_span;
  spec.kind = &network_kinds()[section.choice_index("kind")];
  read_inputs(document, section, table, spec);
  read_conditions(document, section, spec);
  read_outputs(document, section, spec);
  spec.settings = read_network_settings(section, *spec.kind, spec.name);
  check_conditions(section, spec);
  check_size(document, section, spec);
  read_network_scales(section, scale, spec);
  spec.constraints = read_constraints(section, spec);
  return spec;
}

}  // namespace

std::vector<NetworkSpec> read_networks(TomlDocument& document, Scaling scale) {
  std::vector<NetworkSpec> networks;
  for (const Entry& entry : free_entries(document, "network")) {
    if (const toml::table* table = entry.value->as_table())
      networks.push_back(read_network(document, entry, *table, scale));
    else
      document.mistakes().add(entry.name_span,
                              fmt::format("`{}` stands directly under [network]", entry.name),
                              "give the network a name: [network.fD], and its keys below");
  }
  return networks;
}

}  // namespace greybox
