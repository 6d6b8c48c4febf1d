#include "train/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "model/engine.hpp"
#include "model/reachable.hpp"
#include "model/theta.hpp"
#include "train/prior.hpp"
#include "train/tailoring.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFitDraws = 48, kFitWindows = 48, kFitDrawsOfFields = 4, kFitWindowsOfFields = 4;
// Rounds of draws around the best θ so far, each over a smaller part of the prior.
constexpr std::size_t kFitRounds = 3;
constexpr double kFitShrink = 0.25;
// Shares of variance: below the first nothing is learned, below the second something is missing; a model that
// explains more than the third is not asked to beat its theory.
constexpr double kNothingLearned = 0.5, kWellLearned = 0.9, kNearlyAll = 0.99;
// Times the mean squared error of the theory alone: worse than without the network.
constexpr double kWorse = 3;
// Times L of the training windows: what was learned there does not hold elsewhere.
constexpr double kByHeart = 4;
// A refit that leaves less than this part of the squared error has mended it.
constexpr double kMended = 0.7;
// θ fits about as well when its error is within this factor, or well in itself.
constexpr double kAboutAsGood = 4;
// θ that fit have a parameter's values in common when they take less than this part of what was tried.
constexpr double kMostOfRange = 0.7;
// Where fewer θ than this part of the prior fit, something keeps the network from adapting.
constexpr double kMostOfPrior = 0.9;
// Part of the variance that counts as signal at least, however large the noise.
constexpr double kLeastSignal = 0.01;

using Errors = std::vector<double>;  // mean squared, per observed variable

class FitJudge {
 public:
  FitJudge(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool)
      : loaded_(loaded), request_(request), pool_(&pool), has_fields_(loaded.spec->grid.is_given) {
    choose_windows();
    engine_ = std::make_unique<Engine<float>>(loaded.plan, loaded.data->windows(), pool,
                                              EngineOptions{.capacity = windows_.size()});
    read_data();
  }

  FitJudgement judge() {
    set_weights(request_.weights);
    std::vector<Errors> errors;
    const auto [thetas, quantiles] = own_thetas();
    for (const std::vector<double>& theta : thetas) errors.push_back(errors_at(theta));
    std::vector<double> scaled;
    for (const Errors& one : errors) scaled.push_back(scaled_error(one));
    const auto best =
        static_cast<std::size_t>(std::min_element(scaled.begin(), scaled.end()) - scaled.begin());
    FitJudgement fit;
    fit.split = split_;
    fit.n_windows = windows_.size();
    FittingTheta fitting{errors[best], thetas[best], {}};
    if (!quantiles.empty()) {
      fitting.quantiles = quantiles[best];
      refine(fitting);
    }
    const double least = scaled_error(fitting.errors);
    noise_ = noise_at(fitting.theta);
    const FittingTheta theory = fit_theory();
    describe(fitting.errors, theory.errors, fit);
    fit.loss_limit = std::max(kAboutAsGood * loss_of(fitting.errors), (1 - kWellLearned) * loss_of(guesses_));
    std::vector<bool> fits;
    for (const Errors& one : errors) fits.push_back(loss_of(one) <= fit.loss_limit);
    fit.share = static_cast<double>(std::ranges::count(fits, true)) / static_cast<double>(fits.size());
    if (!std::isfinite(least)) {
      fit.word = FitWord::does_not_fit;
      fit.sentence =
          "does not fit: no θ gives finite predictions; check the scales of states and parameters, or narrow "
          "the priors";
      return fit;
    }
    is_by_heart_ = split_ == "validation" && loss_of(errors[best]) > kByHeart * request_.objective.loss;
    decide(fit);
    if (fit.word == FitWord::does_not_fit && fits_where_theory_does(theory, fit)) return fit;
    if (is_held_back(request_.objective) && (fit.word != FitWord::fits || fit.share < kMostOfPrior)) {
      fit.sentence += "; " + adaptation_cure(request_.objective);
      return fit;
    }
    if (fits_only_in_part_) fits_at_ = range_that_fits(thetas, fits);
    if (fit.word != FitWord::fits) advise(fit, refit(fitting.theta, fit) / least);
    return fit;
  }

