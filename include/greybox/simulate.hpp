// Simulations: a trained model run forward from a given start, over any length of time, without outputs.
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "greybox/run.hpp"
#include "greybox/theta_from.hpp"

namespace greybox {

// Where a simulation starts.
struct SimulationStart {
  // Values of states by name: of all of them, unless `at` gives the others.
  std::map<std::string, double> states{};
  // A window of the data, or the row of a series at this time.
  std::variant<std::monostate, WindowIndex, WindowAt> at{};
  // Of a start from values: the clock time there; by default the first of the inputs, or 0.
  std::optional<double> time{};
};

struct SimulateOptions {
  SimulationStart start{};
  // What the model's inputs are made from, at times of their own; by default the data that it starts in.
  std::optional<Table> inputs{};
  // Other data than the run's own to start in.
  std::optional<Table> data{};
  // How long; by default to the end of the inputs, or of the series that it starts in.
  std::optional<double> horizon{};
  // Between output times; by default as the data have them.
  std::optional<double> step{};
  // A value for every parameter; empty: as `theta_from` says.
  Theta theta{};
  ThetaFrom theta_from = ThetaFrom::automatic;
  // Bands need windows of the run's data to measure the noise on, and to be checked on.
  bool bands = true;
  // Share of values that the bands are meant to hold.
  double level = 0.9;
  // Networks and draws of the distribution of θ that the bands are made of. Draws are of `theta_from`
  // posterior.
  std::size_t seeds = 1;
  std::vector<Run> with{};
  std::size_t draws = 50;
  // Widen or narrow the bands until they hold that share on the validation windows.
  bool conformal = false;
  Execution execution{};
};

// Values at the times of the simulation: [time], of a field [time][height][width].
struct SimulatedVariable {
  // As in files: `angle` observed, `state.angle`, `theory.angle`, `network.angle`, `input.torque`.
  std::string name;
  std::size_t height = 1, width = 1;
  std::vector<double> values;
  // The band; empty where there is none. Of what is observed it holds the noise too.
  std::vector<double> low{}, high{};
};

// How the bands of one observed variable did on windows that they were not made from.
struct BandCheck {
  std::string name;
  // Standard deviation of what is measured around what is predicted.
  double noise = std::numeric_limits<double>::quiet_NaN();
  // Factor of the bands' widths that conformal prediction asked for; 1 without it.
  double factor = 1;
  // Share of the values within the bands, and how many there were; NaN without any.
  double coverage = std::numeric_limits<double>::quiet_NaN();
  std::size_t n_values = 0;
  double mean_width = std::numeric_limits<double>::quiet_NaN();
};

// What is measured of an observed variable, where the simulation starts in data.
struct MeasuredPoints {
  std::string name;
  std::vector<double> time, values;
};

struct Simulation {
  std::string model;
  // Clock times; the first is the start.
  std::vector<double> time;
  std::string time_name, time_unit;
  std::vector<SimulatedVariable> variables;
  std::vector<MeasuredPoints> measured;
  Theta theta;
  std::size_t n_networks = 1, n_draws = 1;
  // NaN without bands.
  double level = std::numeric_limits<double>::quiet_NaN();
  std::vector<BandCheck> checks;
  // The windows behind noise and coverage: "validation", "test", …
  std::string noise_on, checked_on;
  std::size_t n_checked_windows = 0;
  std::vector<std::string> warnings;
  // The names in `theta`, in the order of the model file.
  std::vector<std::string> parameters{};

  // By its name in files; throws std::out_of_range for a name that is none.
  const SimulatedVariable& variable(const std::string& name) const;
};

// Throws InputError for the user's mistakes, Interruption when cancelled.
Simulation simulate(const Run& run, const SimulateOptions& options = {});

std::string to_json(const Simulation& simulation);
// Writes simulation.csv (without fields), .npz, .svg and .png into the folder; returns what was written.
std::vector<std::filesystem::path> write_simulation(const Simulation& simulation,
                                                    const std::filesystem::path& folder);

}  // namespace greybox
