// A model file as written: every table and key, with the place it stands at, and equations parsed but not yet
// bound.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/windows.hpp"
#include "greybox/error.hpp"
#include "greybox/recipe.hpp"
#include "greybox/scales.hpp"
#include "language/program.hpp"
#include "language/syntax.hpp"
#include "model/noise.hpp"
#include "nn/network_kind.hpp"
#include "ode/integrator.hpp"

namespace greybox {

// The text of the model file, shared by everything that may have to point into it.
struct SourceFile {
  std::string path;
  std::string text;
  std::string_view line(std::size_t number) const;  // from 1; without its line end
};

// `name = "equation"` in some table.
struct Equation {
  std::string name;
  SourceSpan name_span;
  std::string text;
  SourceSpan text_span;    // of the first line of the text inside the quotes
  bool is_literal = true;  // the file has the text as it is, without escapes: places in it can be counted
  std::shared_ptr<const Syntax> syntax;
  std::string where = {};  // for messages: "the theory of `angle`"
};

enum class PriorKind : std::uint8_t { uniform, normal, lognormal, truncated_normal, beta };
// What has a draw of its own: every sample, or all samples of a batch together.
enum class DrawPer : std::uint8_t { sample, batch };
// As in the model file.
std::string to_string(PriorKind prior);

struct ParameterSpec {
  std::string name;
  SourceSpan span;
  PriorKind prior = PriorKind::uniform;
  double low = 0, high = 0;    // bounds; infinite where there is none
  double mean = 0, sd = 1;     // of the normal (of log θ for lognormal); unused for others
  double alpha = 1, beta = 1;  // of the beta prior
  DrawPer draw = DrawPer::sample;
  bool learned = false;           // the prior's own parameters are fitted
  bool is_log = false;            // grids and searches step through its logarithm
  std::optional<double> start{};  // of modes that learn one common value; none: a draw of the prior
  std::string unit, about;

  // Bounds say where to look; elsewhere mean and sd do.
  bool is_known_by_bounds() const { return prior == PriorKind::uniform || prior == PriorKind::beta; }
};

// Where the initial value of a state comes from: its equation; learned around it, or within bounds; or a
// polynomial through the window's observed snapshots.
enum class StartKind : std::uint8_t { equation, learned, smooth };
// What has a learned initial value of its own.
enum class StartOwner : std::uint8_t { window, series, run };
// As in the model file.
std::string to_string(StartOwner owner);

// The start of one state; its equation is that of the state: of a learned start the prior's mean, or the
// middle of its bounds.
struct StartSpec {
  StartKind kind = StartKind::equation;
  // Of learned starts.
  PriorKind prior = PriorKind::normal;
  double low = 0, high = 0;
  double sd = 1;
  StartOwner per = StartOwner::window;
  // Of the polynomial.
  std::size_t order = 1;
};

// A number per window that is drawn: from its posterior, which equations of the window give, or else from its
// prior.
struct LatentSpec {
  std::string name;
  SourceSpan span;
  // Normal or uniform.
  PriorKind prior = PriorKind::normal;
  double prior_mean = 0, prior_sd = 1;
  // Draws are cut to these bounds; of a uniform prior, its ends.
  double low = 0, high = 0;
  // Of the posterior, both or none.
  std::optional<Equation> mean{}, sd{};
  // Found for each window by the steps of mode tailored, and nowhere drawn: it is its prior's mean elsewhere.
  bool adapts = false;
  // Components where there is no posterior; a vector where the file says how many.
  std::size_t size = 1;
  bool is_vector = false;
};
// What it is drawn from: `normal(m, s)`, where m and s are as the file has them.
std::string distribution_of(const LatentSpec& latent);

// An entry of a network's `outputs`: a name, or `z[16]` for a vector of 16.
struct OutputSpec {
  std::string name;
  std::size_t count = 1;
  bool is_vector = false;
  SourceSpan span;
};

enum class Scaling : std::uint8_t { automatic, none };

// `name = number` in [scales].
struct GivenScale {
  std::string name;
  SourceSpan name_span;
  double scale = 1;
};

// The noise of one observed variable.
struct NoiseSpec {
  std::string name;
  SourceSpan name_span{};
  NoiseKind kind = NoiseKind::normal;
  // The family's parameter: a number, an equation, or estimated while the networks learn.
  double spread = 1;
  std::optional<Equation> equation{};
  bool is_estimated = false;
  // Of Student's t.
  double df = 4;
};

// What an input is between its values: on the line between them, still the last, on a smooth curve through
// them; or nothing, because they are amounts that a state jumps by.
enum class Hold : std::uint8_t { linear, previous, cubic, bolus };
// As in the model file.
std::string to_string(Hold hold);

// What is said of an input beside its equation.
struct SignalSpec {
  Hold hold = Hold::linear;
  // Relative to the model file's folder; empty: the input has the rows of the data.
  std::string file = {};
  SourceSpan file_span = {};
  // Columns of that file; empty: those of the data where it has them, else the usual ones.
  std::string time = {}, series = {};
  // Dead time, in the time's own unit, or in seconds where it has a unit.
  double delay = 0, delay_seconds = 0;
  SourceSpan delay_span = {};
  // The state that a bolus acts on.
  std::string into = {};
  SourceSpan into_span = {};
};

// What is known of a network's outputs before it learns; inputs by index.
struct NetworkConstraints {
  bool is_positive = false;
  std::optional<std::pair<double, double>> bounds;
  // Outputs change their sign with, or do not depend on the sign of, all these inputs together; they are zero
  // where all these inputs are.
  std::vector<std::size_t> odd, even, zero_at_zero;
  std::vector<std::size_t> increasing, decreasing;
  bool sums_to_zero = false;