 private:
  void choose_windows() {
    for (const auto& [split, name] :
         {std::pair(Split::validation, "validation"), std::pair(Split::train, "train")}) {
      windows_ = loaded_.data->of_split(split);
      split_ = name;
      if (!windows_.empty()) break;
    }
    const std::size_t most = has_fields_ ? kFitWindowsOfFields : kFitWindows;
    if (windows_.size() <= most) return;
    std::vector<std::size_t> some;
    for (std::size_t k = 0; k < most; ++k) some.push_back(windows_[k * windows_.size() / most]);
    windows_ = std::move(some);
  }

  // f(observed, sample, output, row, first row) for everything that is compared.
  template <class F>
  void for_compared(F&& f) const {
    const WindowData& data = loaded_.data->windows();
    const std::size_t n_given = loaded_.model->is_algebraic() ? 0 : 1;
    for (std::size_t o = 0; o < loaded_.model->observed.size(); ++o)
      for (std::size_t i = 0; i < windows_.size(); ++i) {
        const Window& window = data.windows[windows_[i]];
        for (std::size_t k = n_given; k < window.n_rows; ++k)
          f(o, i, k - n_given, window.first_row + k, window.first_row);
      }
  }

  std::size_t points_of(std::size_t observed) const {
    return loaded_.model->points(loaded_.model->graph[loaded_.model->observed[observed].value].shape);
  }

  const Column& column_of(std::size_t observed) const {
    return *loaded_.data->windows().columns[loaded_.model->observed[observed].column];
  }

  // Variance, range and the errors of guesses.
  void read_data() {
    const std::size_t n = loaded_.model->observed.size();
    std::vector<double> count(n), sum(n), squares(n), held(n), held_count(n);
    std::vector<double> lowest(n, std::numeric_limits<double>::infinity()), highest(n, -lowest[0]);
    for_compared([&](std::size_t o, std::size_t, std::size_t, std::size_t row, std::size_t first_row) {
      for (std::size_t point = 0; point < points_of(o); ++point) {
        const double value = column_of(o).at(row, point), first = column_of(o).at(first_row, point);
        if (!std::isfinite(value)) continue;
        count[o] += 1;
        sum[o] += value;
        squares[o] += value * value;
        if (std::isfinite(first)) {
          held[o] += (value - first) * (value - first);
          held_count[o] += 1;
        }
        lowest[o] = std::min(lowest[o], value);
        highest[o] = std::max(highest[o], value);
      }
    });
    for (std::size_t o = 0; o < n; ++o) {
      const double variance = squares[o] / count[o] - std::pow(sum[o] / count[o], 2);
      variances_.push_back(std::max(variance, std::numeric_limits<double>::min()));
      ranges_.push_back(highest[o] - lowest[o]);
      const double of_first = loaded_.model->is_algebraic() ? variance : held[o] / held_count[o];
      guesses_.push_back(std::min(variance, std::isfinite(of_first) ? of_first : variance));
    }
  }

  void set_weights(std::span<const double> weights) {
    const std::vector<float> own(weights.begin(), weights.end());
    engine_->set_weights(own);
  }

  struct Draws {
    // No quantiles where θ is given.
    std::vector<std::vector<double>> theta, quantiles;
  };

  // A θ and what it leaves.
  struct FittingTheta {
    Errors errors;
    std::vector<double> theta, quantiles;
  };

  Draws own_thetas() const {
    if (request_.uses_estimator) return {.theta = std::vector<std::vector<double>>(1), .quantiles = {}};
    if (!request_.theta.empty()) {
      std::vector<double> theta;
      for (const ParameterSpec& parameter : loaded_.spec->parameters)
        theta.push_back(request_.theta.at(parameter.name));
      return {.theta = {theta}, .quantiles = {}};
    }
    return draw(0, {}, 1);
  }

