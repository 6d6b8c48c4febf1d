#include "analysis/explore/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include "analysis/landscape/page_grid.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/run/window_choice.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::array kExploredSplits = {Split::train, Split::validation, Split::test};
// Trajectories of fields are large, and are kept for all windows of an answer.
constexpr std::size_t kMostFieldWindows = 8;
constexpr std::size_t kLeastWindows = 8, kLeastFieldWindows = 1, kMeasuredWindows = 32;
// More expressions than a person types before forgetting the first.
constexpr std::size_t kMostExpressions = 16;
// Predicted at once; after each batch of so many a newer request may take its turn.
constexpr std::size_t kBatchOfWindows = 256;

// Ends an evaluation from inside.
struct EvaluationOver {};

// Of one window: root mean square over all outputs, each in parts of its range.
double window_error(const BoundModel& model, const Prediction& prediction, std::size_t window) {
  double sum = 0, n = 0;
  for (std::size_t o = 0; o < model.observed.size(); ++o) {
    const std::vector<double>& predicted = prediction.variables[o].values;
    const std::vector<double>& measured = prediction.data[model.observed[o].column].values;
    const double range = prediction.outputs[o].rmse / prediction.outputs[o].nrmse;
    const std::size_t size = predicted.size() / prediction.n_windows;
    for (std::size_t i = window * size; i < (window + 1) * size; ++i) {
      const double residual = (predicted[i] - measured[i]) / (std::isfinite(range) ? range : 1);
      if (std::isnan(residual)) continue;
      sum += residual * residual;
      n += 1;
    }
  }
  return std::sqrt(sum / n);
}

PredictionRequest prediction_request(const ExploredModel& model, const ExploredPoint& point,
                                     std::size_t network, std::vector<std::size_t> windows) {
  return {.weights = model.networks->weights[network],
          .windows = std::move(windows),
          .theta = point.theta,
          .keeps_states = true,
          .judges_residuals = false};
}

}  // namespace

ExploreSession::ExploreSession(const Run& run, const Execution& execution)
    : pool_(execution.n_threads), box_(run.model().spec()->parameters), stamp_(stamp_of(run.folder())) {
  const ModelSpec& spec = *run.model().spec();
  if (spec.parameters.empty())
    refuse(spec.source->path, "the model has no parameters to explore",
           "the explorer moves the parameters of a theory: give it some in [parameters]");
  current_ = open_with_networks(run, {});
  for (Split split : kExploredSplits) {
    std::vector<std::size_t> windows = current_->run.loaded.data->of_split(split);
    windows_[static_cast<std::size_t>(split)] =
        spec.grid.is_given ? stratified_draw(windows, kMostFieldWindows) : std::move(windows);
  }
  measure();
}

std::shared_ptr<ExploredModel> ExploreSession::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::shared_ptr<ExploredModel> ExploreSession::open(const Run& run,
                                                    const std::vector<std::string>& expressions) const {
  std::vector<std::string> terms = mean_terms(*run.model().spec(), expressions);
  OpenedRun opened = open_run(run, {{}, terms});
  return std::make_shared<ExploredModel>(std::move(opened), std::move(terms));
}

const std::vector<std::size_t>& ExploreSession::windows_of(Split split) const {
  return windows_[static_cast<std::size_t>(split)];
}

std::size_t ExploreSession::n_most_windows() const {
  std::size_t n = 1;
  for (const std::vector<std::size_t>& windows : windows_) n = std::max(n, windows.size());
  return n;
}

// A coupled model takes all windows at once.
std::size_t ExploreSession::n_per_batch() const {
  const bool is_coupled = current()->run.loaded.plan->is_coupled();
  return is_coupled ? std::max(n_most_windows(), kMostPoints) : std::min(n_most_windows(), kBatchOfWindows);
}

