// Inputs as functions of time: what they are between their values, where they are not smooth, and amounts
// that states jump by.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

// c0 + c1 u + c2 u² + c3 u³ with u = time - begin, until the next piece begins.
struct SignalPiece {
  double begin = 0;
  std::array<double, 4> coefficients{};

  double at(double time) const {
    const double u = time - begin;
    const std::array<double, 4>& c = coefficients;
    return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
  }
};

struct Bolus {
  double time = 0, amount = 0;
};

// An input over the times of one series.
struct SignalTrack {
  // In order of time; the last is constant. Empty for boluses, and where nothing is known.
  std::vector<SignalPiece> pieces{};
  // Times after the first at which the signal has a jump or a kink.
  std::vector<double> breaks{};
  // In order of time, one for each.
  std::vector<Bolus> boluses{};
  // Where it is known.
  double first = std::numeric_limits<double>::infinity(), last = -std::numeric_limits<double>::infinity();
  // Of all values.
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  std::size_t n_values = 0;

  bool empty() const { return n_values == 0; }
  // The piece that holds from this time on.
  const SignalPiece& piece(double time) const;
  // The same at a time of a stretch that no break divides: at its end, the piece before a break there.
  const SignalPiece& piece_within(double from, double to, double time) const;
  // Its value from this time on: that after a jump; constant before the first and after the last value.
  double at(double time) const;
  // Of boluses at `from` or later, before `to`.
  double amount(double from, double to) const;
};

// The track through these values, each `delay` later; those that are missing are left out. Times never
// decrease; several values at one time are a jump from the first of them to the last, boluses add up.
// Hold::cubic is the monotone piecewise cubic of Fritsch and Butland (1984): it has a continuous derivative,
// stays between neighbouring values, and depends on no others.
SignalTrack make_track(Hold hold, const std::vector<double>& time, const std::vector<double>& values,
                       double delay);

struct InputSignal {
  // Its place among the model's inputs.
  std::size_t input = 0;
  Hold hold = Hold::linear;
  // The state that boluses act on.
  std::size_t into = 0;
  std::vector<SignalTrack> tracks{};
  // Per series of the data.
  std::vector<std::size_t> track_of{};

  const SignalTrack& track(std::size_t series) const { return tracks[track_of[series]]; }
};

// Inputs that are not simply held or linear from row to row of the data.
struct InputSignals {
  std::vector<InputSignal> signals{};
  std::vector<InputSignal> boluses{};

  // Whether steps of the solver may have to end between rows.
  bool has_breaks() const;
};

}  // namespace greybox
