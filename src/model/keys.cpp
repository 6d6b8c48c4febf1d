// Every table and key of a model file with its type, default, range and a line of documentation.
#include "model/keys.hpp"

#include <algorithm>
#include <cassert>

#include "model/noise.hpp"
#include "ode/tableau.hpp"

namespace greybox {

namespace {

using enum KeyType;

std::vector<std::string> solver_methods() {
  std::vector<std::string> names;
  for (const Tableau& tableau : tableaux()) names.emplace_back(tableau.name);
  names.emplace_back("auto");
  return names;
}

std::vector<std::string> noise_kinds() {
  std::vector<std::string> names;
  for (const NoiseFamily& family : noise_families()) names.emplace_back(family.name);
  return names;
}

// One long expression on purpose: the whole format of the model file at a glance.
std::vector<TableInfo> make_tables() {  // NOLINT(readability-function-size)
  constexpr bool required = true;
  // clang-format off
  return {
      {.name = "", .about = "Before the first table.", .keys = {
          {.name = "name", .about = "what the model is called; by default the file's name without `.toml`"},
          {.name = "about", .about = "one line for the reader of reports"},
          {.name = "scale", .type = choice, .fallback = "auto", .choices = {"auto", "none"}, .about = "whether networks, states and losses count in units measured on the training data, or as they are"},
      }},
      {.name = "data", .about = "Where the measurements are and how they are cut into samples.", .keys = {
          {.name = "file", .type = text_or_names, .about = "a .csv, .tsv, .txt or .npz file, relative to the model file's folder; needed unless a program gives the data. Several files, also by patterns such as `\"run*.csv\"`, are a series each, unless they have a series column"},
          {.name = "series", .about = "the column that tells trajectories apart; by default `series` if there is one"},
          {.name = "time", .about = "the column of times, as numbers or ISO dates; by default the one with a usual name (`time`, `t`, `timestamp`, `date`, `time [s]`, `day`, …; of an algebraic model, `time` alone), else rows are counted; `\"none\"`: rows are counted"},
          {.name = "time_unit", .about = "what times and so all rates are counted in: seconds, minutes, hours, days, weeks or years (of 365.25 days); of dates, days by default"},
          {.name = "window", .type = table, .about = "how series are cut into windows; by default each series is one"},
          {.name = "split", .type = table, .about = "which windows train, validate and test; by default all train"},
          {.name = "drop", .type = equation, .about = "windows in which this holds at any snapshot are left out"},
          {.name = "missing", .type = choice, .fallback = "skip", .choices = {"skip", "error", "drop", "interpolate"}, .about = "what to do about missing values: leave each out of the loss, with inputs interpolated between their own values and windows that cannot start left out; refuse them; drop their rows; or interpolate in time"},
          {.name = "missing_words", .type = names, .fallback = "[]", .about = "further cells that are missing values, such as `[\"-9999\", \"?\"]`; empty cells, `-`, NA, N/A, NaN, null, none and missing always are"},
          {.name = "rename", .type = table, .about = "names for columns of the file"},
          {.name = "long", .type = table, .about = "the file has one value per row"},
          {.name = "columns", .type = table, .about = "new or rescaled columns"},
      }},
      {.name = "data.window", .about = "Windows are samples: their first snapshots are x, those after the first are y.", .keys = {
          {.name = "length", .type = count_or_duration, .fallback = "0", .range = Range::non_negative, .about = "snapshots per window, or its duration; 0 for whole series"},
          {.name = "observed", .type = count, .fallback = "1", .range = Range::at_least_one, .about = "how many snapshots make up x"},
          {.name = "stride", .type = count_or_duration, .fallback = "1", .range = Range::at_least_one, .about = "snapshots, or time, from one window's start to the next"},
      }},
      {.name = "data.split", .about = "Fractions that add up to 1.", .keys = {
          {.name = "train", .type = number, .range = Range::fraction, .about = "fraction to learn from; by default what the other two leave. The three make up 1"},
          {.name = "validation", .type = number, .fallback = "0", .range = Range::fraction, .about = "fraction to watch the training with"},
          {.name = "test", .type = number, .fallback = "0", .range = Range::fraction, .about = "fraction to judge and estimate with"},
          {.name = "by", .type = choice, .fallback = "series", .choices = {"series", "window", "time"}, .about = "whether whole series or single windows are dealt out, or each series is cut in order, so that its last part tests; windows that reach from one part into the next are then left out"},
          {.name = "gap", .type = number_or_duration, .fallback = "0", .range = Range::non_negative, .about = "time to leave out between two parts, with `by = \"time\"`"},
          {.name = "seed", .type = count, .fallback = "0", .range = Range::non_negative, .about = "of the shuffling"},
          {.name = "held_out", .type = names, .fallback = "[]", .about = "series that go to test whatever the fractions say"},
          {.name = "shuffle", .type = flag, .fallback = "true", .about = "false: dealt out in the file's order"},
      }},
      {.name = "data.columns", .contents = Contents::equations, .about = "Columns made from those of the file, such as `prey = \"0.5 * algae\"`."},
      {.name = "data.rename", .contents = Contents::names, .about = "What equations call columns with units, blanks or taken names, such as `flow = \"flow [l/min]\"`."},
      {.name = "data.long", .about = "A table with a variable's name and its value in each row.", .keys = {
          {.name = "variable", .fallback = "variable", .about = "the column that names the variable"},
          {.name = "value", .fallback = "value", .about = "the column of values"},
      }},
      {.name = "parameters", .contents = Contents::tables, .about = "The theory's parameters, one table each."},
      {.name = "parameters.NAME", .about = "A parameter: what is known of it beforehand.", .keys = {
          {.name = "prior", .type = choice, .is_required = required, .choices = {"uniform", "normal", "lognormal", "truncated_normal", "beta"}, .about = "uniform needs `low` and `high`; normal and lognormal need `mean` and `sd`; truncated_normal needs all four; beta, between 0 and 1, needs `alpha` and `beta`"},
          {.name = "low", .type = number, .range = Range::any, .about = "lower bound"},
          {.name = "high", .type = number, .range = Range::any, .about = "upper bound"},
          {.name = "mean", .type = number, .about = "mean of the normal; of the parameter's logarithm for lognormal"},
          {.name = "sd", .type = number, .range = Range::positive, .about = "standard deviation of the normal; of the logarithm for lognormal"},
          {.name = "alpha", .type = number, .range = Range::positive, .about = "of the beta prior: the smaller, the more of it is near 0"},
          {.name = "beta", .type = number, .range = Range::positive, .about = "of the beta prior: the smaller, the more of it is near 1"},
          {.name = "draw", .type = choice, .fallback = "sample", .choices = {"sample", "batch"}, .about = "what has a draw of its own in adaptive training: every window of a batch, or the batch as a whole, as a control of the objective's weights needs it (docs/control.md)"},
          {.name = "learned", .type = flag, .fallback = "false", .about = "fit the prior's own parameters too"},
          {.name = "scale", .type = choice, .choices = {"linear", "log"}, .about = "how grids and searches step through its range; log needs a range above 0. By default log for lognormal, linear otherwise"},
          {.name = "start", .type = number, .about = "where modes that learn one common value start; by default a draw of the prior"},
          {.name = "unit", .about = "for the reader, such as `m/s^2`"},
          {.name = "about", .about = "one line for the reader"},
      }},
      {.name = "grid", .about = "The grid of fields; rows are y, columns are x. Equations may use the coordinates `x` and `y` of its points.", .keys = {
          {.name = "height", .type = count, .fallback = "1", .range = Range::layer_size, .about = "grid points along y; 1 for a line, which has no `y`"},
          {.name = "width", .type = count, .is_required = required, .range = Range::layer_size, .about = "grid points along x"},
          {.name = "spacing", .type = number_or_pair, .fallback = "1", .range = Range::positive, .about = "distance between grid points, or `[dx, dy]`"},
          {.name = "origin", .type = number_or_pair, .fallback = "0", .about = "`x` and `y` of the first grid point, or `[x, y]`"},
          {.name = "boundary", .type = choice, .fallback = "no_flux", .choices = {"no_flux", "periodic", "fixed"}, .about = "what derivatives find beyond the edge"},
          {.name = "outside", .type = number, .fallback = "0", .about = "the value just outside the grid, with `boundary = \"fixed\"`"},
          {.name = "fields", .type = names, .fallback = "[]", .about = "the variables that are fields; by default every variable of that shape"},
          {.name = "static", .type = names, .fallback = "[]", .about = "variables that do not change in time: npz arrays of height × width (of a line: width), or of series × height × width where each series has its own"},
      }},
      {.name = "inputs", .contents = Contents::equations, .about = "Signals that act on the system: measured ones, linear between their samples unless a table `[inputs.NAME]` says more. See [inputs](inputs.md)."},
      {.name = "inputs.NAME", .about = "An input that says more than its equation.", .keys = {
          {.name = "equation", .type = equation, .about = "the signal, of columns of the data or of the input's own file; there by default the column of the input's name"},
          {.name = "hold", .type = choice, .fallback = "linear", .choices = {"linear", "previous", "cubic", "bolus"}, .about = "what the signal is between two of its values: on the line between them; still the first; on a monotone cubic through them; or nothing, as they are amounts that a state jumps by"},
          {.name = "file", .about = "a file of its own, with times of its own, relative to the model file's folder; by default the input is made of the rows of the data"},
          {.name = "time", .about = "the column of times of that file; by default that of the data if it has it, else the one with a usual name"},
          {.name = "series", .about = "the column of that file that says which series a value is for; by default that of the data if it has it; without one its values are for all series"},
          {.name = "delay", .type = number_or_duration, .fallback = "0", .range = Range::non_negative, .about = "dead time: the signal acts so much later, in the unit of time or as text such as `\"30 s\"`"},
          {.name = "into", .about = "the state that a bolus acts on"},
      }},
      {.name = "define", .contents = Contents::equations, .about = "Names for expressions that other equations use."},
      {.name = "state", .contents = Contents::equations, .about = "The state, with its initial value from the first snapshot. Without it the model is algebraic. `NAME = { start = \"learned\", … }` for one that is not measured, or noisily so (docs/initial-states.md)."},
      {.name = "state.NAME", .about = "A state that says more about where it starts than an equation.", .keys = {
          {.name = "start", .type = choice, .fallback = "equation", .choices = {"equation", "learned", "smooth"}, .about = "`equation`: as if the equation stood alone; `learned`: a number that is learned with the weights, under a prior; `smooth`: a polynomial in time through what the equation gives at the observed snapshots of the window"},
          {.name = "equation", .type = equation, .about = "of columns of the data; needed unless the start is learned"},
          {.name = "prior", .type = choice, .fallback = "normal", .choices = {"uniform", "normal", "lognormal"}, .about = "of a learned start; uniform needs `low` and `high`, the others `mean` and `sd`"},
          {.name = "mean", .type = number_or_equation, .about = "mean of the normal, of the start's logarithm for lognormal. An equation may use what one of [state] may: `mean = \"level\"` with the sensor's sd for a noisily measured start"},
          {.name = "sd", .type = number, .range = Range::positive, .about = "standard deviation of the normal; of the logarithm for lognormal"},
          {.name = "low", .type = number, .about = "lower bound of a uniform prior"},
          {.name = "high", .type = number, .about = "upper bound of a uniform prior"},
          {.name = "per", .type = choice, .fallback = "window", .choices = {"window", "series", "run"}, .about = "what has a learned start of its own: every window, every series (all its windows then begin alike), or the whole run has one"},
          {.name = "order", .type = count, .fallback = "1", .range = Range::non_negative, .about = "of the polynomial of a smoothed start; 0 for the mean"},
      }},
      {.name = "latent", .contents = Contents::tables, .about = "Numbers per window that are drawn while networks learn, such as those of a variational autoencoder (docs/latents.md), or that mode `tailored` finds (docs/tailoring.md)."},
      {.name = "latent.NAME", .about = "A latent: with `mean` and `sd` it is drawn from this normal posterior, and `kl(NAME)` is the divergence from the prior; without, always from its prior. Where nothing is drawn it is its mean.", .keys = {
          {.name = "mean", .type = equation, .about = "mean of the posterior, of networks that read the window; a vector makes the latent one"},
          {.name = "sd", .type = equation, .about = "standard deviation of the posterior, such as `exp(h.log_variance / 2)`"},
          {.name = "prior", .type = choice, .fallback = "normal", .choices = {"uniform", "normal"}, .about = "uniform, for latents without posterior, needs `low` and `high`"},
          {.name = "prior_mean", .type = number, .fallback = "0", .about = "mean of the normal prior"},
          {.name = "prior_sd", .type = number, .fallback = "1", .range = Range::positive, .about = "standard deviation of the normal prior"},
          {.name = "size", .type = count, .range = Range::at_least_one, .about = "components of a latent without posterior, which is then a vector"},
          {.name = "adapts", .type = flag, .fallback = "false", .about = "nothing is drawn: mode `tailored` begins with `prior_mean` for every window and takes its steps here too; elsewhere it is `prior_mean` (docs/tailoring.md)"},
          {.name = "low", .type = number, .about = "draws below are set to it; of a uniform prior, its lower end"},
          {.name = "high", .type = number, .about = "draws above are set to it; of a uniform prior, its upper end"},
      }},
      {.name = "theory", .contents = Contents::equations, .about = "Time derivatives of the state, or the outputs themselves when there is no state."},
      {.name = "network", .contents = Contents::tables, .about = "Networks, one `[network.NAME]` each."},
      {.name = "network.NAME", .about = "A network and its place in the equations.", .keys = network_keys()},
      {.name = "data_driven", .contents = Contents::equations, .about = "The data-driven part spelt out; by default what the networks' outputs of the same names give."},
      {.name = "composition", .contents = Contents::equations, .about = "How theory and data-driven part join; by default `theory + network`."},
      {.name = "observe", .contents = Contents::equations, .about = "What is compared with the data's columns."},
      {.name = "noise", .contents = Contents::tables, .about = "How measured values scatter around what is observed, one table per observed variable. The loss is then the mean negative log-likelihood; without it, the mean squared error."},
      {.name = "noise.NAME", .about = "The noise of an observed variable. Variables that [noise] does not name have normal noise of estimated sd.", .keys = {
          {.name = "kind", .type = choice, .fallback = "normal", .choices = noise_kinds(), .about = "`relative`: normal, with a standard deviation of `sd` times the predicted value; `lognormal`: the logarithm is normal around that of the predicted value; `student`: Student's t, which forgives outliers; `poisson` and `negative_binomial`: counts"},
          {.name = "sd", .type = number_or_equation, .range = Range::positive, .about = "standard deviation; of `relative` a fraction, of `lognormal` that of the logarithm, of `student` the scale; by default estimated. Equations may use what those of [observe] may, observed variables as predicted, and `predicted` for this one"},
          {.name = "dispersion", .type = number_or_equation, .range = Range::positive, .about = "of `negative_binomial`: the variance is `m + dispersion * m^2` where m is predicted; by default estimated"},
          {.name = "df", .type = number, .fallback = "4", .range = Range::positive, .about = "degrees of freedom of `student`: the fewer, the less an outlier counts"},
      }},
      {.name = "estimator", .contents = Contents::equations, .about = "Parameters from a window, for estimates sample by sample."},
      {.name = "solver", .about = "How the differential equation is solved.", .keys = {
          {.name = "method", .type = choice, .fallback = "rk4", .choices = solver_methods(), .about = "the Runge–Kutta method; those from dopri5 on choose their steps, kvaerno3 and kvaerno5 are for stiff equations, and auto chooses between tsit5 and kvaerno5. A file without [solver] has rk4 where one step from snapshot to snapshot follows the theory over the prior, else auto"},
          {.name = "step", .type = number, .range = Range::positive, .about = "largest step of a fixed-step method; by default one step from sample to sample"},
          {.name = "relative_tolerance", .type = number, .fallback = "1e-6", .range = Range::positive, .about = "of methods that choose their steps"},
          {.name = "absolute_tolerance", .type = number, .fallback = "1e-8", .range = Range::positive, .about = "of methods that choose their steps"},
          {.name = "max_steps", .type = count, .fallback = "100000", .range = Range::at_least_one, .about = "from sample to sample, of methods that choose their steps"},
          {.name = "means", .type = choice, .fallback = "evaluations", .choices = {"evaluations", "time"}, .about = "whether `mean` in a regularizer weighs every evaluation alike or by the time it stands for; methods that choose their steps then hold these averages to their tolerances too"},
      }},
      {.name = "scales", .contents = Contents::numbers, .about = "Typical sizes of variation of states and observed variables, where those measured on the training data are not wanted."},
      {.name = "regularizers", .contents = Contents::equations, .about = "Candidate regularizers, made of `mean`, `norm2` and `dot`."},
      {.name = "train", .about = "How the networks learn.", .keys = {
          {.name = "regularizer", .about = "a name from `[regularizers]` or an expression; by default none"},
          {.name = "lambda", .type = number, .fallback = "0", .range = Range::non_negative, .about = "weight of the regularizer"},
          {.name = "loss_weight", .type = equation, .about = "weight of the loss, an equation of the parameters, such as `1 - a` for a control `a` (docs/control.md)"},
          {.name = "recipe", .type = choice, .choices = {"paper", "auto"}, .about = "who chooses `rate`, `epochs` and `batch`: `paper` takes them as given; `auto` chooses those that are not given, averages weights, and lowers rates once the landscape has settled; by default `auto` where none of the three is given, else `paper`"},
          {.name = "weigh", .type = choice, .fallback = "values", .choices = {"values", "windows"}, .about = "what counts alike in L: every measured value, so that long windows count more than short ones, or every window"},
          {.name = "epochs", .type = count, .fallback = "500", .range = Range::at_least_one, .about = "passes over the training windows; with recipe `auto`, at most"},
          {.name = "batch", .type = count, .fallback = "50", .range = Range::at_least_one, .about = "windows per step"},
          {.name = "starts", .type = count, .fallback = "1", .range = Range::at_least_one, .about = "of modes that learn one common value of each parameter: so many draws of the priors, of which the theory alone fits best at the one to start from"},
          {.name = "draws", .type = count, .fallback = "1", .range = Range::at_least_one, .about = "draws of the parameters per window"},
          {.name = "grow", .type = count, .range = Range::non_negative, .about = "epochs over which windows grow from their first snapshots to their full length; 0 for never; by default a third of all where the theory alone is unstable, and 0 elsewhere"},
          {.name = "rate", .type = number_or_pair, .fallback = "1e-3", .range = Range::positive, .about = "learning rate, or `[start, end]` to lower it exponentially; with recipe `auto`, the highest and the last"},
          {.name = "weight_decay", .type = number, .fallback = "0.01", .range = Range::non_negative, .about = "of AdamW"},
          {.name = "clip_value", .type = number, .fallback = "1", .range = Range::positive_or_infinite, .about = "largest entry of a gradient; inf for no clipping"},
          {.name = "clip_norm", .type = number, .fallback = "10", .range = Range::positive_or_infinite, .about = "largest norm of a gradient; inf for no clipping"},
          {.name = "validate_every", .type = count, .fallback = "10", .range = Range::non_negative, .about = "epochs between validations; 0 for never"},
          {.name = "patience", .type = count, .fallback = "0", .range = Range::non_negative, .about = "validations without improvement before stopping; 0 for never stopping early"},
          {.name = "keep_best", .type = flag, .fallback = "false", .about = "end with the weights of the best validation"},
          {.name = "checkpoint_seconds", .type = number, .fallback = "30", .range = Range::positive_or_infinite, .about = "time between checkpoints"},
          {.name = "precision", .type = choice, .fallback = "float", .choices = {"float", "double"}, .about = "of the arithmetic; stiff methods always compute in double"},
          {.name = "aphynity", .type = table, .about = "how mode `aphynity` raises the weight of the loss"},
          {.name = "tailored", .type = table, .about = "how mode `tailored` finds the parameters of a window"},
      }},
      {.name = "train.aphynity", .about = "Mode `aphynity` minimises `λ L + R`, and after every so many epochs adds `tau * L` to `λ`.", .keys = {
          {.name = "lambda0", .type = number, .fallback = "1", .range = Range::non_negative, .about = "the first `λ`"},
          {.name = "tau", .type = number, .fallback = "1", .range = Range::positive, .about = "how fast `λ` grows with the loss"},
          {.name = "every", .type = count, .fallback = "1", .range = Range::at_least_one, .about = "epochs from one `λ` to the next"},
      }},
      {.name = "train.tailored", .about = "Mode `tailored` takes, for each window on its own, steps down the regularizer from a common start that it learns.", .keys = {
          {.name = "steps", .type = count, .fallback = "1", .range = Range::at_least_one, .about = "steps for each window"},
          {.name = "rate", .type = number, .fallback = "0.1", .range = Range::positive, .about = "of these steps, for parameters in units of the width of their priors (from the 10 % to the 90 % point)"},
          {.name = "second_order", .type = flag, .fallback = "false", .about = "whether learning knows how the steps depend on weights and start; otherwise it takes them as they are (first-order)"},
      }},
  };
  // clang-format on
}

}  // namespace

const std::vector<TableInfo>& model_file_tables() {
  static const std::vector<TableInfo> tables = make_tables();
  return tables;
}

const TableInfo& table_info(std::string_view name) {
  const auto found = std::ranges::find(model_file_tables(), name, &TableInfo::name);
  assert(found != model_file_tables().end());
  return *found;
}

const KeyInfo* TableInfo::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &KeyInfo::name);
  return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> top_level_tables() {
  std::vector<std::string> names;
  for (const TableInfo& info : model_file_tables())
    if (!info.name.empty() && info.name.find('.') == info.name.npos) names.emplace_back(info.name);
  return names;
}

}  // namespace greybox