void ExploreSession::make_predictors(ExploredModel& model) {
  model.predictor.emplace(model.run.trained, n_per_batch(), pool_);
  n_per_interval_ = outputs_of_curves(model.run.trained);
  if (n_per_interval_ > 1)
    model.curve_predictor.emplace(model.run.trained, kMostShown, pool_, n_per_interval_);
}

// The second of two evaluations: the first one makes the memory.
void ExploreSession::measure() {
  std::vector<std::size_t> windows;
  for (Split split : {Split::train, Split::validation})
    if (!windows_of(split).empty()) windows = stratified_draw(windows_of(split), kMeasuredWindows);
  if (windows.empty())
    refuse(current_->run.loaded.data->table().file,
           "the data give no training or validation window to look at",
           "give [data] a split with training windows");
  make_predictors(*current_);
  const PredictionRequest request = prediction_request(*current_, {box_.middle()}, 0, windows);
  current_->predictor->predict(request);
  const auto start = std::chrono::steady_clock::now();
  current_->predictor->predict(request);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  pair_seconds_ = taken.count() / static_cast<double>(windows.size());
}

// Powers of two, so that small differences in speed make none in what is shown.
std::size_t ExploreSession::n_affordable(double seconds) const {
  const std::size_t least = current()->run.loaded.spec->grid.is_given ? kLeastFieldWindows : kLeastWindows;
  const double n = std::min(seconds / pair_seconds_, 1e9);
  return std::max(least, std::bit_floor(static_cast<std::size_t>(std::max(n, 1.0))));
}

void ExploreSession::check(const ExploredModel& model, const ExploredPoint& point) const {
  if (point.theta.size() != box_.size() || !box_.contains(point.theta))
    refuse_option("theta", "θ lies outside the bounds of its parameters",
                  "give a value within them for each");
  if (point.network >= model.networks->size())
    refuse_option("network", fmt::format("there is no network {}", point.network),
                  fmt::format("they are counted from 0 to {}", model.networks->size() - 1));
  if (windows_of(point.split).empty())
    refuse_option("split", fmt::format("the data have no {} windows", to_string(point.split)),
                  "look at another split");
  if (point.split == Split::test && !is_test_unlocked_)
    refuse_option("split", "the test windows are locked",
                  "unlock them first: the ledger of the run then says that they were looked at");
}

void ExploreSession::check_shown(const EvaluateRequest& request) const {
  const bool is_algebraic = current()->run.loaded.spec->is_algebraic();
  const std::vector<std::size_t>& all = windows_of(request.point.split);
  const std::size_t n_most = is_algebraic ? kMostPoints : kMostShown;
  if (request.shown.size() > n_most)
    refuse_option("shown", fmt::format("{} windows are more than {}", request.shown.size(), n_most),
                  "ask for fewer at once");
  for (std::size_t window : request.shown)
    if (!std::binary_search(all.begin(), all.end(), window))
      refuse_option(
          "shown", fmt::format("window {} is none of the {} windows", window, to_string(request.point.split)),
          "take one of the list");
}

std::optional<Evaluation> ExploreSession::evaluate(const EvaluateRequest& request, const Ticket& ticket) {
  const std::shared_ptr<ExploredModel> model = current();
  check(*model, request.point);
  check_shown(request);
  record_look(request.point.split);
  const Turns::Turn turn(turns_, request.is_quick ? Urgency::at_once : Urgency::patient);
  try {
    return evaluate_now(*model, request, ticket);
  } catch (const EvaluationOver&) {
    return std::nullopt;
  }
}

// A curve takes a step from each of its outputs to the next at least.
bool ExploreSession::has_time_for(std::size_t n_curves) const {
  return n_curves * n_per_interval_ <= n_quick();
}

