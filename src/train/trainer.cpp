#include "train/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/denormals.hpp"
#include "core/require.hpp"
#include "model/noise_data.hpp"
#include "model/weights.hpp"
#include "train/divergence_search.hpp"
#include "train/multiplier.hpp"
#include "train/soap.hpp"

namespace greybox {
namespace {

constexpr std::size_t kGrowthWindows = 32, kGrowthFields = 2;
// Of θ for one step, before a training counts as diverged.
constexpr std::uint64_t kMostRedraws = 40;

std::vector<std::size_t> windows_of(const LoadedModel& loaded, Split split, const char* name,
                                    const char* reason) {
  std::vector<std::size_t> windows = loaded.data->of_split(split);
  if (windows.empty())
    throw InputError(Diagnostic{.file = loaded.data->table().file,
                                .message = fmt::format("the {} split has no windows: {}", name, reason),
                                .help = fmt::format("give [data] split a fraction `{}`", name)});
  return windows;
}

Batches make_batches(const LoadedModel& loaded, const TrainerOptions& options) {
  std::vector<std::size_t> train =
      windows_of(loaded, Split::train, "train", "there is nothing to learn from");
  std::vector<std::size_t> regularized;
  if (options.mode == TrainMode::transductive)
    regularized = windows_of(loaded, Split::test, "test", "transductive learning regularizes over it");
  const bool has_draws = theta_origin_of(options) == ThetaOrigin::drawn;
  return {std::move(train),
          std::move(regularized),
          {.batch = options.train.batch, .draws = has_draws ? options.train.draws : 1, .seed = options.seed}};
}

// What runs away within a window is learned from over a part in which it does not: there a network learns not
// to drive it away. Samples may influence each other, and so the whole batch looks at that part.
template <class T>
bool step_over_less_time(Learner<T>& learner, TrainState<T>& state, const Batch& batch, double rate,
                         const WindowData& whole, std::size_t shortest) {
  WindowData cut = whole;
  learner.look_at(cut);
  bool is_done = false;
  for (std::size_t n_rows = whole.longest(); n_rows > shortest && !is_done;) {
    n_rows = std::max(shortest, n_rows / 2);
    for (const std::size_t w : batch.windows) cut.windows[w].n_rows = std::min(cut.windows[w].n_rows, n_rows);
    is_done = learner.step(state, batch, rate);
  }
  learner.look_at(whole);
  return is_done;
}

std::optional<std::size_t> regularizer_of(const LoadedModel& loaded, const TrainSpec& train) {
  if (train.regularizer.empty()) return std::nullopt;
  return static_cast<std::size_t>(loaded.model->find_regularizer(train.regularizer) -
                                  loaded.model->regularizers.data());
}

// The regularizer that θ of each window follows; none in other modes.
std::optional<std::size_t> tailored_by(const TrainerOptions& options, const LoadedModel& loaded) {
  return options.mode == TrainMode::tailored ? regularizer_of(loaded, options.train) : std::nullopt;
}

template <class T>
std::shared_ptr<UpdateRule<T>> make_update_rule(const LoadedModel& loaded, const TrainSpec& train,
                                                LearningNetworks learning) {
  const AdamOptions options{train.weight_decay, train.clip_value, train.clip_norm};
  if (train.recipe == Recipe::paper) return std::make_shared<AdamW<T>>(options);
  std::vector<ModelTensor> tensors = NetworkSet<T>(*loaded.model).tensors();
  const bool of_estimator = learning == LearningNetworks::estimator;
  std::erase_if(tensors, [&](const ModelTensor& item) {
    return item.is_start || loaded.model->networks[item.network].is_estimator != of_estimator;
  });
  return std::make_shared<Soap<T>>(options, tensors);
}

template <class T>
LearnerParts<T> learner_parts(const LoadedModel& loaded, const TrainerOptions& options,
                              std::shared_ptr<const ThetaSource<T>> theta_source, std::size_t capacity) {
  const TrainSpec& train = options.train;
  return {.theta_source = std::move(theta_source),
          .objective = make_objective<T>(loaded.model, {.kind = options.objective,
                                                        .lambda = train.lambda,
                                                        .regularizer = regularizer_of(loaded, train),
                                                        .capacity = capacity}),
          .update_rule = make_update_rule<T>(loaded, train, options.learning),
          .tailoring = tailored_by(options, loaded)
                           ? std::make_shared<Tailoring<T>>(loaded, *tailored_by(options, loaded), capacity)
                           : nullptr};
}

}  // namespace

ThetaOrigin theta_origin_of(const TrainerOptions& options) {
  if (options.theta_origin) return *options.theta_origin;
  switch (options.mode) {
    case TrainMode::adaptive:
      return ThetaOrigin::drawn;
    case TrainMode::refit:
      return ThetaOrigin::fixed;
    case TrainMode::inductive:
    case TrainMode::transductive:
    case TrainMode::aphynity:
    case TrainMode::tailored:
      break;
  }
  return ThetaOrigin::learned;
}

TrainerOptions with_recipe(TrainerOptions options, const LoadedModel& loaded) {
  options.train = with_recipe(std::move(options.train), loaded);
  return options;
}

double rate_of_epoch(const TrainSpec& train, std::size_t epoch) {
  const double fraction = static_cast<double>(epoch) / static_cast<double>(train.epochs);
  return train.rate_start * std::pow(train.rate_end / train.rate_start, fraction);
}

template <class T>
Trainer<T>::Trainer(const LoadedModel& loaded, const TrainerOptions& options, ThreadPool& pool)
    : loaded_(loaded),
      options_(with_recipe(options, loaded)),
      theta_source_(make_theta_source<T>(theta_origin_of(options), loaded.spec->parameters, options.seed,
                                         options.theta)),
      batches_(make_batches(loaded, options_)),
      learner_(loaded, learner_parts<T>(loaded, options_, theta_source_, batches_.capacity()), pool,
               {.capacity = batches_.capacity(), .learning = options.learning, .seed = options.seed}),
      state_(learner_.make_state()) {
  if (options.objective == ObjectiveKind::loss_and_regularizer)
    refuse_impossible_values(*loaded.model, loaded.data->table());
  if (needs_validation())
    windows_of(loaded, Split::validation, "validation", "`patience` and `keep_best` need it");
  if (options.train.validate_every > 0 && !loaded.data->of_split(Split::validation).empty())
    validator_.emplace(loaded, theta_source_, pool,
                       ValidatorOptions{.regularizer = regularizer_of(loaded, options.train),
                                        .is_tailored = options.mode == TrainMode::tailored,
                                        .seed = options.seed});
  for (std::size_t step = 0; step < batches_.n_steps(); ++step)
    n_samples_per_epoch_ += batches_.step(step).windows.size();
  if (options_.train.recipe == Recipe::automatic)
    recipe_.emplace(
        options_.train,
        Settling<T>(loaded, theta_origin_of(options_), theta_source_, pool, tailored_by(options_, loaded)),
        batches_.n_steps(), most_doublings(options_.train, loaded));
  start(pool);
}

// Looks at no more than a few windows, each with a θ of its own.
template <class T>
std::size_t Trainer<T>::epochs_of_growth(ThreadPool& pool) {
  const bool is_begun = !options_.start_weights.empty();
  if (is_begun || theta_source_->is_left_to_estimator()) return 0;
  if (options_.train.grow) return *options_.train.grow;
  const std::vector<std::size_t> train = loaded_.data->of_split(Split::train);
  const std::size_t n = std::min(train.size(), loaded_.spec->grid.is_given ? kGrowthFields : kGrowthWindows);
  std::vector<std::size_t> windows;
  for (std::size_t i = 0; i < n; ++i) windows.push_back(train[i * train.size() / n]);
  std::vector<T> theta(n * loaded_.spec->parameters.size());
  theta_source_->fill(Purpose::validation, 0, state_.learned(), theta);
  if (!is_theory_unstable<T>(loaded_, windows, theta, pool)) return 0;
  finer_step_ = greybox::finer_step<T>(loaded_, windows, theta, pool);
  return (options_.train.epochs + 2) / 3;
}

template <class T>
void Trainer<T>::start(ThreadPool& pool) {
  const std::vector<double>& given = options_.start_weights;
  require(given.empty() || given.size() == state_.layout.n_weights,
          "the weights to start from are not those of the model");
  const std::vector<double> weights = given.empty() ? initial_weights(tensors(), options_.seed) : given;
  std::transform(weights.begin(), weights.end(), state_.parameters.data(),
                 [](double w) { return static_cast<T>(w); });
  theta_source_->start(state_.learned(), best_start());
  learner_.noise_source().start(state_.noise());
  growth_.emplace(loaded_, epochs_of_growth(pool));
  if (recipe_) recipe_->prepare(state_);
  if (has_multiplier()) state_.counters.multiplier = options_.train.aphynity.lambda0;
  continue_from_state();
}

// Of several starts of a common θ, the one at which the theory alone has the lowest L on the training
// windows.
template <class T>
std::uint64_t Trainer<T>::best_start() const {
  if (options_.train.starts == 1 || theta_origin_of(options_) != ThetaOrigin::learned) return 0;
  const std::vector<std::size_t> windows = loaded_.data->of_split(Split::train);
  ThreadPool pool(1);
  Engine<T> engine(loaded_.plan, loaded_.data->windows(), pool, {.capacity = windows.size()});
  engine.set_weights(std::vector<T>(engine.n_weights()));
  std::vector<T> learned(theta_source_->n_learned()), theta(windows.size() * learned.size());
  std::uint64_t best = 0;
  double lowest = kInfinity;
  for (std::uint64_t number = 0; number < options_.train.starts; ++number) {
    theta_source_->start(learned, number);
    theta_source_->fill(Purpose::parameters, 0, learned, theta);
    engine.forward({&loaded_.data->windows(), windows, theta});
    double loss = 0;
    for (double of_window : engine.losses()) loss += of_window;
    if (!(loss < lowest)) continue;
    lowest = loss;
    best = number;
  }
  return best;
}

template <class T>
CounterLimits Trainer<T>::limits() const {
  const bool is_weighted = options_.objective == ObjectiveKind::loss_and_regularizer;
  return {.n_epochs = options_.train.epochs,
          .n_steps = batches_.n_steps(),
          .n_samples = n_samples_per_epoch_,
          .has_loss = is_weighted,
          .has_regularizer = !is_weighted || has_multiplier() || options_.train.lambda > 0,
          .has_multiplier = has_multiplier(),
          .has_recipe = recipe_.has_value(),
          .n_doublings = recipe_ ? most_doublings(options_.train, loaded_) : 0};
}

template <class T>
void Trainer<T>::continue_from_state() {
  batches_.begin_epoch(n_epochs_done());
  learner_.look_at(growth_->windows(n_epochs_done()));
  if (has_multiplier()) learner_.weigh(constrained_weights(state_.counters.multiplier));
}

template <class T>
bool Trainer<T>::is_done() const {
  const bool is_over = recipe_ && recipe_->is_over(state_.counters);
  return is_over || n_epochs_done() >= n_epochs() || has_stopped_early();
}

template <class T>
bool Trainer<T>::has_stopped_early() const {
  const std::size_t patience = options_.train.patience;
  return patience > 0 && state_.counters.n_without_improvement >= static_cast<double>(patience);
}

// At the far ends of a prior a network may run away for a window or two: that is no reason to give up, as
// long as other draws go well, or shorter windows.
template <class T>
bool Trainer<T>::step_with_other_theta(double rate) {
  const std::uint64_t n_redraws = theta_origin_of(options_) == ThetaOrigin::drawn ? kMostRedraws : 0;
  for (std::uint64_t attempt = 1; attempt <= n_redraws; ++attempt)
    if (learner_.step(state_, batch_, rate, attempt)) return true;
  // What fails before anything is learned is the model's fault, and its author should know.
  const bool is_learning = state_.counters.n_updates > 0 && !loaded_.spec->is_algebraic();
  const std::size_t shortest = std::max<std::size_t>(2, loaded_.spec->data.window.observed);
  const WindowData& windows = growth_->windows(n_epochs_done());
  if (is_learning && step_over_less_time(learner_, state_, batch_, rate, windows, shortest)) return true;
  return learner_.step(state_, batch_, rate);  // so that the first draw is what is reported
}

template <class T>
double Trainer<T>::rate_now() const {
  return recipe_ ? recipe_->rate(state_.counters) : rate_of_epoch(options_.train, n_epochs_done());
}

template <class T>
bool Trainer<T>::step() {
  batch_ = batches_.step(n_steps_done());
  const double rate = rate_now();
  if (!learner_.step(state_, batch_, rate)) {
    last_redrawn_ = divergence_by(learner_.non_finite(batch_));
    if (!step_with_other_theta(rate)) return recipe_ && recipe_->retreat(state_) && step();
    state_.counters.n_redrawn += 1;
  }
  if (recipe_) recipe_->take_in(state_);
  state_.counters.step += 1;
  learner_.add_to(state_.counters);
  return true;
}

template <class T>
EpochResult Trainer<T>::end_epoch() {
  Counters& counters = state_.counters;
  const std::size_t epoch = n_epochs_done() + 1;
  const double rate = recipe_ ? rate_now() : rate_of_epoch(options_.train, epoch - 1);
  counters.last_loss = counters.loss_sum / counters.n_samples;
  counters.last_regularizer = counters.regularizer_sum / counters.n_samples;
  counters.loss_sum = counters.regularizer_sum = counters.n_samples = counters.step = 0;
  counters.epoch += 1;
  const double multiplier = counters.multiplier;
  if (has_multiplier())
    counters.multiplier = next_multiplier(options_.train.aphynity, multiplier, epoch, counters.last_loss);
  continue_from_state();
  if (recipe_) recipe_->look(state_, growth_->is_growing(n_epochs_done()));

  const std::size_t every = options_.train.validate_every;
  const bool is_last = epoch == n_epochs() || (recipe_ && recipe_->is_over(counters));
  const bool is_time = every > 0 && (epoch % every == 0 || is_last);
  return {.epoch = epoch,
          .loss = counters.last_loss,
          .regularizer = counters.last_regularizer,
          .validation = is_time && validator_ ? validate() : Validation{kNaN, kNaN},
          .rate = rate,
          .multiplier = multiplier};
}

// A weight that changes from epoch to epoch would make validations incomparable: what APHYNITY is to bring to
// 0 is the loss.
template <class T>
double Trainer<T>::to_be_lowered(const Validation& validation) const {
  const double lambda = has_multiplier() ? 0 : options_.train.lambda;
  return validation.loss + (lambda > 0 ? lambda * validation.regularizer : 0);
}

template <class T>
Validation Trainer<T>::validate() {
  const FlushToZeroScope flush_to_zero;
  const Validation validation =
      validator_->validate(state_.outcome().span(), state_.layout, state_.counters.last_loss);
  Counters& counters = state_.counters;
  const double objective = to_be_lowered(validation);
  if (growth_->is_growing(n_epochs_done())) return validation;  // whole windows are not its aim yet
  if (objective < counters.best_validation) {
    counters.best_validation = objective;
    counters.n_without_improvement = 0;
    std::copy_n(state_.outcome().data(), state_.best.size(), state_.best.data());
  } else {
    counters.n_without_improvement += 1;
  }
  return validation;
}

template <class T>
bool Trainer<T>::run_epoch(EpochResult& result) {
  while (!epoch_is_complete())
    if (!step()) return false;
  result = end_epoch();
  return true;
}

template <class T>
Divergence Trainer<T>::divergence() const {
  Divergence divergence = divergence_by(learner_.non_finite(batch_));
  search_site(divergence);
  return divergence;
}

template <class T>
std::optional<Divergence> Trainer<T>::last_redrawn() const {
  std::optional<Divergence> divergence = last_redrawn_;
  if (divergence) search_site(*divergence);
  return divergence;
}

template <class T>
Divergence Trainer<T>::divergence_by(NonFinite cause) const {
  const IntegratorOptions& solver = loaded_.spec->solver.options;
  return {.epoch = n_epochs_done() + 1,
          .step = n_steps_done() + 1,
          .n_steps = batches_.n_steps(),
          .cause = std::move(cause),
          .is_of_estimator = options_.learning == LearningNetworks::estimator,
          .is_before_first_update = state_.counters.n_updates == 0,
          .solver = {.is_adaptive = solver.tableau->is_adaptive(),
                     .is_implicit = solver.tableau->is_implicit(),
                     .has_solver = !loaded_.spec->is_algebraic(),
                     .max_steps = solver.max_steps}};
}

// With the weights as they are now.
template <class T>
void Trainer<T>::search_site(Divergence& divergence) const {
  const std::vector<double> weights(state_.weights().begin(), state_.weights().end());
  try {
    divergence.site = search_divergence(loaded_, weights, divergence.cause);
  } catch (const std::exception&) {
    // The search may fail where the training did: what it met is told without it.
  }
}

template <class T>
const AlignedBuffer<T>& Trainer<T>::final_parameters() const {
  return options_.train.keep_best && std::isfinite(state_.counters.best_validation) ? state_.best
                                                                                    : state_.outcome();
}

template <class T>
std::span<const T> Trainer<T>::final_weights() const {
  return final_parameters().span().first(state_.layout.n_weights);
}

template <class T>
std::vector<double> Trainer<T>::exact_final_weights() const {
  const std::span<const T> final = final_weights();
  std::vector<double> weights(final.begin(), final.end());
  if (!options_.start_weights.empty()) learner_.frozen().copy(options_.start_weights, weights);
  return weights;
}

template <class T>
std::span<const T> Trainer<T>::final_learned() const {
  return final_parameters().span().subspan(state_.layout.learned_begin, state_.layout.n_learned);
}

template <class T>
std::map<std::string, double> Trainer<T>::final_noise() const {
  return learner_.noise_source().values(noise_in(final_parameters().span(), state_.layout));
}

template <class T>
std::vector<double> Trainer<T>::final_theta() const {
  return theta_source_->common(final_learned());
}

template <class T>
FittedPriors Trainer<T>::fitted_priors() const {
  return theta_source_->fitted_priors(final_learned());
}

template <class T>
std::optional<RecipeRecord> Trainer<T>::recipe() const {
  return recipe_ ? std::optional(recipe_->record(state_.counters)) : std::nullopt;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace greybox
