#include "analysis/landscape/page_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "analysis/landscape/adaptivity.hpp"
#include "analysis/landscape/bands.hpp"
#include "core/base64.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Means that stand in an equation, each once, however it is spaced.
void collect_means(const Syntax& syntax, std::string_view text, std::map<std::string, std::string>& found,
                   std::vector<std::string>& terms) {
  if (syntax.kind == SyntaxKind::call && syntax.text == "mean") {
    const std::string term(text.substr(syntax.range.begin, syntax.range.end - syntax.range.begin));
    if (found.emplace(to_mathematics(syntax), term).second) terms.push_back(term);
    return;
  }
  for (const SyntaxPtr& child : syntax.children) collect_means(*child, text, found, terms);
}

std::vector<std::string> useful_means(const ModelSpec& spec) {
  std::vector<std::string> means = {"mean(norm2(network))", "mean(norm2(theory))",
                                    "mean(dot(theory, network))"};
  if (spec.theory.size() > 1)
    for (const Equation& component : spec.theory) {
      means.push_back(fmt::format("mean(norm2(network.{}))", component.name));
      means.push_back(fmt::format("mean(dot(theory.{0}, network.{0}))", component.name));
    }
  return means;
}

Json axes_of(const ThetaGrid& grid) {
  Json axes = Json::array();
  for (const LandscapeAxis& axis : grid.axes)
    axes.push_back({{"name", axis.name},
                    {"unit", axis.unit},
                    {"about", axis.about},
                    {"values", axis.values},
                    {"scale", axis.is_log ? "log" : "linear"}});
  return axes;
}

Json held_by(const ThetaGrid& grid, const std::vector<ParameterSpec>& parameters) {
  Json held = Json::object();
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (std::find(grid.varied.begin(), grid.varied.end(), p) == grid.varied.end())
      held[parameters[p].name] = grid.held[p];
  return held;
}

Json flags_of(const std::vector<std::uint8_t>& flags) {
  return packed_numbers(std::vector<double>(flags.begin(), flags.end()));
}

}  // namespace

Json packed_numbers(std::span<const double> values) {
  static_assert(std::endian::native == std::endian::little, "pages read little-endian numbers");
  const std::vector<float> numbers(values.begin(), values.end());
  return {{"f32", base64(std::as_bytes(std::span(numbers)))}};
}

std::vector<std::string> mean_terms(const ModelSpec& spec, const std::vector<std::string>& regularizers) {
  std::map<std::string, std::string> found;
  std::vector<std::string> terms;
  for (const Equation& equation : spec.regularizers)
    collect_means(*equation.syntax, equation.text, found, terms);
  std::vector<std::string> more = regularizers;
  for (std::string& mean : useful_means(spec)) more.push_back(std::move(mean));
  for (const std::string& text : more) {
    try {
      collect_means(*parse_equation(text), text, found, terms);
    } catch (const EquationError&) {
      continue;  // opening the run with this regularizer tells the user
    }
  }
  return terms;
}

Json page_grid(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
               const ThetaGrid& grid, const GridValues& values, const std::vector<std::string>& terms) {
  const double unit = error_unit(*run.loaded.spec);
  Json json{{"axes", axes_of(grid)},
            {"held", held_by(grid, run.loaded.spec->parameters)},
            {"split", choice.name},
            {"windows", choice.windows.size()},
            {"range", observed_range(run.loaded, choice.windows)},
            {"terms", terms},
            {"networks", Json::array()}};
  std::vector<std::vector<double>> losses;
  for (std::size_t k = 0; k < networks.size(); ++k) {
    losses.push_back(values[k].losses);
    std::vector<double> errors = values[k].losses;
    for (double& error : errors) error *= unit * unit;
    Json means = Json::array();
    for (const std::string& term : terms)
      means.push_back(packed_numbers(values[k].regularizers[regularizer_place(*run.loaded.model, term)]));
    const Adaptivity own = audit_adaptivity(values[k].losses, run);
    json["networks"].push_back({{"seed", networks.seeds[k]},
                                {"terms", means},
                                {"loss", packed_numbers(errors)},
                                {"poor", flags_of(own.is_poor)},
                                {"adaptivity", own.sentence}});
  }
  const Adaptivity audit = audit_adaptivity(network_mean(losses), run);
  json["poor"] = flags_of(audit.is_poor);
  json["adaptivity"] = audit.sentence;
  return json;
}

}  // namespace greybox
