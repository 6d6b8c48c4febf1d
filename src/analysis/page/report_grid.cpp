// Landscapes for the report page: not of regularizers but of the means they are made of, so that the page can
// compute any regularizer over them.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/landscape/adaptivity.hpp"
#include "analysis/page/report_parts.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "core/stage_progress.hpp"
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

struct Scanned {
  std::vector<double> losses;
  std::vector<std::vector<double>> terms;
};

// In single precision, as the network was trained and as the page reads the numbers.
Scanned scan(const OpenedRun& run, std::span<const double> weights, const ThetaGrid& grid,
             const ReportGridRequest& request, ThreadPool& pool, const LoopProgress& progress) {
  ThetaScan<float> scanner(run.loaded, weights, request.windows.windows.size(), pool);
  ThetaValues values = scanner.evaluate(request.windows.windows, grid.theta(), progress);
  Scanned scanned{std::move(values.losses), {}};
  for (const std::string& term : request.terms)
    scanned.terms.push_back(std::move(values.regularizers[regularizer_place(*run.loaded.model, term)]));
  return scanned;
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

}  // namespace

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

Json report_grids(const OpenedRun& run, const Networks& networks, const ReportGridRequest& request,
                  ThreadPool& pool) {
  std::size_t n_all = 0, n_before = 0;
  for (const ThetaGrid& grid : request.grids)
    n_all += grid.size() * request.windows.windows.size() * networks.weights.size();
  const StageProgress stage(request.execution, "landscape", kPairs);
  const auto progress = [&](std::size_t n_done, std::size_t n_of_scan) {
    stage.show(n_before + n_done, n_all);
    if (n_done == n_of_scan) n_before += n_of_scan;
  };
  const double unit = error_unit(*run.loaded.spec);
  Json list = Json::array();
  for (const ThetaGrid& grid : request.grids) {
    Json json{{"axes", axes_of(grid)},
              {"held", held_by(grid, run.loaded.spec->parameters)},
              {"split", request.windows.name},
              {"windows", request.windows.windows.size()},
              {"range", observed_range(run.loaded, request.windows.windows)},
              {"terms", request.terms},
              {"networks", Json::array()}};
    for (std::size_t k = 0; k < networks.weights.size(); ++k) {
      const Scanned scanned = scan(run, networks.weights[k], grid, request, pool, progress);
      std::vector<double> errors = scanned.losses;
      for (double& error : errors) error *= unit * unit;
      Json terms = Json::array();
      for (const std::vector<double>& term : scanned.terms) terms.push_back(packed_numbers(term));
      json["networks"].push_back(
          {{"seed", networks.seeds[k]}, {"terms", terms}, {"loss", packed_numbers(errors)}});
      if (k > 0) continue;
      const Adaptivity audit = audit_adaptivity(scanned.losses, run.loss_limit(), unit);
      json["poor"] = packed_numbers(std::vector<double>(audit.is_poor.begin(), audit.is_poor.end()));
      json["adaptivity"] = audit.sentence;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace greybox
