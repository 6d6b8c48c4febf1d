#include "analysis/verdict/theta_study.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "analysis/theta/theta_box.hpp"
#include "core/median.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

constexpr std::size_t kSpread = 200, kSpreadPerAxis = 40;
constexpr double kMisfitQuantile = 0.95;
// In units of the quantity's rise.
constexpr double kPriceOfMisfit = 10;
// Profiles are made again from a lower point than they began at, so many times.
constexpr int kMostRounds = 3;
// Where R falls towards θ that the data exclude, its lowest point moves with the limit. So verdicts must also
// hold for a limit that allows this part of the misfit's excess.
constexpr double kTighter = 0.1;

}  // namespace

class ThetaStudies::Worker {
 public:
  Worker(const OpenedRun& run, const MatchedSources& sources, const StudyOptions& options, ThreadPool& pool)
      : run_(run),
        sources_(sources),
        options_(options),
        pool_(pool),
        coordinates_(run.loaded.spec->parameters),
        n_quantities_(run.loaded.model->regularizers.size() + 1) {
    choose_axes();
    resampling_ =
        resample(run.loaded.data->windows(), sources.points.windows, options.n_resamples, options.seed);
    study_.is_smoothed = !run.loaded.model->is_algebraic();
    study_.n_windows = sources.points.n_windows();
    study_.n_resamples = options.n_resamples;
    make_models();
    study_.spread = spread_points(profile_, kSpread + kSpreadPerAxis * study_.axes.size());
    evaluate_spread();
    n_planned_ = models_.size() * n_quantities_ * (2 + study_.axes.size());
    if (median_of(spread_values_[0][misfit()]) > kNoMisfit) {
      study(misfit());
      set_limits();
      n_planned_ += models_.size() * (n_quantities_ - 1) * (2 + study_.axes.size());
    } else {
      n_planned_ -= models_.size() * (2 + study_.axes.size());
    }
  }

  const ThetaStudy& study(std::size_t quantity) {
    if (quantity_ == quantity) return study_;
    quantity_ = quantity;
    study_.is_of_misfit = quantity == misfit();
    study_.networks.assign(n_studied(), 0);
    for (std::size_t s = 0; s < n_studied(); ++s) study_.networks[s] = sources_.sources[source_of(s)].network;
    study_.profiles.assign(n_studied(), {});
    study_.positions.assign(study_.axes.size(), {});
    find_rises();
    share_out(n_studied(), [&](std::size_t thread, std::size_t s) { find_best(thread, s); });
    for (QuantityProfiles& profiles : study_.profiles) profiles.axes.resize(study_.axes.size());
    if (study_.profiles[0].best.u.empty()) return study_;
    std::vector<std::uint8_t> falls(n_studied(), 1);
    const auto any_falls = [&] { return std::ranges::any_of(falls, [](auto one) { return one != 0; }); };
    for (int round = 0; any_falls() && round < kMostRounds; ++round) {
      make_profiles();
      share_out(n_studied(), [&](std::size_t thread, std::size_t studied) {
        falls[studied] = lower_best(thread, studied) ? 1 : 0;
      });
    }
    study_.still_falls = any_falls();
    return study_;
  }

  const ThetaStudy& last() const { return study_; }

  ProfilePoint lowest_from(const std::vector<double>& u, const std::vector<std::size_t>& free) {
    DescentPoint found = descent(0, 0).minimise(u, free);
    ProfilePoint point{std::move(found.u), found.value, 0, {}};
    resample_at(*models_[0][0], point);
    return point;
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
    const auto n_shown = [&](std::size_t n) { return std::min(n_done_ + n, n_planned_); };
    pool_.run(pool_.n_threads(), [&](std::size_t thread) {
      for (std::size_t task = next++; task < n_tasks; task = next++) {
        if (options_.execution.is_cancelled()) return;
        f(thread, task);
        if (thread == 0) progress_->report(n_shown(task + 1), n_planned_);
      }
    });
    progress_->show(n_shown(n_tasks), n_planned_);
    n_done_ += n_tasks;
  }

