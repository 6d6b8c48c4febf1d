// A run held open for a page that asks about one θ after the other: everything is loaded once.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "analysis/explore/newest.hpp"
#include "analysis/explore/training_watch.hpp"
#include "analysis/explore/turns.hpp"
#include "analysis/landscape/landscape_scan.hpp"
#include "analysis/run/networks.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "data/json_file.hpp"
#include "model/prediction.hpp"

namespace greybox {

// What every question is about.
struct ExploredPoint {
  // One value per parameter.
  std::vector<double> theta;
  // [0] is the run's own.
  std::size_t network = 0;
  Split split = Split::validation;
};

struct EvaluateRequest {
  ExploredPoint point;
  // A few windows, drawn from all series and times, instead of all of them.
  bool is_quick = false;
  // Windows of the split to be predicted in full, by their numbers among all.
  std::vector<std::size_t> shown{};
};

struct Evaluation {
  // Values and errors over `windows`.
  Prediction totals;
  std::vector<std::size_t> windows;
  // Of these windows: root mean square of the errors, each over the range of its variable.
  std::vector<double> window_errors;
  // Windows that there are.
  std::size_t n_all = 0;
  // Of the windows shown: by the chosen network, and by each of the others where time allows.
  Prediction shown;
  std::vector<Prediction> others;
  // The same between the snapshots, where something lies there and time allows.
  std::optional<Prediction> curves{};
  std::vector<Prediction> other_curves{};
};

struct ScanRequest {
  ExploredPoint point;
  // One or two parameters that are varied.
  std::vector<std::size_t> axes;
};

struct DescentRequest {
  ExploredPoint point;
  std::vector<bool> is_free;
  // A name or an expression.
  std::string regularizer;
  std::size_t n_evaluations = 200;
  // A hand is on the slider: few windows.
  bool is_quick = false;
};

struct DescentStep {
  std::vector<double> theta;
  double regularizer = 0, loss = 0;
};

struct DescentEnd {
  DescentStep best;
  std::size_t n_evaluations = 0, n_windows = 0;
};

// A model with the means that a page can make regularizers of, and the memory to evaluate it.
struct ExploredModel {
  ExploredModel(OpenedRun opened, std::vector<std::string> means)
      : run(std::move(opened)), terms(std::move(means)) {}

  OpenedRun run;
  // Regularizers of the run.
  std::vector<std::string> terms;
  std::shared_ptr<const Networks> networks{};
  // The training is not over, and the weights are those after so many epochs.
  std::optional<std::size_t> epochs_so_far{};
  std::optional<Predictor<double>> predictor{};
  // Of what is shown; none where nothing lies between snapshots.
  std::optional<Predictor<double>> curve_predictor{};
  std::optional<ThetaScan<double>> scan{};
};

// Functions may be called by several threads. Those that return an optional give none when a newer request
// superseded this one, or the session ends. Throw InputError for requests that make no sense.
class ExploreSession {
 public:
  using Ticket = Newest::Ticket;

  ExploreSession(const Run& run, const Execution& execution);

  std::optional<Evaluation> evaluate(const EvaluateRequest& request, const Ticket& ticket);
  // Gives a landscape of all networks to `sink`, as the report page has them, coarse first and then ever
  // finer. Ends early when the sink returns false.
  void scan(const ScanRequest& request, const Ticket& ticket, const std::function<bool(Json)>& sink);
  // R minimised over the free parameters, from θ on; `sink` gets every θ that is tried.
  std::optional<DescentEnd> descend(const DescentRequest& request, const Ticket& ticket,
                                    const std::function<bool(const DescentStep&)>& sink = {});
  // Makes the means of an expression known. Throws InputError when it is none.
  std::vector<std::string> add_means(const std::string& expression);

  // Looks how the training of the run goes on, in this process or another: weights that it wrote since are
  // taken from now on.
  TrainingWatch watch_training();

  // Test windows may be looked at once the ledger says so. Returns warnings.
  std::vector<std::string> unlock_test();
  bool is_test_unlocked() const { return is_test_unlocked_; }
  // Ends everything that is being computed.
  void end() { is_ending_ = true; }
  const std::atomic<bool>& is_ending() const { return is_ending_; }

  std::shared_ptr<const ExploredModel> model() const { return current(); }
  const ThetaBox& box() const { return box_; }
  // All that a question about a split may use; of fields, some.
  const std::vector<std::size_t>& windows_of(Split split) const;
  // How many windows a quick evaluation takes.
  std::size_t n_quick() const { return n_affordable(kQuickSeconds); }

  // Of an algebraic model a window is a point.
  static constexpr std::size_t kMostShown = 6, kMostPoints = 1000;

 private:
  static constexpr double kQuickSeconds = 0.006;

  std::shared_ptr<ExploredModel> current() const;
  std::shared_ptr<ExploredModel> open(const Run& run, const std::vector<std::string>& expressions) const;
  // A run with its networks, ready to be asked.
  std::shared_ptr<ExploredModel> open_with_networks(const Run& run,
                                                    const std::vector<std::string>& expressions) const;
  void take(const Run& run);
  void make_predictors(ExploredModel& model);
  void measure();
  std::size_t n_most_windows() const;
  std::size_t n_per_batch() const;
  Evaluation evaluate_now(ExploredModel& model, const EvaluateRequest& request, const Ticket& ticket);
  // Whether a question that a moving hand asks leaves time for so many trajectories of curves.
  bool has_time_for(std::size_t n_curves) const;
  void check(const ExploredModel& model, const ExploredPoint& point) const;
  void check_shown(const EvaluateRequest& request) const;
  // Points of a grid that are to be computed, and where their values go.
  struct LevelPlaces {
    std::span<const std::size_t> places;
    GridValues& values;
  };
  // False when it came to no end.
  bool scan_level(ExploredModel& model, const ThetaGrid& grid, const WindowChoice& choice,
                  const Ticket& ticket, LevelPlaces level);
  std::vector<std::string> record_look(Split split);
  bool is_over(const Ticket& ticket) const { return is_ending_ || ticket.is_superseded(); }
  // Windows that can be evaluated in so many seconds.
  std::size_t n_affordable(double seconds) const;

  ThreadPool pool_;
  Turns turns_;
  mutable std::mutex mutex_;
  // What was asked for beside the model's own regularizers.
  std::vector<std::string> expressions_;
  std::shared_ptr<ExploredModel> current_;
  ThetaBox box_;
  std::array<std::vector<std::size_t>, 3> windows_;
  double pair_seconds_ = 0;
  // Of a curve, per interval between snapshots.
  std::size_t n_per_interval_ = 1;
  std::array<std::atomic<bool>, 3> is_recorded_{};
  std::atomic<bool> is_test_unlocked_ = false, is_ending_ = false;
  // One look at the training at a time.
  std::mutex watch_mutex_;
  TrainingStamp stamp_;
  TrainingWatch watch_;
};

}  // namespace greybox
