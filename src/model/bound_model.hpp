// A model with every name resolved: what is computed, from what, and at which rate. Immutable once bound.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/graph.hpp"
#include "model/spec.hpp"

namespace greybox {

enum class LeafKind : std::uint8_t {
  parameter,       // index: which parameter
  snapshot,        // index: data column; position: snapshot of the window (initial states, encoders)
  row,             // index: data column, at the only snapshot of an algebraic model's sample
  state,           // index: which state (for algebraic models, which output)
  input,           // index: which exogenous input, at the evaluation's time
  time,            // since the window's first snapshot
  start_time,      // of the window's first snapshot
  network_output,  // index: network; position: which output
  learned_start,   // index: which learned start; position: constant, then the slope of each parameter
  draw,            // index: which of `draws`
  generated,       // 1 where latents are to be drawn from their priors, else 0
  solved_state,    // index: which state; position: observed snapshot at which it was predicted
  at_snapshot,     // index: which of `snapshot_vectors`, at the snapshot that is observed
};

struct LeafRef {
  LeafKind kind;
  std::uint32_t index = 0;
  std::uint32_t position = 0;
};

// A data column that the model reads.
struct ModelColumn {
  std::string name;
  Shape shape = Shape::scalar;
  // Made from an equation of [inputs] or [state]: not the measured column, even of the same name.
  bool is_input = false;
};

// A component of the state, or of the output of an algebraic model.
struct BoundState {
  std::string name;
  Shape shape = Shape::scalar;
  NodeId initial = 0;     // ODE models only
  NodeId theory = 0;      // f_T
  NodeId network = 0;     // f_D
  NodeId derivative = 0;  // C(f_T, f_D); the output itself in algebraic models
  double scale = 1;
  // From the columns of a snapshot; where a mean over the data needs it.
  std::optional<NodeId> measured = {};
};

// The numbers that a learned initial value is made of, one row for each window, series or the whole run.
struct LearnedStart {
  std::size_t state = 0;
  StartOwner per = StartOwner::window;
  // Whether numbers far from 0 are unlikely.
  bool has_penalty = true;
  // Rows that the data have, which the model was settled with.
  std::size_t n_slots = 0;
};

// Numbers of which every window has one of its own: random ones, and those that mode tailored finds by its
// steps.
enum class Draw : std::uint8_t { standard_normal, uniform, adapted };
// Where nothing is drawn.
constexpr double centre_of(Draw draw) {
  return draw == Draw::uniform ? 0.5 : 0;
}

// One entry per component.
struct BoundLatent {
  const LatentSpec* spec = nullptr;
  std::vector<NodeId> value{}, mean{}, sd{};
  // Of its components, one after another.
  std::size_t first_draw = 0;
  bool is_vector = false;
};

struct BoundNetwork {
  const NetworkSpec* spec = nullptr;
  Rate rate = Rate::sample;
  bool is_estimator = false;  // used by [estimator] only
  std::uint8_t section = 0;   // called after this section of its stage
  std::vector<NodeId> inputs;
  std::vector<NodeId> outputs;  // leaves
  // Per input: which of the spec's it is part of; empty where the network reads the window.
  std::vector<std::size_t> input_of = {};
  // The network whose weights it has: it is called once more, at other inputs.
  std::optional<std::size_t> twin_of = {};
  // Per output, what equations read of a network with constraints; empty without.
  std::vector<NodeId> constrained = {};
};

struct BoundNoise {
  const NoiseFamily* family = nullptr;
  double df = 0;
  // The family's parameter: of an equation, or a number; where that is estimated, the first.
  std::optional<NodeId> node{};
  double spread = 1;
  bool is_estimated = false;
};

// What is compared with the data.
struct Observed {
  std::string name;
  std::size_t column = 0;
  NodeId value = 0;
  double scale = 1;
  // None: its squared errors count.
  std::optional<BoundNoise> noise{};

  // Of its squared errors in L.
  double weight() const { return 1 / (scale * scale); }
};

// What a mean runs over. What depends on neither state nor time, or on the solution at the observed
// snapshots, is computed once per sample, and counts as often as evaluations do.
enum class MeanOver : std::uint8_t { samples, evaluations, data, solutions };

// The inside of one distinct mean(…).
struct MeanTerm {
  NodeId value = 0;
  MeanOver over = MeanOver::evaluations;
};

// Leaves of `regularizer_graph`: L and the range of the data, where something is made of errors, and then the
// mean terms.
inline constexpr std::uint32_t kLossLeaf = 0, kRangeLeaf = 1, kFirstTermLeaf = 2;

struct BoundRegularizer {
  std::string name;
  NodeId value = 0;  // in `regularizer_graph`
};

struct BoundModel {
  std::shared_ptr<const ModelSpec> spec;
  Graph graph;
  std::vector<LeafRef> leaves;  // by leaf id
  std::vector<ModelColumn> columns;
  // Per exogenous input: its column (made by `PreparedData` from its equation).
  std::vector<std::size_t> input_columns;
  std::vector<BoundState> states;
  std::vector<BoundNetwork> networks;  // in the file's order; then twins
  std::vector<LearnedStart> starts;
  std::vector<BoundLatent> latents{};  // in the file's order
  std::vector<Draw> draws{};
  // One value per observed snapshot each.
  std::vector<std::vector<NodeId>> snapshot_vectors{};
  std::vector<Observed> observed;
  std::vector<NodeId> estimator;  // per parameter; empty when the model has none
  std::vector<MeanTerm> terms;
  Graph regularizer_graph;
  std::vector<BoundRegularizer> regularizers;
  // Of L in the objective, a node of `regularizer_graph`; none: 1.
  std::optional<NodeId> loss_weight;
  // Some regularizer is made of `L`, `rmse` or `nrmse`.
  bool uses_errors = false;

  bool is_algebraic() const { return spec->is_algebraic(); }
  const Grid& grid() const { return spec->grid.grid; }
  // L is the mean negative log-likelihood.
  bool has_noise() const { return !observed.empty() && observed.front().noise.has_value(); }
  std::size_t points(Shape shape) const { return shape == Shape::field ? grid().points() : 1; }
  // Numbers in a row of a learned start.
  std::size_t start_width() const { return 1 + spec->parameters.size(); }
  const BoundRegularizer* find_regularizer(const std::string& name) const;
  // Whether a mean runs over the states that were measured.
  bool has_data_terms() const;
  // Whether anything depends on the whole solution.
  bool reads_solution() const;
  // Whether mode tailored has more to find for a window than θ.
  bool has_adapted_draws() const {
    return std::find(draws.begin(), draws.end(), Draw::adapted) != draws.end();
  }
};

// A regularizer asked for outside the model file (on the command line).
struct ExtraRegularizer {
  std::string name;
  std::string expression;
};

// Resolves every name; throws InputError with all mistakes found. `data_columns` are the names the data file
// has (null when it could not be read: any name that would be a column is then taken to be one).
std::shared_ptr<const BoundModel> bind_model(std::shared_ptr<const ModelSpec> spec,
                                             const std::vector<std::string>* data_columns,
                                             const std::vector<ExtraRegularizer>& extra = {});

}  // namespace greybox
