// Explanations as their users ask for them.
#include "greybox/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/explain/dependence.hpp"
#include "analysis/explain/explained_points.hpp"
#include "analysis/explain/formula.hpp"
#include "analysis/explain/term_library.hpp"
#include "analysis/run/theta_choice.hpp"
#include "core/refuse.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostExplainedPoints = 2000;
// Below this share of the largest correction a component counts as having none.
constexpr double kLeastCorrection = 1e-9;
constexpr double kGoodFormula = 0.8;

double root_mean_square(const std::vector<std::vector<double>>& values, std::size_t component) {
  double sum = 0;
  for (const std::vector<double>& point : values) sum += point[component] * point[component];
  return std::sqrt(sum / static_cast<double>(values.size()));
}

ComponentShare share_of(const ExplainedPoints& points, std::size_t component, bool has_time) {
  ComponentShare share{points.components[component],
                       root_mean_square(points.theory, component),
                       root_mean_square(points.network, component),
                       0,
                       {},
                       {},
                       {}};
  const double all = share.theory * share.theory + share.network * share.network;
  share.share = all > 0 ? share.network * share.network / all : 0;
  if (!has_time) return share;
  std::vector<double> n, theory, network, time;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t step = points.step[i];
    for (std::vector<double>* sums : {&n, &theory, &network, &time})
      sums->resize(std::max(sums->size(), step + 1));
    n[step] += 1;
    theory[step] += points.theory[i][component] * points.theory[i][component];
    network[step] += points.network[i][component] * points.network[i][component];
    time[step] += points.time[i];
  }
  for (std::size_t k = 0; k < n.size(); ++k) {
    if (n[k] == 0) continue;
    share.time.push_back(time[k] / n[k]);
    share.theory_over_time.push_back(std::sqrt(theory[k] / n[k]));
    share.network_over_time.push_back(std::sqrt(network[k] / n[k]));
  }
  return share;
}

std::string formula_text(const std::vector<CandidateTerm>& terms) {
  std::string text;
  for (const CandidateTerm& term : terms) {
    const double size = std::abs(term.coefficient);
    const char* sign = term.coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    text += term.text == "1" ? fmt::format("{}{:.4g}", sign, size)
                             : fmt::format("{}{:.4g}*{}", sign, size, term.text);
  }
  return text.empty() ? "0" : text;
}

std::string with_formula(const std::string& theory, const std::string& formula) {
  if (theory == "0") return formula;
  return formula.starts_with('-') ? fmt::format("{} - {}", theory, formula.substr(1))
                                  : fmt::format("{} + {}", theory, formula);
}

FormulaCandidate candidate_for(const OpenedRun& run, const ExplainedPoints& points,
                               const TermLibrary& library, std::size_t component, std::size_t most_terms) {
  FormulaCandidate candidate;
  candidate.component = points.components[component];
  candidate.network = root_mean_square(points.network, component);
  Eigen::VectorXd target(static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    target[static_cast<Eigen::Index>(i)] = points.network[i][component];
  // Points of an algebraic model are windows of their own.
  const FormulaFit fit = fit_formula(library.values, target, points.window, most_terms);
  for (std::size_t k = 0; k < fit.terms.size(); ++k)
    candidate.terms.push_back({library.texts[fit.terms[k]], fit.coefficients[k]});
  candidate.rmse = fit.rmse;
  candidate.rmse_by_size = fit.rmse_by_size;
  const double variance = (target.array() - target.mean()).square().mean();
  candidate.r2 = 1 - fit.rmse * fit.rmse / variance;
  candidate.formula = formula_text(candidate.terms);
  const auto theory = std::ranges::find(run.loaded.spec->theory, candidate.component, &Equation::name);
  candidate.theory =
      with_formula(theory == run.loaded.spec->theory.end() ? "0" : theory->text, candidate.formula);
  return candidate;
}

void add_warnings(const OpenedRun& run, Explanation& explanation) {
  if (run.record && run.record->fit && run.record->fit->word != FitWord::fits)
    explanation.warnings.push_back("the run " + run.record->fit->sentence);
  for (const FormulaCandidate& candidate : explanation.candidates)
    if (!(candidate.r2 >= kGoodFormula))
      explanation.warnings.push_back(
          fmt::format("{}: no formula of at most {} terms stands for the network (R² {:.2f} on windows left "
                      "out); other terms "
                      "may, as option `terms`",
                      candidate.component, candidate.rmse_by_size.size() - 1, candidate.r2));
  if (explanation.candidates.empty())
    explanation.warnings.push_back(
        explanation.dependences.empty()
            ? "the network corrects nothing here: f_D is zero at all points"
            : "there is no formula: it is judged on windows that are left out, and the data have one window");
}

void add_variables(const ExplainedPoints& points, Explanation& explanation) {
  for (std::size_t v = 0; v < points.variables.size(); ++v) {
    ExplainedVariable& variable =
        explanation.variables.emplace_back(ExplainedVariable{points.variables[v], {}});
    for (const std::vector<double>& point : points.values) variable.data.push_back(point[v]);
    std::ranges::sort(variable.data);
  }
}

bool are_of_several_windows(const ExplainedPoints& points) {
  return std::ranges::adjacent_find(points.window, std::ranges::not_equal_to()) != points.window.end();
}

}  // namespace

Explanation explain(const Run& handle, const ExplainOptions& options) {
  if (options.most_terms == 0)
    refuse_option("most_terms", "a formula without terms says nothing", "ask for at least 1");
  const OpenedTarget target = open_target(handle, {options.on, options.data}, {}, {Split::train});
  const OpenedRun& run = target.run;
  const StageProgress stage(options.execution, "explanation", "variables");
  stage.stop_if_cancelled();
  ThreadPool pool(options.execution.n_threads);
  const ExplainedPoints points =
      explained_points(run, target.choice.windows, chosen_theta(run, options.theta, options.theta_from),
                       kMostExplainedPoints, pool);
  Explanation explanation;
  explanation.model = run.loaded.spec->name;
  explanation.theta = theta_by_name(*run.loaded.spec, points.theta);
  for (const ParameterSpec& parameter : run.loaded.spec->parameters)
    explanation.parameters.push_back(parameter.name);
  explanation.on = target.choice.name;
  explanation.n_windows = target.choice.windows.size();
  explanation.n_points = points.size();
  add_variables(points, explanation);
  double largest = 0;
  for (std::size_t c = 0; c < points.components.size(); ++c) {
    explanation.shares.push_back(share_of(points, c, !run.loaded.model->is_algebraic()));
    largest = std::max(largest, explanation.shares.back().network);
  }
  std::vector<std::size_t> corrected;
  for (std::size_t c = 0; c < points.components.size(); ++c)
    if (explanation.shares[c].network > kLeastCorrection * largest) corrected.push_back(c);
  explanation.dependences = partial_dependences(run, points, corrected, stage);
  const TermLibrary library = term_library(run, points, options.terms);
  if (!are_of_several_windows(points)) corrected.clear();
  for (const std::size_t c : corrected)
    explanation.candidates.push_back(candidate_for(run, points, library, c, options.most_terms));
  add_warnings(run, explanation);
  return explanation;
}

}  // namespace greybox
