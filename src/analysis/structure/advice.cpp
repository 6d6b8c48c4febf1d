// greybox::advise.
#include "greybox/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/structure/column_spread.hpp"
#include "analysis/structure/input_advice.hpp"
#include "analysis/structure/rate_mismatch.hpp"
#include "core/memory_limit.hpp"
#include "core/random.hpp"
#include "data/independent_windows.hpp"
#include "greybox/counted.hpp"
#include "model/column_profile.hpp"
#include "model/data_report.hpp"
#include "model/engine.hpp"
#include "model/point_evaluator.hpp"
#include "train/auto_recipe.hpp"
#include "train/divergence_search.hpp"
#include "train/first_cost.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr std::size_t kAdviceThetas = 16, kAdviceWindows = 8, kAdviceThetasOfFields = 2,
                      kAdviceWindowsOfFields = 2;
// Fixed steps of Runge–Kutta methods are stable up to about 2 to 3 times the fastest time of the equations; a
// solver that chooses its steps copes with more, at a price.
constexpr double kStableStep = 2, kCostly = 100;
constexpr double kOtherScale = 100;
constexpr std::size_t kFewWindows = 5, kMostColumnsProfiled = 20, kManySnapshots = 100;

struct Item {
  double weight;
  std::string sentence;
};

class Adviser {
 public:
  explicit Adviser(const Dataset& dataset) : loaded_(dataset.loaded()), spec_(*loaded_.spec) {
    for (std::size_t d = 0; d < (spec_.grid.is_given ? kAdviceThetasOfFields : kAdviceThetas); ++d)
      thetas_.push_back(draw(d));
    const std::vector<std::size_t> all = loaded_.data->all();
    const std::size_t n = std::min(all.size(), spec_.grid.is_given ? kAdviceWindowsOfFields : kAdviceWindows);
    for (std::size_t k = 0; k < n; ++k) windows_.push_back(all[k * all.size() / n]);
  }

  Advice advise() {
    measure_divergence();
    if (!spec_.is_algebraic() && !spec_.grid.is_given) measure_stiffness();
    compare_scales();
    look_at_windows();
    look_at_splits();
    look_at_units();
    look_at_inputs();
    std::ranges::stable_sort(items_, [](const Item& a, const Item& b) { return a.weight > b.weight; });
    for (Item& item : items_) advice_.sentences.push_back(std::move(item.sentence));
    add_cost();
    return std::move(advice_);
  }

 private:
  template <class... Arguments>
  void add(double weight, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    items_.push_back({weight, fmt::format(text, std::forward<Arguments>(arguments)...)});
  }

  std::vector<double> draw(std::size_t number) const {
    const Random random(0, Purpose::analysis);
    std::vector<double> theta;
    for (std::size_t p = 0; p < spec_.parameters.size(); ++p) {
      const Prior prior(spec_.parameters[p]);
      theta.push_back(prior.draw(prior.start(), number == 0 ? 0.5 : random.uniform(number, p)));
    }
    return theta;
  }