  void search(std::uint64_t stream, double part, FittingTheta& best) {
    const Draws draws = draw(stream, best.quantiles, part);
    for (std::size_t d = 0; d < draws.theta.size(); ++d) {
      Errors errors = errors_at(draws.theta[d]);
      if (!best.errors.empty() && scaled_error(errors) >= scaled_error(best.errors)) continue;
      best = {std::move(errors), draws.theta[d], draws.quantiles[d]};
    }
  }

  // Draws around the best θ so far.
  void refine(FittingTheta& best) {
    double part = kFitShrink;
    for (std::size_t round = 1; round < kFitRounds; ++round, part *= kFitShrink)
      search(1 + round, part, best);
  }

  // Of the prior; with a centre, of the part of it around there (in quantiles).
  Draws draw(std::uint64_t stream, const std::vector<double>& centre, double part) const {
    const Random random(stream, Purpose::analysis);
    Draws draws;
    for (std::size_t d = 0; d < (has_fields_ ? kFitDrawsOfFields : kFitDraws); ++d) {
      std::vector<double> theta, quantiles;
      for (std::size_t p = 0; p < loaded_.spec->parameters.size(); ++p) {
        const Prior prior(loaded_.spec->parameters[p]);
        double u = d == 0 ? 0.5 : random.uniform(d, p);
        if (!centre.empty())
          u = d == 0 ? centre[p] : std::clamp(centre[p] + part * (u - 0.5), 1e-6, 1 - 1e-6);
        quantiles.push_back(u);
        theta.push_back(prior.draw(prior.start(), u));
      }
      draws.theta.push_back(std::move(theta));
      draws.quantiles.push_back(std::move(quantiles));
    }
    return draws;
  }

  // The mean of f(observed, index among the kept values, predicted, measured) for each observed variable;
  // infinite where a trajectory becomes non-finite.
  template <class F>
  Errors means_at(const std::vector<double>& theta, Trajectories<float>& kept, F&& f) {
    const std::size_t n_observed = loaded_.model->observed.size(), n_steps = engine_->n_outputs();
    const PointRows rows = rows_at(theta);
    for (std::size_t o = 0; o < n_observed; ++o)
      kept.observed.emplace_back(windows_.size() * n_steps * points_of(o));
    engine_->forward({&loaded_.data->windows(), windows_, rows.theta, rows.draws}, &kept);
    for (Outcome outcome : engine_->outcomes())
      if (outcome != Outcome::finished) return Errors(n_observed, std::numeric_limits<double>::infinity());
    Errors sums(n_observed), counts(n_observed);
    for_compared([&](std::size_t o, std::size_t i, std::size_t k, std::size_t row, std::size_t) {
      for (std::size_t point = 0; point < points_of(o); ++point) {
        const double measured = column_of(o).at(row, point);
        if (!std::isfinite(measured)) continue;
        const std::size_t index = (i * n_steps + k) * points_of(o) + point;
        sums[o] += f(o, index, static_cast<double>(kept.observed[o][index]), measured);
        counts[o] += 1;
      }
    });
    for (std::size_t o = 0; o < n_observed; ++o) sums[o] /= counts[o];
    return sums;
  }

  struct PointRows {
    std::vector<float> theta, draws;
  };
  // θ of every window, and latents that adapt. The theory alone is judged at one θ for all of them.
  PointRows rows_at(const std::vector<double>& theta) const {
    TailoredWindows rows;
    if (request_.tailored_by && !is_of_theory_)
      rows = tailored_windows<float>(loaded_, {request_.weights, *request_.tailored_by, windows_, theta},
                                     *pool_);
    else
      for (std::size_t i = 0; i < windows_.size(); ++i)
        rows.theta.insert(rows.theta.end(), theta.begin(), theta.end());
    return {{rows.theta.begin(), rows.theta.end()}, {rows.draws.begin(), rows.draws.end()}};
  }