// First what is seen, then its summary.
Evaluation ExploreSession::evaluate_now(ExploredModel& model, const EvaluateRequest& request,
                                        const Ticket& ticket) {
  const std::size_t n_networks = model.networks->size();
  const std::size_t chosen = request.point.network;
  const auto go_on = [&](std::size_t, std::size_t) {
    if (is_over(ticket)) throw EvaluationOver();
  };
  go_on(0, 0);
  const auto predict = [&](std::size_t network, const std::vector<std::size_t>& windows) {
    PredictionRequest wanted = prediction_request(model, request.point, network, windows);
    wanted.progress = go_on;
    return model.predictor->predict(wanted);
  };
  const std::vector<std::size_t>& all = windows_of(request.point.split);
  Evaluation result;
  result.n_all = all.size();
  result.windows = request.is_quick ? stratified_draw(all, n_quick()) : all;
  const std::size_t n_others = (n_networks - 1) * request.shown.size();
  const bool has_others = !request.is_quick || n_others <= n_quick();
  const bool has_curves =
      model.curve_predictor && (!request.is_quick || has_time_for(n_networks * request.shown.size()));
  for (std::size_t k = 0; k < n_networks && !request.shown.empty(); ++k) {
    if (k != chosen && !has_others) continue;
    Prediction prediction = predict(k, request.shown);
    if (has_curves) {
      PredictionRequest wanted = prediction_request(model, request.point, k, request.shown);
      wanted.progress = go_on;
      Prediction curves = model.curve_predictor->curves(wanted);
      if (k == chosen) result.curves = std::move(curves);
      if (k != chosen) result.other_curves.push_back(std::move(curves));
    }
    if (k == chosen) result.shown = std::move(prediction);
    if (k != chosen) result.others.push_back(std::move(prediction));
  }
  result.totals = predict(chosen, result.windows);
  for (std::size_t w = 0; w < result.windows.size(); ++w)
    result.window_errors.push_back(window_error(*model.run.trained.model, result.totals, w));
  return result;
}

std::vector<std::string> ExploreSession::add_means(const std::string& expression) {
  const std::shared_ptr<ExploredModel> before = current();
  open_run(before->run.handle, {{}, {expression}, "regularizer"});  // throws where it is none
  std::vector<std::string> expressions;
  {
    const std::lock_guard lock(mutex_);
    expressions = expressions_;
  }
  expressions.push_back(expression);
  if (expressions.size() > kMostExpressions) expressions.erase(expressions.begin());
  std::vector<std::string> terms = mean_terms(*before->run.handle.model().spec(), expressions);
  if (terms == before->terms) return terms;
  const std::shared_ptr<ExploredModel> model = open(before->run.handle, expressions);
  model->networks = before->networks;
  model->epochs_so_far = before->epochs_so_far;
  make_predictors(*model);
  const Turns::Turn turn(turns_, Urgency::at_once);
  const std::lock_guard lock(mutex_);
  expressions_ = std::move(expressions);
  current_ = model;
  return terms;
}

// What the ledger has already is not said again: an explorer is opened many times.
std::vector<std::string> ExploreSession::record_look(Split split) {
  const std::shared_ptr<ExploredModel> model = current();
  if (is_recorded_[static_cast<std::size_t>(split)].exchange(true)) return {};
  const std::optional<RunRecord> record = model->run.handle.record();
  if (!record) return {};
  const LedgerEntry look{"explore", to_string(split), "the explorer showed these windows", ""};
  std::vector<std::string> names;
  for (const Equation& equation : model->run.loaded.spec->regularizers) {
    const auto is_it = [&](const LedgerEntry& entry) {
      return entry.command == look.command && entry.split == look.split && entry.regularizer == equation.name;
    };
    if (std::none_of(record->ledger.begin(), record->ledger.end(), is_it)) names.push_back(equation.name);
  }
  return names.empty() ? names : record_use(model->run, look, names);
}

std::vector<std::string> ExploreSession::unlock_test() {
  if (windows_of(Split::test).empty())
    refuse_option("split", "the data have no test windows", "look at another split");
  is_test_unlocked_ = true;
  return record_look(Split::test);
}

}  // namespace greybox
