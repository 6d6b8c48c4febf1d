#include "train/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/reachable.hpp"
#include "model/theta.hpp"
#include "train/fit_search.hpp"
#include "train/fit_words.hpp"

namespace greybox {
namespace {

// Times L of the training windows: what was learned there does not hold elsewhere.
constexpr double kByHeart = 4;
// θ fits about as well when its error is within this factor, or well in itself.
constexpr double kAboutAsGood = 4;
// θ that fit have a parameter's values in common when they take less than this part of what was tried.
constexpr double kMostOfRange = 0.7;
// Where fewer θ than this part of the prior fit, something keeps the network from adapting.
constexpr double kMostOfPrior = 0.9;

class FitJudge {
 public:
  FitJudge(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool)
      : loaded_(loaded), request_(request), errors_(loaded, request, pool) {}

  FitJudgement judge() {
    errors_.set_weights(request_.weights);
    std::vector<FittingTheta> tried = own_thetas();
    find_errors(errors_, tried);
    FittingTheta best = best_of(errors_, tried);
    const double loss_of_draws = errors_.loss(best.errors);
    if (!best.quantiles.empty()) refine(*loaded_.spec, errors_, best);
    noise_ = errors_.noise_at(best.theta);
    const FittingTheta theory = fit_theory();
    FitJudgement fit{.split = errors_.split(), .n_windows = errors_.n_windows()};
    describe(best.errors, theory.errors, fit);
    fit.loss_limit = std::max(kAboutAsGood * errors_.loss(best.errors), of_guesses());
    std::vector<bool> fits;
    for (const FittingTheta& one : tried) fits.push_back(errors_.loss(one.errors) <= fit.loss_limit);
    fit.share = static_cast<double>(std::ranges::count(fits, true)) / static_cast<double>(fits.size());
    const double least = errors_.scaled(best.errors);
    if (!std::isfinite(least)) {
      fit.word = FitWord::does_not_fit;
      fit.sentence =
          "does not fit: no θ gives finite predictions; check the scales of states and parameters, or narrow "
          "the priors";
      return fit;
    }
    const FitReading reading = read_fit(fit.outputs, fit.share);
    fit.word = reading.word;
    fit.sentence = judgement_text(reading, fit.outputs, fit.share);
    if (fit.word == FitWord::does_not_fit && fits_where_theory_does(theory, reading, fit)) return fit;
    if (is_held_back(request_.objective) && (fit.word != FitWord::fits || fit.share < kMostOfPrior)) {
      fit.sentence += "; " + adaptation_cure(request_.objective);
      return fit;
    }
    if (fit.word == FitWord::fits) return fit;
    fit.sentence += advice_text(
        {.reading = reading,
         .fits_at = reading.is_in_part ? range_that_fits(tried, fits) : "",
         .is_by_heart = fit.split == "validation" && loss_of_draws > kByHeart * request_.objective.loss,
         .refit_part = refit(best.theta, fit) / least,
         .noise_is_known = fit.outputs[reading.worst].noise_is_known,
         .is_scaled = loaded_.spec->scale == Scaling::automatic});
    return fit;
  }

 private:
  std::vector<FittingTheta> own_thetas() const {
    if (request_.uses_estimator) return std::vector<FittingTheta>(1);
    if (request_.theta.empty()) return draws_of_prior(*loaded_.spec, 0);
    FittingTheta given;
    for (const ParameterSpec& parameter : loaded_.spec->parameters)
      given.theta.push_back(request_.theta.at(parameter.name));
    return {given};
  }

  // A tenth of what a guess leaves: θ that leaves no more fits in any case.
  double of_guesses() const { return (1 - kWellLearned) * errors_.loss(errors_.guesses()); }

  FittingTheta fit_theory() {
    if (request_.uses_estimator || loaded_.spec->parameters.empty()) return {};
    errors_.set_theory_alone();
    std::vector<FittingTheta> tried = draws_of_prior(*loaded_.spec, 1);
    find_errors(errors_, tried);
    FittingTheta best = best_of(errors_, tried);
    refine(*loaded_.spec, errors_, best);
    errors_.set_weights(request_.weights);
    return best;
  }