  std::string text_of(const std::vector<double>& theta) const {
    std::vector<std::string> parts;
    for (std::size_t p = 0; p < theta.size(); ++p)
      parts.push_back(fmt::format("{} = {:.3g}", spec_.parameters[p].name, theta[p]));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // The theory alone: all weights zero, so that networks add nothing.
  void measure_divergence() {
    ThreadPool pool(0);
    Engine<double> engine(loaded_.plan, loaded_.data->windows(), pool, {.capacity = windows_.size()});
    engine.set_weights(std::vector<double>(engine.n_weights()));
    std::size_t n_diverged = 0, window = 0;
    std::vector<double> example;
    for (const std::vector<double>& theta : thetas_) {
      std::vector<double> rows;
      for (std::size_t i = 0; i < windows_.size(); ++i) rows.insert(rows.end(), theta.begin(), theta.end());
      engine.forward({&loaded_.data->windows(), windows_, rows});
      bool diverges = false;
      for (std::size_t i = 0; i < windows_.size(); ++i) {
        if (engine.outcomes()[i] == Outcome::finished && std::isfinite(engine.squared_errors()[i])) continue;
        if (n_diverged == 0) window = windows_[i];
        diverges = true;
      }
      if (!diverges) continue;
      if (n_diverged++ == 0) example = theta;
    }
    advice_.diverging_share = static_cast<double>(n_diverged) / static_cast<double>(thetas_.size());
    if (n_diverged == 0) return;
    if (const std::string fault = fault_at(example, window); !fault.empty()) {
      add(1000 * advice_.diverging_share,
          "the theory alone becomes non-finite at {:.0f} % of the prior: at {} {}",
          100 * advice_.diverging_share, text_of(example), fault);
      return;
    }
    add(1000 * advice_.diverging_share,
        "the theory alone becomes non-finite at {:.0f} % of the prior, such as {}: narrow the priors, "
        "shorten the windows, or "
        "check units{}",
        100 * advice_.diverging_share, text_of(example),
        has_explicit_solver() ? "; where rates are very different, set method = \"auto\" in [solver]" : "");
  }

  // A function of a number that it has no value for, and what helps; empty for other causes.
  std::string fault_at(const std::vector<double>& theta, std::size_t window) const {
    NonFinite cause{.value = NonFiniteValue::state, .window = window, .theta = {}};
    for (std::size_t p = 0; p < theta.size(); ++p)
      cause.theta.emplace_back(spec_.parameters[p].name, theta[p]);
    try {
      const auto site = search_divergence(loaded_, std::vector<double>(loaded_n_weights()), cause);
      if (site && site->kind == DivergenceKind::domain) return site->sentence + ": " + site->remedy;
    } catch (const InputError&) {  // the search may fail where the solver did
    }
    return {};
  }

  bool has_explicit_solver() const {
    return !spec_.is_algebraic() && !spec_.grid.is_given && !spec_.solver.options.tableau->is_implicit();
  }

  // Eigenvalues of ∂f_T/∂s at the windows' first snapshots.
  void measure_stiffness() {
    double fastest = 0;
    std::vector<double> at;
    for (const std::vector<double>& theta : thetas_)
      for (const std::size_t window : windows_) {
        const double rate = fastest_rate(theta, window);
        if (!(rate > fastest)) continue;
        fastest = rate;
        at = theta;
      }
    if (at.empty()) return;
    const IntegratorOptions& solver = spec_.solver.options;
    const double longest = time_summary(loaded_.data->table()).greatest_step;
    const bool is_adaptive = solver.tableau->is_adaptive();
    const double step = solver.step > 0 && !is_adaptive ? std::min(solver.step, longest) : longest;
    advice_.stiffness = fastest * step;
    if (!is_adaptive && advice_.stiffness > kStableStep)
      add(500 + std::min(400.0, advice_.stiffness),
          "the theory has rates up to {:.3g} (at {}), and the solver takes steps of {:.3g}: unstable; set "
          "step = {:.2g} in "
          "[solver]{}",
          fastest, text_of(at), step, kStableStep / fastest / 2,
          advice_.stiffness > kCostly ? ", or method = \"kvaerno5\", or narrow the priors"
                                      : ", or method = \"tsit5\"");
    else if (is_adaptive && !solver.tableau->is_implicit() && advice_.stiffness > kCostly)
      add(50,
          "the theory is stiff: rates up to {:.3g} (at {}) between snapshots {:.3g} apart; {} will take many "
          "steps: set method = \"kvaerno5\" in [solver]",
          fastest, text_of(at), longest, solver.tableau->name);
  }

  double fastest_rate(const std::vector<double>& theta, std::size_t window) {
    try {
      Evaluator evaluator = make_evaluator(loaded_, std::vector<double>(loaded_n_weights()), theta, window);
      const auto n = static_cast<Eigen::Index>(evaluator.n_states());
      std::vector<double> state(evaluator.n_states());
      evaluator.initial_state(state);
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobian(n, n);
      evaluator.jacobian(0, state, std::span(jacobian.data(), static_cast<std::size_t>(n * n)),
                         Evaluator::Quantity::theory);
      if (!jacobian.allFinite()) return 0;
      return jacobian.eigenvalues().cwiseAbs().maxCoeff();
    } catch (const InputError&) {
      return 0;
    }
  }

  std::size_t loaded_n_weights() const { return NetworkSet<double>(*loaded_.model).n_weights(); }

  void compare_scales() {
    if (spec_.scale == Scaling::automatic) return;
    const PreparedData& data = *loaded_.data;
    double least = INFINITY, greatest = 0;
    std::string small, large;
    for (const Observed& observed : loaded_.model->observed) {
      const Column& column = *data.windows().columns[observed.column];
      if (column.is_field()) return;
      const double spread = spread_of(column);
      if (spread > 0 && spread < least) least = spread, small = observed.name;
      if (spread > greatest) greatest = spread, large = observed.name;
    }
    if (greatest > kOtherScale * least)
      add(200,
          "`{}` varies {:.2g} times as much as `{}`: leave out scale = \"none\", or give them like units in "
          "[data.columns]",
          large, greatest / least, small);
  }

  void look_at_windows() {
    if (spec_.is_algebraic()) return;
    const std::size_t n_train = loaded_.data->of_split(Split::train).size();
    if (n_train < kFewWindows)
      add(100, "{}: shorter windows or a smaller stride make more", counted(n_train, "training window"));
    if (!has_profile()) return;
    std::size_t memory = 0;
    for (const ColumnProfile& column : profile().columns)
      for (const Observed& observed : loaded_.model->observed)
        if (column.file_name == observed.name && !column.is_constant)
          memory = std::max(memory, column.memory);
    const std::size_t longest = loaded_.data->windows().longest();
    if (2 * longest < memory && longest < kManySnapshots)
      add(80,
          "windows have at most {} snapshots, and the data take {} to change: longer windows show more of "
          "the parameters",
          longest, memory);
    if (memory > 0 && longest > 20 * memory)
      add(60,
          "windows have up to {} snapshots, and the data change in {}: shorter windows train faster and more "
          "surely",
          longest, memory);
  }

  void look_at_splits() {
    const std::vector<Window>& windows = loaded_.data->windows().windows;
    const std::size_t n_all = count_independent(windows, loaded_.data->all());
    const bool has_validation = !loaded_.data->of_split(Split::validation).empty();
    if (!has_validation && n_all < 2 * kFewestUnits)
      add(70,
          "no window validates: nothing will show overfitting, and the data are too few to hold some back");
    else if (!has_validation)
      add(70, "no window validates: nothing will show overfitting; give `split` a fraction `validation`{}",
          loaded_.data->table().series.size() < 3 ? " with by = \"time\"" : "");
    std::vector<std::size_t> judged = loaded_.data->of_split(Split::validation);
    if (judged.empty()) judged = loaded_.data->of_split(Split::train);
    const std::size_t n_units = count_independent(loaded_.data->windows().windows, judged);
    if (n_units < kFewestUnits)
      add(90,
          "there will be no verdict: the windows to judge by hold {}, and {} are needed; "
          "shorter windows, more series or a larger `validation` make more",
          counted(n_units, "independent one"), kFewestUnits);
  }

  void look_at_units() {
    for (const RateMismatch& one : rate_mismatches(loaded_))
      add(900,
          "`{}` changes in the data {:.2g} times as fast as its equation says, and nothing that is learned "
          "has a "
          "part in that: are times and rates in the same unit?",
          one.state, one.factor);
  }

  bool has_profile() const {
    return !spec_.grid.is_given && loaded_.data->table().columns.size() <= kMostColumnsProfiled;
  }

  const TableProfile& profile() {
    if (!profile_) profile_ = profile_of(loaded_.data->table(), {});
    return *profile_;
  }

  void look_at_inputs() {
    for (const std::string& sentence : wide_priors(spec_)) add(150, "{}", sentence);
    for (const std::string& sentence : crowded_parameters(spec_)) add(75, "{}", sentence);
    if (spec_.is_algebraic() || spec_.inputs.empty() || !has_profile()) return;
    for (const std::string& sentence : ramps_of_steps(spec_, profile())) add(45, "{}", sentence);
    for (const std::string& sentence : series_labels(loaded_, profile())) add(65, "{}", sentence);
  }

  void add_cost() {
    ThreadPool pool(0);
    const TrainSpec train = with_recipe(loaded_.spec->train, loaded_);
    const FirstCost cost = measure_first_cost(loaded_, train, 1, pool);
    advice_.seconds = cost.seconds;
    advice_.megabytes = cost.bytes / 1e6;
    const std::string time = cost.seconds < 120    ? fmt::format("{:.2g} s", cost.seconds)
                             : cost.seconds < 7200 ? fmt::format("{:.0f} minutes", cost.seconds / 60)
                                                   : fmt::format("{:.1f} hours", cost.seconds / 3600);
    advice_.sentences.push_back(
        fmt::format("a training of {} takes about {} and {:.0f} MB on this machine{}",
                    counted(cost.n_epochs, "epoch"), time, advice_.megabytes,
                    most_doublings(train, loaded_) > 0
                        ? fmt::format(", up to {} times as long where errors are slow to fall",
                                      std::size_t{1} << most_doublings(train, loaded_))
                        : ""));
    if (cost.bytes > static_cast<double>(memory_limit()))
      advice_.sentences.insert(
          advice_.sentences.begin(),
          fmt::format(
              "a training would take {} of memory and be refused, because the limit is {}: {}, or raise the "
              "limit (option `memory`)",
              memory_text(cost.bytes), memory_text(static_cast<double>(memory_limit())), kLessMemory));
  }

  const LoadedModel& loaded_;
  const ModelSpec& spec_;
  std::vector<std::vector<double>> thetas_;
  std::vector<std::size_t> windows_;
  std::vector<Item> items_;
  std::optional<TableProfile> profile_;
  Advice advice_;
};

}  // namespace

Advice advise(const Dataset& dataset) {
  return Adviser(dataset).advise();
}

}  // namespace greybox