  void evaluate_spread() {
    const std::size_t n_points = study_.spread.size();
    spread_values_.assign(models_.size(),
                          std::vector<std::vector<double>>(n_quantities_, std::vector<double>(n_points)));
    n_planned_ = models_.size() * n_points;
    progress_.emplace(options_.execution, "verdicts", "θ of the prior");
    share_out(models_.size() * n_points, [&](std::size_t thread, std::size_t task) {
      const std::size_t s = task / n_points, i = task % n_points;
      MatchedModel& model = *models_[s][thread];
      model.evaluate(coordinates_.theta(study_.spread[i]));
      for (std::size_t q = 0; q < n_quantities_; ++q) spread_values_[s][q][i] = model.value(q);
    });
    n_done_ = 0;
    progress_.emplace(options_.execution, "verdicts", "profiles");
  }

  std::size_t misfit() const { return n_quantities_ - 1; }

  // The sources and, where the data exclude θ, all once more with a tighter limit.
  std::size_t n_studied() const { return models_.size() * (has_limit() ? 2 : 1); }
  bool has_limit() const { return study_.limit.is_active && !study_.is_of_misfit; }
  std::size_t source_of(std::size_t studied) const { return studied % models_.size(); }

  MisfitLimit limit_for(std::size_t studied) const {
    if (!has_limit()) return {};
    MisfitLimit limit = limits_[source_of(studied)];
    if (studied < models_.size()) return limit;
    const double lowest = lowest_misfits_[source_of(studied)];
    limit.unit = limit.limit - lowest;
    limit.limit = lowest + kTighter * limit.unit;
    return limit;
  }

  void find_rises() {
    rises_.clear();
    for (const auto& of_source : spread_values_) {
      const std::vector<double>& values = of_source[quantity_];
      double lowest = std::numeric_limits<double>::infinity();
      for (double value : values) lowest = std::fmin(lowest, value);
      rises_.push_back(median_of(values) - lowest);
    }
  }

  Descent descent(std::size_t thread, std::size_t studied) {
    const std::size_t source = source_of(studied);
    MisfitLimit limit = limit_for(studied);
    limit.price = std::max(kPriceOfMisfit * rises_[source], std::numeric_limits<double>::min());
    return {*models_[source][thread], coordinates_, quantity_, rises_[source], limit};
  }

  void find_best(std::size_t thread, std::size_t studied) {
    Descent down = descent(thread, studied);
    const std::size_t source = source_of(studied);
    std::vector<double> values = spread_values_[source][quantity_];
    if (has_limit())
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = down.value(study_.spread[i]);
    QuantityProfiles found = find_lowest(down, profile_, study_.spread, values);
    found.median = median_of(spread_values_[source][quantity_]);
    study_.profiles[studied] = std::move(found);
  }

  void make_profiles() {
    for (std::size_t k = 0; k < study_.axes.size(); ++k)
      study_.positions[k] = profile_positions(study_.profiles[0], study_.axes[k], study_.axes.size());
    share_out(n_studied() * study_.axes.size(), [&](std::size_t thread, std::size_t task) {
      profile(thread, task % n_studied(), task / n_studied());
    });
  }

  // A descent from the lowest point of all profiles: whether it ends clearly lower than they began.
  bool lower_best(std::size_t thread, std::size_t studied) {
    QuantityProfiles& of_source = study_.profiles[studied];
    if (of_source.best.u.empty()) return false;
    DescentPoint lowest = of_source.best;
    for (const std::vector<ProfilePoint>& axis : of_source.axes)
      for (const ProfilePoint& point : axis)
        if (point.value < lowest.value) lowest = {point.u, point.value};
    const double before = lowest.value;
    lowest = descent(thread, studied).minimise(lowest.u, profile_.axes);
    of_source.last_fall = before - lowest.value;
    if (!(lowest.value < of_source.best.value - valley_rise(of_source))) return false;
    of_source.best = lowest;
    of_source.ends.push_back(std::move(lowest));
    return true;
  }