  bool operator==(const NetworkConstraints&) const = default;
};

struct NetworkSpec {
  std::string name;
  SourceSpan span;
  const NetworkKind* kind = nullptr;  // of the registry
  bool reads_window = false;          // "window" or "window.NAME" is among its inputs
  std::vector<Equation> inputs;       // names empty; none: inputs = "window"
  // The last of the inputs: those that its weights are made of.
  std::size_t n_conditions = 0;
  std::vector<OutputSpec> outputs;
  NetworkSettings settings;  // the keys of its kind
  Scaling scale = Scaling::automatic;
  // As given, one number per input or output; empty where nothing is said.
  NetworkScales given_scales;
  NetworkConstraints constraints;

  bool is_on_fields() const { return kind->domain == Domain::fields; }
};

// Lengths of time as the file has them, in seconds; 0 where it counts snapshots, or in the time's own unit.
struct DurationSpec {
  double length = 0, stride = 0, gap = 0;
  // Of the first that is given.
  SourceSpan span;
};

struct DataSpec {
  // Of the table's name; of no line without [data].
  SourceSpan span;
  // As written, with patterns; relative to the model file's folder. None: a program gives the data.
  std::vector<std::string> files;
  SourceSpan file_span;
  TableOptions table;
  WindowOptions window;
  SplitOptions split;
  DurationSpec durations;
  Missing missing = Missing::skip;
  std::optional<Equation> drop;   // windows in which this holds at any snapshot are left out
  std::vector<Equation> columns;  // [data.columns]: new or rescaled columns
};

struct GridSpec {
  bool is_given = false;
  SourceSpan span;
  Grid grid;
  std::vector<std::string> fields;     // data variables that are fields; empty: all that are not `scalars`
  std::vector<std::string> scalars{};  // known from the data to be single numbers
  double x0 = 0, y0 = 0;               // of the first grid point