  Errors errors_at(const std::vector<double>& theta) {
    Trajectories<float> kept;
    return means_at(theta, kept, [](std::size_t, std::size_t, double predicted, double measured) {
      return (predicted - measured) * (predicted - measured);
    });
  }

  // Variances of the noise around the predictions; empty without [noise].
  Errors noise_at(const std::vector<double>& theta) {
    const std::vector<Observed>& observed = loaded_.model->observed;
    if (!loaded_.model->has_noise()) return {};
    Trajectories<float> kept;
    for (std::size_t o = 0; o < observed.size(); ++o)
      kept.spreads.emplace_back(windows_.size() * engine_->n_outputs() * points_of(o));
    return means_at(theta, kept, [&](std::size_t o, std::size_t index, double predicted, double measured) {
      const BoundNoise& noise = *observed[o].noise;
      const double spread =
          noise.node ? std::fabs(static_cast<double>(kept.spreads[o][index])) : noise.spread;
      return std::pow(noise.family->sd({predicted, measured, spread, noise.df}), 2);
    });
  }

  // In units of the variances, the mean over the variables.
  double scaled_error(const Errors& errors) const {
    double sum = 0;
    for (std::size_t o = 0; o < errors.size(); ++o) sum += errors[o] / variances_[o];
    const double mean = sum / static_cast<double>(errors.size());
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::infinity();
  }

  // In the units of L.
  double loss_of(const Errors& errors) const {
    double sum = 0;
    for (std::size_t o = 0; o < errors.size(); ++o) sum += errors[o] * loaded_.model->observed[o].weight();
    return sum / static_cast<double>(errors.size());
  }

  // All weights zero: a network then adds nothing. A search in rounds for its best θ.
  FittingTheta fit_theory() {
    if (request_.uses_estimator || loaded_.spec->parameters.empty()) return {};
    std::vector<double> without(request_.weights.begin(), request_.weights.end());
    std::fill_n(without.begin(), engine_->networks().n_network_weights(), 0.0);
    set_weights(without);
    is_of_theory_ = true;
    FittingTheta best;
    search(1, 1, best);
    refine(best);
    set_weights(request_.weights);
    is_of_theory_ = false;
    return best;
  }

  void describe(const Errors& own, const Errors& theory, FitJudgement& fit) const {
    for (std::size_t o = 0; o < own.size(); ++o) {
      OutputFit output;
      output.name = loaded_.model->observed[o].name;
      output.rmse = std::sqrt(own[o]);
      output.nrmse = output.rmse / ranges_[o];
      output.r2 = 1 - own[o] / variances_[o];
      if (!theory.empty() && std::isfinite(theory[o])) output.theory_rmse = std::sqrt(theory[o]);
      output.guess_rmse = std::sqrt(guesses_[o]);
      if (!noise_.empty()) {
        output.noise_rmse = std::sqrt(noise_[o]);
        output.noise_is_known = !loaded_.model->observed[o].noise->is_estimated;
      }
      fit.outputs.push_back(std::move(output));
    }
  }

  // The share of the variance that is explained, of what is not noise where that is known.
  static double explained(const OutputFit& output) {
    const double squared = output.rmse * output.rmse, noise = output.noise_rmse * output.noise_rmse;
    if (!output.noise_is_known || !std::isfinite(noise) || squared == 0) return output.r2;
    const double variance = squared / (1 - output.r2);
    return 1 - std::max(squared - noise, 0.0) / std::max(variance - noise, kLeastSignal * variance);
  }

  static double best_other(const OutputFit& output) {
    return std::fmin(output.theory_rmse, output.guess_rmse);
  }

  static std::string errors_text(const OutputFit& output) {
    std::string text = fmt::format("{}: RMSE {:.3g}, {:.0f} % of its variance explained", output.name,
                                   output.rmse, 100 * std::max(output.r2, 0.0));
    if (output.noise_is_known) text += fmt::format("; its noise {:.3g}", output.noise_rmse);
    if (!std::isnan(output.theory_rmse)) text += fmt::format("; theory alone {:.3g}", output.theory_rmse);
    return text + fmt::format("; a guess without model {:.3g}", output.guess_rmse);
  }