  void profile(std::size_t thread, std::size_t studied, std::size_t axis) {
    QuantityProfiles& of_source = study_.profiles[studied];
    if (of_source.best.u.empty()) return;
    Descent down = descent(thread, studied);
    MatchedModel& model = *models_[source_of(studied)][thread];
    std::vector<ProfilePoint>& points = of_source.axes[axis];
    points = profile_along(down, profile_, of_source, study_.axes[axis], study_.positions[axis]);
    for (ProfilePoint& point : points) resample_at(model, point);
  }

  void resample_at(MatchedModel& model, ProfilePoint& point) {
    model.evaluate(coordinates_.theta(point.u));
    const double price = point.value - model.value(quantity_);
    point.resampled = model.resampled(resampling_)[quantity_];
    for (double& value : point.resampled) value += price;
  }

  // Of each source: what one smoothing of the data excludes, another may not.
  void set_limits() {
    if (study_.profiles[0].best.u.empty()) return;
    limits_.resize(models_.size());
    lowest_misfits_.resize(models_.size());
    for (std::size_t source = 0; source < models_.size(); ++source)
      if (!study_.profiles[source].best.u.empty()) set_limit(source);
    study_.limit = limits_[0];
  }

  // θ stays as long as its misfit is within what resampling does to the excess of the best one's.
  void set_limit(std::size_t source) {
    const QuantityProfiles& profiles = study_.profiles[source];
    std::vector<double> lowest(options_.n_resamples, std::numeric_limits<double>::infinity());
    for (const std::vector<ProfilePoint>& axis : profiles.axes)
      for (const ProfilePoint& point : axis)
        for (std::size_t b = 0; b < lowest.size(); ++b) lowest[b] = std::min(lowest[b], point.resampled[b]);
    MatchedModel& model = *models_[source][0];
    model.evaluate(coordinates_.theta(profiles.best.u));
    const std::vector<double> at_best = model.resampled(resampling_).back();
    std::vector<double> excess{0};
    for (std::size_t b = 0; b < lowest.size(); ++b) excess.push_back(at_best[b] - lowest[b]);
    std::sort(excess.begin(), excess.end());
    const double by_chance =
        excess[static_cast<std::size_t>(kMisfitQuantile * static_cast<double>(excess.size() - 1))];
    lowest_misfits_[source] = profiles.best.value;
    const double limit = profiles.best.value + allowed_excess(profiles.best.value, by_chance);
    limits_[source] = {.is_active = true, .limit = limit, .unit = limit};
  }

  const OpenedRun& run_;
  const MatchedSources& sources_;
  const StudyOptions& options_;
  ThreadPool& pool_;
  ThetaCoordinates coordinates_;
  std::size_t n_quantities_;
  std::optional<StageProgress> progress_;
  ProfileOptions profile_;
  Resampling resampling_;
  // [source][thread]
  std::vector<std::vector<std::unique_ptr<MatchedModel>>> models_;
  // [source][quantity][point]
  std::vector<std::vector<std::vector<double>>> spread_values_;
  // [source]
  std::vector<MisfitLimit> limits_;
  std::vector<double> lowest_misfits_;
  // Of the quantity over the prior, [source].
  std::vector<double> rises_;
  ThetaStudy study_;
  // That the study is of; none yet.
  std::size_t quantity_ = std::numeric_limits<std::size_t>::max();
  std::size_t n_done_ = 0, n_planned_ = 1;
};

ThetaStudies::ThetaStudies(const OpenedRun& run, const MatchedSources& sources, const StudyOptions& options,
                           ThreadPool& pool)
    : worker_(std::make_unique<Worker>(run, sources, options, pool)) {}

ThetaStudies::~ThetaStudies() = default;

const ThetaStudy& ThetaStudies::study(std::size_t quantity) {
  return worker_->study(quantity);
}

const ThetaStudy& ThetaStudies::last() const {
  return worker_->last();
}

ProfilePoint ThetaStudies::lowest_from(const std::vector<double>& u, const std::vector<std::size_t>& free) {
  return worker_->lowest_from(u, free);
}

}  // namespace greybox