  bool is_line() const { return is_given && grid.height == 1; }
  // What lays the coordinate of that name over the grid: `x`, and `y` where there is more than one row.
  std::optional<Operation> coordinate(std::string_view name) const {
    if (is_given && name == "x") return Operation::grid_x;
    if (is_given && name == "y" && !is_line()) return Operation::grid_y;
    return std::nullopt;
  }
};

struct SolverSpec {
  bool is_given = false;
  SourceSpan span;
  IntegratorOptions options;  // method, step, tolerances, weighting (key `means`)
  // `method = "auto"`: chosen once a model meets the data that it is trained on, for this reason.
  bool is_automatic = false;
  bool is_settled = false;
  std::string reason = {};
};

enum class Precision : std::uint8_t { single_, double_ };

// What counts alike in L: every value, so that windows count by their length, or every window.
enum class LossWeighting : std::uint8_t { values, windows };

// How mode `aphynity` weighs the loss: λ L + R, with λ raised by `tau` times the loss every so many epochs.
struct AphynitySpec {
  double lambda0 = 1;
  double tau = 1;
  std::size_t every = 1;
};

// How mode `tailored` finds θ of a window: so many steps down R, at a rate for θ in units of their priors'
// widths.
struct TailoringSpec {
  std::size_t steps = 1;
  double rate = 0.1;
  // Whether the outer gradient knows how the steps depend on weights and start.
  bool second_order = false;
};

struct TrainSpec {
  Recipe recipe = Recipe::paper;
  // Recipe "auto" chooses what is not given.
  bool is_epochs_given = true, is_batch_given = true, is_rate_given = true;
  std::string regularizer;  // name of a regularizer or an expression; empty: none
  SourceSpan regularizer_span;
  double lambda = 0;
  // Of L beside the regularizer, an equation of the parameters; none: 1.
  std::optional<Equation> loss_weight;
  LossWeighting weigh = LossWeighting::values;
  std::size_t epochs = 500;
  std::size_t batch = 50;
  std::size_t draws = 1;   // m: draws of θ per sample
  std::size_t starts = 1;  // draws of θ to choose the start of a common θ from
  // Epochs over which windows grow to their full length; none: as the theory needs it.
  std::optional<std::size_t> grow;
  double rate_start = 1e-3, rate_end = 1e-3;
  double weight_decay = 0.01;
  double clip_value = 1, clip_norm = 10;  // infinite: no clipping
  std::size_t validate_every = 10;        // epochs; 0: never
  std::size_t patience = 0;  // validations without improvement before stopping; 0: never stop early
  bool keep_best = false;
  double checkpoint_seconds = 30;
  Precision precision = Precision::single_;
  bool is_precision_given = false;
  SourceSpan precision_span;
  AphynitySpec aphynity;
  TailoringSpec tailored;
};

struct ModelSpec {
  std::shared_ptr<const SourceFile> source;
  std::string name, about;
  DataSpec data;
  std::vector<ParameterSpec> parameters;
  GridSpec grid;
  std::vector<Equation> inputs, definitions, state, theory, data_driven, composition, observe, estimator,
      regularizers;
  // Of each input.
  std::vector<SignalSpec> signals;
  // Of each state.
  std::vector<StartSpec> starts;
  std::vector<LatentSpec> latents;
  std::vector<NetworkSpec> networks;
  // Of every observed variable, in their order; empty: L is the mean squared error.
  std::vector<NoiseSpec> noise;
  SolverSpec solver;
  TrainSpec train;
  Scaling scale = Scaling::automatic;
  std::vector<GivenScale> given_scales;
  // Settled once a model meets the data that it is trained on.
  std::optional<Scales> scales;
  bool is_algebraic() const { return state.empty(); }
  // The coordinate that a name stands for in equations; outputs of an algebraic model go before.
  std::optional<Operation> coordinate(std::string_view coordinate) const;
  bool has_learned_starts() const;
};

// Reads and checks everything that can be checked without binding names; throws InputError with every mistake
// found.
ModelSpec read_model_spec(const std::filesystem::path& file);
ModelSpec parse_model_spec(std::string text, const std::string& path);  // the same from memory

// A diagnostic that points into the model file, at `range` of the equation's text or at a span.
Diagnostic at(const SourceFile& source, const SourceSpan& span, std::string message, std::string help);
Diagnostic at(const SourceFile& source, const Equation& equation, TextRange range, std::string message,
              std::string help);
// The same into the text of an expression that was given as option `regularizer`.
Diagnostic in_expression(const Equation& equation, TextRange range, std::string message, std::string help);

}  // namespace greybox
