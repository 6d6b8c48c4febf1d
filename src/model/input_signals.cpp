#include "model/input_signals.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace greybox {
namespace {

struct Knot {
  double time = 0, value = 0;
};

std::vector<Knot> known_knots(const std::vector<double>& time, const std::vector<double>& values,
                              double delay) {
  std::vector<Knot> knots;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (!std::isnan(values[i])) knots.push_back({time[i] + delay, values[i]});
  return knots;
}

// Slopes that differ by more than the rounding of values that were meant to lie on one line.
bool is_kink(double left, double right) {
  constexpr double kRounding = 1e-9;
  return std::abs(right - left) > kRounding * std::max(std::abs(left), std::abs(right));
}

double slope_between(const Knot& from, const Knot& to) {
  return (to.value - from.value) / (to.time - from.time);
}

void add_held(const std::vector<Knot>& knots, SignalTrack& track) {
  for (const Knot& knot : knots) {
    if (!track.pieces.empty() && track.pieces.back().begin == knot.time) {
      track.pieces.back().coefficients[0] = knot.value;
      continue;
    }
    if (!track.pieces.empty() && track.pieces.back().coefficients[0] == knot.value) continue;
    track.pieces.push_back({knot.time, {knot.value}});
  }
  for (std::size_t p = 1; p < track.pieces.size(); ++p) track.breaks.push_back(track.pieces[p].begin);
}

void add_lines(std::span<const Knot> knots, SignalTrack& track) {
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const double slope = slope_between(knots[k], knots[k + 1]);
    const bool is_first = k == 0;
    if (!is_first && is_kink(track.pieces.back().coefficients[1], slope))
      track.breaks.push_back(knots[k].time);
    track.pieces.push_back({knots[k].time, {knots[k].value, slope}});
  }
}

// At an end, from the two nearest pieces: of the sign of the first, and at most three times as steep.
double end_slope(double length, double next_length, double slope, double next_slope) {
  const double shape = ((2 * length + next_length) * slope - length * next_slope) / (length + next_length);
  if (shape * slope <= 0) return 0;
  if (slope * next_slope < 0 && std::abs(shape) > 3 * std::abs(slope)) return 3 * slope;
  return shape;
}

// The weighted harmonic mean of the slopes on both sides; 0 at an extremum.
double inner_slope(double length, double next_length, double slope, double next_slope) {
  if (slope * next_slope <= 0) return 0;
  const double w = 2 * next_length + length, v = next_length + 2 * length;
  return (w + v) / (w / slope + v / next_slope);
}

std::vector<double> monotone_slopes(std::span<const Knot> knots) {
  const std::size_t n = knots.size() - 1;
  std::vector<double> length(n), slope(n), at(n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    length[k] = knots[k + 1].time - knots[k].time;
    slope[k] = slope_between(knots[k], knots[k + 1]);
  }
  if (n == 1) return {slope[0], slope[0]};
  at[0] = end_slope(length[0], length[1], slope[0], slope[1]);
  for (std::size_t k = 1; k < n; ++k) at[k] = inner_slope(length[k - 1], length[k], slope[k - 1], slope[k]);
  at[n] = end_slope(length[n - 1], length[n - 2], slope[n - 1], slope[n - 2]);
  return at;
}

void add_curve(std::span<const Knot> knots, SignalTrack& track) {
  if (knots.size() < 2) return;
  const std::vector<double> at = monotone_slopes(knots);
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const double length = knots[k + 1].time - knots[k].time, slope = slope_between(knots[k], knots[k + 1]);
    track.pieces.push_back({knots[k].time,
                            {knots[k].value, at[k], (3 * slope - 2 * at[k] - at[k + 1]) / length,
                             (at[k] + at[k + 1] - 2 * slope) / (length * length)}});
  }
}

// Stretches between jumps, with a constant at the end.
void add_stretches(Hold hold, const std::vector<Knot>& knots, SignalTrack& track) {
  for (std::size_t begin = 0; begin < knots.size();) {
    std::size_t end = begin + 1;
    while (end < knots.size() && knots[end].time > knots[end - 1].time) ++end;
    const std::span<const Knot> stretch(knots.data() + begin, end - begin);
    hold == Hold::linear ? add_lines(stretch, track) : add_curve(stretch, track);
    if (end < knots.size()) track.breaks.push_back(knots[end].time);
    begin = end;
  }
  track.pieces.push_back({knots.back().time, {knots.back().value}});
  // Jumps at one time are one; a constant after the last value is a kink that no window reaches.
  track.breaks.erase(std::unique(track.breaks.begin(), track.breaks.end()), track.breaks.end());
}

void add_boluses(const std::vector<Knot>& knots, SignalTrack& track) {
  for (const Knot& knot : knots) {
    if (knot.value == 0) continue;
    if (!track.boluses.empty() && track.boluses.back().time == knot.time)
      track.boluses.back().amount += knot.value;
    else
      track.boluses.push_back({knot.time, knot.value});
  }
}

}  // namespace

const SignalPiece& SignalTrack::piece(double time) const {
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), time,
                                      [](double t, const SignalPiece& piece) { return t < piece.begin; });
  return after == pieces.begin() ? pieces.front() : *(after - 1);
}

// Ends of the stretch may be rounded: its middle says between which breaks it is.
const SignalPiece& SignalTrack::piece_within(double from, double to, double time) const {
  const auto next = std::ranges::upper_bound(breaks, from + (to - from) / 2);
  if (next != breaks.end() && time >= *next) {
    const auto end = std::lower_bound(pieces.begin(), pieces.end(), *next,
                                      [](const SignalPiece& piece, double t) { return piece.begin < t; });
    return end == pieces.begin() ? pieces.front() : *(end - 1);
  }
  return piece(next == breaks.begin() ? time : std::max(time, *(next - 1)));
}

double SignalTrack::at(double time) const {
  const SignalPiece& found = piece(time);
  return found.at(std::max(time, found.begin));
}

double SignalTrack::amount(double from, double to) const {
  double sum = 0;
  for (const Bolus& bolus : boluses)
    if (bolus.time >= from && bolus.time < to) sum += bolus.amount;
  return sum;
}

SignalTrack make_track(Hold hold, const std::vector<double>& time, const std::vector<double>& values,
                       double delay) {
  const std::vector<Knot> knots = known_knots(time, values, delay);
  SignalTrack track;
  track.n_values = knots.size();
  if (knots.empty()) return track;
  track.first = knots.front().time;
  track.last = hold == Hold::previous ? std::numeric_limits<double>::infinity() : knots.back().time;
  for (const Knot& knot : knots) {
    track.low = std::min(track.low, knot.value);
    track.high = std::max(track.high, knot.value);
  }
  switch (hold) {
    case Hold::previous:
      add_held(knots, track);
      break;
    case Hold::linear:
    case Hold::cubic:
      add_stretches(hold, knots, track);
      break;
    case Hold::bolus:
      add_boluses(knots, track);
      break;
  }
  return track;
}

bool InputSignals::has_breaks() const {
  const auto any = [](const std::vector<InputSignal>& all) {
    return std::ranges::any_of(all, [](const InputSignal& one) {
      return std::ranges::any_of(one.tracks, [](const SignalTrack& track) {
        return !track.breaks.empty() || !track.boluses.empty();
      });
    });
  };
  return any(signals) || any(boluses);
}

}  // namespace greybox