  // The scaled error at θ after a refit there; NaN without one.
  double refit(const std::vector<double>& theta, FitJudgement& fit, bool from_scratch = false) {
    const std::vector<double> weights =
        request_.refit ? request_.refit(theta, from_scratch) : std::vector<double>{};
    if (weights.empty()) return std::numeric_limits<double>::quiet_NaN();
    set_weights(weights);
    const Errors errors = errors_at(theta);
    for (std::size_t o = 0; o < errors.size(); ++o) fit.outputs[o].refit_rmse = std::sqrt(errors[o]);
    return scaled_error(errors);
  }

  // Whether parameters act where no network does: the data then exclude most of the prior, whatever it
  // learns.
  bool has_fixed_equations() const {
    const BoundModel& model = *loaded_.model;
    const auto reaches = [&](NodeId node, LeafKind kind) {
      return reaches_leaf(model, node, [&](const LeafRef& leaf) { return leaf.kind == kind; });
    };
    return std::ranges::any_of(model.states, [&](const BoundState& state) {
      return reaches(state.derivative, LeafKind::parameter) &&
             !reaches(state.derivative, LeafKind::network_output);
    });
  }

  // A network that has learned for θ that the data exclude bends what it acts on everywhere. Whether it fits
  // after learning anew for the θ alone at which the theory fits best.
  bool fits_where_theory_does(const FittingTheta& theory, FitJudgement& fit) {
    if (!is_worse_ || theory.theta.empty() || !request_.refit || !has_fixed_equations()) return false;
    const std::string as_trained = errors_text(fit.outputs[worst_]);
    FitJudgement there = fit;
    if (!std::isfinite(refit(theory.theta, there, true))) return false;
    for (OutputFit& output : there.outputs) {
      const double variance = std::pow(output.rmse, 2) / (1 - output.r2);
      output.rmse = output.refit_rmse;
      output.r2 = 1 - std::pow(output.rmse, 2) / variance;
    }
    decide(there);
    if (is_worse_ || explained(there.outputs[worst_]) < kWellLearned) {
      decide(fit);
      return false;
    }
    fit.word = FitWord::partly;
    fit.loss_limit = std::max(fit.loss_limit, (1 - kWellLearned) * loss_of(guesses_));
    fit.sentence = fmt::format(
        "{} ({}): parameters act where no network does, so that the data exclude most of the prior, and for "
        "what they exclude the network has learned too; one that learns for a short time for {} alone fits "
        "({}); narrow the priors to around there",
        name_of(fit.word), as_trained, theta_text(theory.theta), errors_text(there.outputs[worst_]));
    return true;
  }