  void describe(const MeanSquares& own, const MeanSquares& theory, FitJudgement& fit) const {
    for (std::size_t o = 0; o < own.size(); ++o) {
      OutputFit output;
      output.name = loaded_.model->observed[o].name;
      output.rmse = std::sqrt(own[o]);
      output.nrmse = output.rmse / errors_.ranges()[o];
      output.r2 = 1 - own[o] / errors_.variances()[o];
      if (!theory.empty() && std::isfinite(theory[o])) output.theory_rmse = std::sqrt(theory[o]);
      output.guess_rmse = std::sqrt(errors_.guesses()[o]);
      if (!noise_.empty()) {
        output.noise_rmse = std::sqrt(noise_[o]);
        output.noise_is_known = !loaded_.model->observed[o].noise->is_estimated;
      }
      fit.outputs.push_back(std::move(output));
    }
  }

  // The scaled error at θ after a refit there; NaN without one.
  double refit(const std::vector<double>& theta, FitJudgement& fit, bool from_scratch = false) {
    const std::vector<double> weights =
        request_.refit ? request_.refit(theta, from_scratch) : std::vector<double>{};
    if (weights.empty()) return std::numeric_limits<double>::quiet_NaN();
    errors_.set_weights(weights);
    const MeanSquares left = errors_.at(theta);
    for (std::size_t o = 0; o < left.size(); ++o) fit.outputs[o].refit_rmse = std::sqrt(left[o]);
    return errors_.scaled(left);
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
  bool fits_where_theory_does(const FittingTheta& theory, const FitReading& reading, FitJudgement& fit) {
    if (!reading.is_worse || theory.theta.empty() || !request_.refit || !has_fixed_equations()) return false;
    FitJudgement there = fit;
    if (!std::isfinite(refit(theory.theta, there, true))) return false;
    for (OutputFit& output : there.outputs) {
      const double variance = std::pow(output.rmse, 2) / (1 - output.r2);
      output.rmse = output.refit_rmse;
      output.r2 = 1 - std::pow(output.rmse, 2) / variance;
    }
    const FitReading refitted = read_fit(there.outputs, fit.share);
    if (refitted.is_worse || explained(there.outputs[refitted.worst]) < kWellLearned) return false;
    fit.word = FitWord::partly;
    fit.loss_limit = std::max(fit.loss_limit, of_guesses());
    fit.sentence = fmt::format(
        "{} ({}): parameters act where no network does, so that the data exclude most of the prior, and for "
        "what they exclude the network has learned too; one that learns for a short time for {} alone fits "
        "({}); narrow the priors to around there",
        name_of(fit.word), errors_text(fit.outputs[reading.worst]), theta_text(theory.theta),
        errors_text(there.outputs[refitted.worst]));
    return true;
  }

  std::string theta_text(const std::vector<double>& theta) const {
    std::vector<std::string> parts;
    for (std::size_t p = 0; p < theta.size(); ++p)
      parts.push_back(fmt::format("{} = {:.3g}", loaded_.spec->parameters[p].name, theta[p]));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // The values of the parameter that θ that fit have in common most; empty where they are of all sizes.
  std::string range_that_fits(const std::vector<FittingTheta>& tried, const std::vector<bool>& fits) const {
    std::string text;
    double least = kMostOfRange;
    for (std::size_t p = 0; p < loaded_.spec->parameters.size(); ++p) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = 0; i < tried.size(); ++i) {
        if (!fits[i]) continue;
        low = std::min(low, tried[i].theta[p]);
        high = std::max(high, tried[i].theta[p]);
      }
      const auto n_inside = std::ranges::count_if(
          tried, [&](const FittingTheta& one) { return one.theta[p] >= low && one.theta[p] <= high; });
      const double part = static_cast<double>(n_inside) / static_cast<double>(tried.size());
      if (part >= least) continue;
      least = part;
      text = fmt::format(", with {} from {:.3g} to {:.3g}", loaded_.spec->parameters[p].name, low, high);
    }
    return text;
  }

  const LoadedModel& loaded_;
  const FitRequest& request_;
  FitErrors errors_;
  // At the best θ; empty without [noise].
  MeanSquares noise_;
};

}  // namespace

FitJudgement judge_fit(const LoadedModel& loaded, const FitRequest& request, ThreadPool& pool) {
  return FitJudge(loaded, request, pool).judge();
}

}  // namespace greybox
