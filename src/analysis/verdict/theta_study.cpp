#include "analysis/verdict/theta_study.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "analysis/theta/theta_box.hpp"
#include "core/median.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

constexpr std::size_t kSpread = 200, kSpreadPerAxis = 40;
// A misfit smaller than this part of the derivatives' variance is rounding.
constexpr double kNoMisfit = 1e-9;
// θ whose misfit exceeds the least by no more than this part of it are never excluded.
constexpr double kMisfitTolerance = 0.05;
constexpr double kMisfitQuantile = 0.95;

struct Task {
  std::size_t source, quantity, axis;
};

class Study {
 public:
  Study(const OpenedRun& run, const MatchedSources& sources, const StudyOptions& options, ThreadPool& pool)
      : run_(run),
        sources_(sources),
        options_(options),
        pool_(pool),
        coordinates_(run.loaded.spec->parameters),
        n_quantities_(run.loaded.model->regularizers.size() + 1) {
    choose_axes();
    resampling_ =
        resample(run.loaded.data->windows(), sources.points.windows, options.n_resamples, options.seed);
    study_.n_windows = sources.points.n_windows();
    study_.n_resamples = options.n_resamples;
    study_.profiles.assign(sources.sources.size(), std::vector<QuantityProfiles>(n_quantities_));
    study_.positions.resize(n_quantities_);
    for (const MatchedSource& source : sources.sources) study_.networks.push_back(source.network);
    make_models();
  }

  ThetaStudy run() {
    study_.spread = spread_points(profile_, kSpread + kSpreadPerAxis * study_.axes.size());
    evaluate_spread();
    n_planned_ = sources_.sources.size() * n_quantities_ * (1 + study_.axes.size());
    const std::size_t misfit = n_quantities_ - 1;
    if (median_of(spread_values_[0][misfit]) > kNoMisfit) {
      study_quantities({misfit});
      set_limit();
    } else {
      n_planned_ -= sources_.sources.size() * (1 + study_.axes.size());
    }
    std::vector<std::size_t> all;
    for (std::size_t q = 0; q < misfit; ++q) all.push_back(q);
    study_quantities(all);
    return std::move(study_);
  }