  std::string theta_text(const std::vector<double>& theta) const {
    std::vector<std::string> parts;
    for (std::size_t p = 0; p < theta.size(); ++p)
      parts.push_back(fmt::format("{} = {:.3g}", loaded_.spec->parameters[p].name, theta[p]));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  void decide(FitJudgement& fit) {
    const OutputFit* worst = &fit.outputs[0];
    for (const OutputFit& output : fit.outputs)
      if (explained(output) < explained(*worst)) worst = &output;
    double times_worse = 0;
    for (const OutputFit& output : fit.outputs) {
      const double ratio = std::pow(output.rmse / best_other(output), 2);
      if (explained(output) >= kNearlyAll || ratio <= std::max(kWorse, times_worse)) continue;
      times_worse = ratio;
      worst = &output;
    }
    is_worse_ = times_worse > 0;
    worst_ = static_cast<std::size_t>(worst - fit.outputs.data());
    const double share = explained(*worst);
    if ((is_worse_ && share < kWellLearned) || share < kNothingLearned)
      fit.word = FitWord::does_not_fit;
    else if (is_worse_ || share < kWellLearned || fit.share < 0.5)
      fit.word = FitWord::partly;
    fits_only_in_part_ = fit.word == FitWord::partly && !is_worse_ && share >= kWellLearned;
    fit.sentence = fmt::format("{} ({})", name_of(fit.word), errors_text(*worst));
    if (fit.share < 1)
      fit.sentence += fmt::format("; at {:.0f} % of the prior it fits about as well", 100 * fit.share);
  }

  // The values of the parameter that θ that fit have in common most; empty where they are of all sizes.
  std::string range_that_fits(const std::vector<std::vector<double>>& thetas,
                              const std::vector<bool>& fits) const {
    std::string text;
    double least = kMostOfRange;
    for (std::size_t p = 0; p < loaded_.spec->parameters.size(); ++p) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = 0; i < thetas.size(); ++i) {
        if (!fits[i]) continue;
        low = std::min(low, thetas[i][p]);
        high = std::max(high, thetas[i][p]);
      }
      const auto n_inside = std::ranges::count_if(
          thetas, [&](const std::vector<double>& theta) { return theta[p] >= low && theta[p] <= high; });
      const double part = static_cast<double>(n_inside) / static_cast<double>(thetas.size());
      if (part >= least) continue;
      least = part;
      text = fmt::format(", with {} from {:.3g} to {:.3g}", loaded_.spec->parameters[p].name, low, high);
    }
    return text;
  }

  // `part`: of the error that a refit leaves; NaN where it is not known.
  void advise(FitJudgement& fit, double part) const {
    if (fits_only_in_part_) {
      fit.sentence += fits_at_ + ", and hardly elsewhere: narrow the priors to what can be, or train longer";
      return;
    }
    if (is_worse_) fit.sentence += "; the network makes it worse than it would be without";
    if (is_by_heart_) {
      fit.sentence +=
          ": it has learned the training windows by heart, which it fits far better; learn from more series "
          "or "
          "windows, with fewer units or inputs, or with a larger `lambda`";
      return;
    }
    if (part < kMended)
      fit.sentence += fmt::format(
          "; learning a little longer for one θ alone leaves {:.0f} % of the squared error: the network has "
          "not "
          "finished adapting; train longer, with more units, or narrow the priors",
          100 * part);
    else if (is_worse_)
      fit.sentence += loaded_.spec->scale == Scaling::automatic
                          ? ": train longer, learn from shorter windows, or narrow the priors"
                          : ": train longer, with a smaller rate, or scale the network's inputs and outputs";
    else if (part >= kMended)
      fit.sentence += !fit.outputs[worst_].noise_is_known
                          ? "; learning a little longer for one θ alone hardly helps: train longer if L "
                            "still fell at the end; where the rest is noise of the "
                            "data, say how "
                            "large it is under [noise]; else give the network more units or inputs, or look "
                            "for terms that "
                            "the theory gets wrong"
                          : "; learning a little longer for one θ alone hardly helps: train longer if L "
                            "still fell at the end, else give the network more units or "
                            "inputs, or look "
                            "for terms that the theory gets wrong";
    else
      fit.sentence += "; train longer, give the network more units, or narrow the priors";
  }

  const LoadedModel& loaded_;
  const FitRequest& request_;
  ThreadPool* pool_;
  bool has_fields_;
  std::vector<std::size_t> windows_;
  std::string split_;
  std::unique_ptr<Engine<float>> engine_;
  // Predictions are those of the theory alone.
  bool is_of_theory_ = false;
  std::vector<double> variances_, ranges_, guesses_;
  // At the best θ; empty without [noise].
  Errors noise_;
  // Than the theory alone or a guess.
  bool is_worse_ = false;
  // Training windows are fitted far better.
  bool is_by_heart_ = false;
  // The output that the sentence is about.
  std::size_t worst_ = 0;
  // Well at its best θ, and badly at most others.
  bool fits_only_in_part_ = false;
  std::string fits_at_;
};

}  // namespace

FitJudgement judge_fit(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool) {
  return FitJudge(loaded, request, pool).judge();
}

}  // namespace greybox
