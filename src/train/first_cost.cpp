#include "train/first_cost.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <fstream>
#include <new>

#include "core/memory_limit.hpp"
#include "core/random.hpp"
#include "greybox/error.hpp"
#include "model/network_set.hpp"
#include "model/objective.hpp"
#include "train/prior.hpp"
#include "train/soap.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostSamples = 64, kMostSamplesOfFields = 4;
// Weights, two moments, those that are kept as the best and, by recipe "auto", their average.
constexpr double kBuffersOfPaper = 4, kBuffersOfAuto = 5;
// Of all of these: the checkpoint, and the arrays that it is written from.
constexpr double kCopiesOfState = 2;
// In double precision, of the weights that a training ends with: its result, what the judgement of the fit
// starts from, and what it learns.
constexpr double kFinalCopies = 5;
// Of the whole: what lies unused between allocations, which each thread has of its own.
constexpr double kUnused = 0.08;

// Where the system limits data and stacks, all that the process has of them, touched or not; elsewhere the
// pages that it uses, but not those of files. 0 where the system does not say.
double own_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0, of_files = 0, text = 0, libraries = 0, data = 0;
  file >> all >> resident >> of_files >> text >> libraries >> data;
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return (is_limited ? data : resident - of_files) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// To see what something takes while it lives.
double allocated_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 all = ::mallinfo2();
  return static_cast<double>(all.uordblks + all.hblkhd);
#else
  return own_bytes();
#endif
}

struct StepCost {
  double seconds = 0, bytes = 0;
  std::size_t n_weights = 0;
};

template <class T>
std::vector<T> likely_theta(const ModelSpec& spec, std::size_t n) {
  std::vector<T> theta;
  const Random random(0, Purpose::analysis);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
      const Prior prior(spec.parameters[p]);
      theta.push_back(static_cast<T>(prior.draw(prior.start(), 0.25 + 0.5 * random.uniform(i, p))));
    }
  return theta;
}

// `part`: of the batch that these windows stand for; what is kept for the way back is decided for all of it.
template <class T>
StepCost cost_of_step(const LoadedModel& loaded, const std::vector<std::size_t>& windows, double part,
                      ThreadPool& pool) {
  const double before = allocated_bytes();
  EngineOptions options{.capacity = windows.size(), .is_differentiable = true};
  options.memory_limit = static_cast<std::size_t>(part * static_cast<double>(options.memory_limit));
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool, options);
  StepCost cost{.n_weights = engine.n_weights()};
  const std::vector<T> weights(engine.n_weights(), T{0}),
      theta = likely_theta<T>(*loaded.spec, windows.size());
  engine.set_weights(weights);
  const Samples<T> samples{&loaded.data->windows(), windows, theta};
  Objective<T> objective(loaded.model, {}, windows.size());
  const ObjectiveRanges ranges{windows.size(), windows.size()};
  std::vector<T> grad_weights(engine.n_weights()), grad_theta(theta.size());
  for (int turn = 0; turn < 2; ++turn) {  // the first one fills caches and pools
    const auto start = std::chrono::steady_clock::now();
    engine.forward(samples);
    objective.evaluate(engine, ranges);
    engine.backward(samples, objective.cotangents(engine, ranges), grad_weights, grad_theta);
    cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  cost.bytes = std::max(0.0, allocated_bytes() - before);
  return cost;
}

// Of windows that are validated at the same time.
template <class T>
double bytes_of_validation(const LoadedModel& loaded, const std::vector<std::size_t>& windows,
                           ThreadPool& pool) {
  const double before = allocated_bytes();
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = windows.size()});
  const std::vector<T> weights(engine.n_weights(), T{0}),
      theta = likely_theta<T>(*loaded.spec, windows.size());
  engine.set_weights(weights);
  engine.forward({&loaded.data->windows(), windows, theta});
  return std::max(0.0, allocated_bytes() - before);
}

// What a training keeps of its weights, and what it makes of them when it saves and ends.
template <class T>
double bytes_of_state(const LoadedModel& loaded, const TrainSpec& train, double n_weights) {
  const bool is_auto = train.recipe == Recipe::automatic;
  double n_curvature = 0;
  if (is_auto) {
    std::vector<ModelTensor> tensors = NetworkSet<T>(*loaded.model).tensors();
    std::erase_if(tensors, [](const ModelTensor& item) { return item.is_start; });
    n_curvature = static_cast<double>(Soap<T>({}, tensors).n_curvature());
  }
  const double state = (is_auto ? kBuffersOfAuto : kBuffersOfPaper) * n_weights + n_curvature;
  const double saved = kCopiesOfState * state * sizeof(T), ended = kFinalCopies * n_weights * sizeof(double);
  return (state + n_weights) * sizeof(T) + std::max(saved, ended);  // with the gradient
}

template <class T>
void add_costs(const LoadedModel& loaded, const TrainSpec& train, std::size_t n_processes, ThreadPool& pool,
               FirstCost& cost) {
  std::vector<std::size_t> windows = loaded.data->of_split(Split::train);
  const std::size_t most = loaded.spec->grid.is_given ? kMostSamplesOfFields : kMostSamples;
  const std::size_t batch = std::min(train.batch, windows.size());
  windows.resize(std::min(batch, most));
  const double in_step = static_cast<double>(batch) * static_cast<double>(train.draws);
  const double scale = std::max(1.0, in_step / static_cast<double>(windows.size() * n_processes));
  const StepCost step = cost_of_step<T>(loaded, windows, 1 / scale, pool);
  cost.seconds = scale * step.seconds * static_cast<double>(cost.n_steps);
  cost.bytes = scale * step.bytes + bytes_of_state<T>(loaded, train, static_cast<double>(step.n_weights));
  const std::size_t n_validated = loaded.data->of_split(Split::validation).size();
  // Models whose samples need each other take all windows at once; others as many as there are threads.
  const std::size_t n_at_once =
      loaded.plan->is_coupled() ? n_validated : std::min(n_validated, windows.size());
  // The fit is judged on another engine, and recipe "auto" looks at its windows on one more.
  const double n_looking = train.recipe == Recipe::automatic ? 3 : 2;
  if (n_at_once > 0)
    cost.bytes += n_looking * bytes_of_validation<T>(loaded, windows, pool) * static_cast<double>(n_at_once) /
                  static_cast<double>(windows.size());
}

}  // namespace

FirstCost measure_first_cost(const LoadedModel& loaded, const TrainSpec& train, std::size_t n_processes,
                             ThreadPool& pool) {
  const std::size_t n_windows = loaded.data->of_split(Split::train).size();
  FirstCost cost;
  if (n_windows == 0) return cost;
  cost.n_epochs = train.epochs;
  cost.n_steps = train.epochs * ((n_windows + train.batch - 1) / train.batch);
  const double before = own_bytes();
  try {
    if (train.precision == Precision::single_)
      add_costs<float>(loaded, train, n_processes, pool, cost);
    else
      add_costs<double>(loaded, train, n_processes, pool, cost);
  } catch (const std::bad_alloc&) {
    throw InputError(
        Diagnostic{.message = fmt::format("one step of this training takes more memory than the limit of {}",
                                          memory_text(static_cast<double>(memory_limit()))),
                   .help = fmt::format("{}, or raise the limit (option `memory`)", kLessMemory)});
  }
  // What the measurement took is used again.
  cost.bytes = std::max((1 + kUnused) * (before + cost.bytes), own_bytes());
  return cost;
}

}  // namespace greybox