 private:
  void choose_axes() {
    const std::vector<ParameterSpec>& parameters = run_.loaded.spec->parameters;
    const std::vector<double> middle = ThetaBox(parameters).middle();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const auto held = options_.held.find(parameters[p].name);
      if (held == options_.held.end()) study_.axes.push_back(p);
      profile_.held.push_back(
          coordinates_.coordinate(p, held == options_.held.end() ? middle[p] : held->second));
    }
    profile_.axes = study_.axes;
  }

  // One per source and thread.
  void make_models() {
    const std::vector<double> middle = ThetaBox(run_.loaded.spec->parameters).middle();
    models_.resize(sources_.sources.size());
    for (std::size_t s = 0; s < models_.size(); ++s)
      for (std::size_t t = 0; t < pool_.n_threads(); ++t)
        models_[s].push_back(std::make_unique<MatchedModel>(
            run_.loaded, sources_.points, sources_.sources[s].data, sources_.sources[s].projections, middle));
  }

  // f(thread, task number) for all tasks, and progress from the first thread.
  template <class F>
  void share_out(std::size_t n_tasks, F&& f) {
    std::atomic<std::size_t> next = 0;
    pool_.run(pool_.n_threads(), [&](std::size_t thread) {
      for (std::size_t task = next++; task < n_tasks; task = next++) {
        if (options_.execution.is_cancelled()) return;
        f(thread, task);
      }
    });
    n_done_ += n_tasks;
    progress_.show(std::min(n_done_, n_planned_), n_planned_);
  }

  void evaluate_spread() {
    const std::size_t n_points = study_.spread.size();
    spread_values_.assign(models_.size(),
                          std::vector<std::vector<double>>(n_quantities_, std::vector<double>(n_points)));
    n_planned_ = models_.size() * n_points;
    share_out(models_.size() * n_points, [&](std::size_t thread, std::size_t task) {
      const std::size_t s = task / n_points, i = task % n_points;
      MatchedModel& model = *models_[s][thread];
      model.evaluate(coordinates_.theta(study_.spread[i]));
      for (std::size_t q = 0; q < n_quantities_; ++q) spread_values_[s][q][i] = model.value(q);
    });
    n_done_ = 0;
  }

  Descent descent(std::size_t thread, std::size_t source, std::size_t quantity) {
    MisfitLimit limit = study_.limit;
    if (quantity == n_quantities_ - 1) limit.is_active = false;
    limit.price = std::max(price_[source][quantity], std::numeric_limits<double>::min());
    return {*models_[source][thread], coordinates_, quantity, limit};
  }

  void study_quantities(const std::vector<std::size_t>& quantities) {
    price_.assign(models_.size(), std::vector<double>(n_quantities_));
    std::vector<Task> tasks;
    for (std::size_t s = 0; s < models_.size(); ++s)
      for (std::size_t q : quantities) {
        const std::vector<double>& values = spread_values_[s][q];
        double lowest = std::numeric_limits<double>::infinity();
        for (double value : values) lowest = std::fmin(lowest, value);
        price_[s][q] = 10 * (median_of(values) - lowest);
        tasks.push_back({s, q, 0});
      }
    share_out(tasks.size(), [&](std::size_t thread, std::size_t number) {
      const Task& task = tasks[number];
      Descent down = descent(thread, task.source, task.quantity);
      std::vector<double> values = spread_values_[task.source][task.quantity];
      if (study_.limit.is_active && task.quantity != n_quantities_ - 1)
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = down.value(study_.spread[i]);
      QuantityProfiles found = find_lowest(down, profile_, study_.spread, values);
      found.median = median_of(spread_values_[task.source][task.quantity]);
      study_.profiles[task.source][task.quantity] = std::move(found);
    });
    std::vector<Task> along;
    for (std::size_t q : quantities) {
      const QuantityProfiles& own = study_.profiles[0][q];
      study_.positions[q].resize(study_.axes.size());
      for (std::size_t k = 0; k < study_.axes.size() && !own.best.u.empty(); ++k) {
        study_.positions[q][k] = profile_positions(own, study_.axes[k], study_.axes.size());
        for (std::size_t s = 0; s < models_.size(); ++s) along.push_back({s, q, k});
      }
    }
    for (auto& of_source : study_.profiles)
      for (std::size_t q : quantities) of_source[q].axes.resize(study_.axes.size());
    share_out(along.size(), [&](std::size_t thread, std::size_t number) { profile(thread, along[number]); });
  }

  void profile(std::size_t thread, const Task& task) {
    QuantityProfiles& of_quantity = study_.profiles[task.source][task.quantity];
    if (of_quantity.best.u.empty()) return;
    Descent down = descent(thread, task.source, task.quantity);
    MatchedModel& model = *models_[task.source][thread];
    std::vector<ProfilePoint>& points = of_quantity.axes[task.axis];
    points = profile_along(down, profile_, of_quantity, study_.axes[task.axis],
                           study_.positions[task.quantity][task.axis]);
    for (ProfilePoint& point : points) {
      model.evaluate(coordinates_.theta(point.u));
      const double price = point.value - model.value(task.quantity);
      point.resampled = model.resampled(resampling_)[task.quantity];
      for (double& value : point.resampled) value += price;
    }
  }

  // θ stays as long as its misfit is within what resampling does to the excess of the best one's.
  void set_limit() {
    const QuantityProfiles& profiles = study_.profiles[0].back();
    if (profiles.best.u.empty()) return;
    std::vector<double> lowest(options_.n_resamples, std::numeric_limits<double>::infinity());
    for (const std::vector<ProfilePoint>& axis : profiles.axes)
      for (const ProfilePoint& point : axis)
        for (std::size_t b = 0; b < lowest.size(); ++b) lowest[b] = std::min(lowest[b], point.resampled[b]);
    models_[0][0]->evaluate(coordinates_.theta(profiles.best.u));
    const std::vector<double> at_best = models_[0][0]->resampled(resampling_).back();
    std::vector<double> excess{0};
    for (std::size_t b = 0; b < lowest.size(); ++b) excess.push_back(at_best[b] - lowest[b]);
    std::sort(excess.begin(), excess.end());
    const double by_chance =
        excess[static_cast<std::size_t>(kMisfitQuantile * static_cast<double>(excess.size() - 1))];
    study_.limit.is_active = true;
    study_.limit.limit =
        profiles.best.value + std::max({by_chance, kMisfitTolerance * profiles.best.value, kNoMisfit});
  }

  const OpenedRun& run_;
  const MatchedSources& sources_;
  const StudyOptions& options_;
  ThreadPool& pool_;
  ThetaCoordinates coordinates_;
  std::size_t n_quantities_;
  StageProgress progress_{options_.execution, "verdicts", "profiles"};
  ProfileOptions profile_;
  Resampling resampling_;
  // [source][thread]
  std::vector<std::vector<std::unique_ptr<MatchedModel>>> models_;
  // [source][quantity][point]
  std::vector<std::vector<std::vector<double>>> spread_values_;
  // [source][quantity]: of a misfit beyond the limit.
  std::vector<std::vector<double>> price_;
  ThetaStudy study_;
  std::size_t n_done_ = 0, n_planned_ = 1;
};

}  // namespace

ThetaStudy study_theta(const OpenedRun& run, const MatchedSources& sources, const StudyOptions& options,
                       ThreadPool& pool) {
  return Study(run, sources, options, pool).run();
}

}  // namespace greybox
