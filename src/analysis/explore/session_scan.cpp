// Landscapes of a session: coarse first, then ever finer, in pieces that let a moving hand pass.
#include <algorithm>

#include "analysis/explore/session.hpp"
#include "analysis/landscape/page_grid.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

// Points along an axis: every second one of a level is a point of the level before.
const std::vector<std::size_t> kLevelsOfOne = {26, 51, 101}, kLevelsOfTwo = {6, 11, 21, 41};
// A whole landscape, the same once more on more windows, and a piece of it.
constexpr double kScanSeconds = 5, kSecondScanSeconds = 30, kPieceSeconds = 0.012;
// Levels that would take longer than this even on the fewest windows are left out.
constexpr double kMostScanSeconds = 20;

ThetaGrid level_grid(const ModelSpec& spec, const ScanRequest& request, std::size_t n_points) {
  GridRequest wanted;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const std::string& name = spec.parameters[p].name;
    if (std::find(request.axes.begin(), request.axes.end(), p) != request.axes.end()) continue;
    wanted.at[name] = request.point.theta[p];
  }
  for (std::size_t p : request.axes) wanted.vary.push_back({spec.parameters[p].name, {}, {}, n_points});
  return make_grids(spec, wanted).front();
}

ThetaValues room_for_values(std::size_t n_regularizers, std::size_t n) {
  ThetaValues values;
  values.losses.assign(n, kNaN);
  values.regularizers.assign(n_regularizers, std::vector<double>(n, kNaN));
  return values;
}

// Values over one grid, and which of them are known.
struct LevelValues {
  std::vector<std::size_t> shape;
  GridValues values;
  std::vector<bool> is_known;
};

std::size_t place_in(const std::vector<std::size_t>& shape, std::size_t i, std::size_t j) {
  return shape.size() == 1 ? i : i * shape[1] + j;
}

// What the level before computed, at every second point.
LevelValues refined(const LevelValues& coarse, const ThetaGrid& grid, std::size_t n_networks,
                    std::size_t n_regularizers) {
  LevelValues fine{grid.shape(), {}, std::vector<bool>(grid.size())};
  fine.values.assign(n_networks, room_for_values(n_regularizers, grid.size()));
  if (coarse.shape.empty()) return fine;
  const std::size_t n_rows = coarse.shape.size() == 1 ? 1 : coarse.shape[1];
  for (std::size_t i = 0; i < coarse.shape[0]; ++i)
    for (std::size_t j = 0; j < n_rows; ++j) {
      const std::size_t from = place_in(coarse.shape, i, j), to = place_in(fine.shape, 2 * i, 2 * j);
      fine.is_known[to] = coarse.is_known[from];
      for (std::size_t k = 0; k < n_networks; ++k) {
        fine.values[k].losses[to] = coarse.values[k].losses[from];
        for (std::size_t r = 0; r < n_regularizers; ++r)
          fine.values[k].regularizers[r][to] = coarse.values[k].regularizers[r][from];
      }
    }
  return fine;
}

void put_piece(const ThetaValues& piece, std::span<const std::size_t> places, ThetaValues& values) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    values.losses[places[i]] = piece.losses[i];
    for (std::size_t r = 0; r < piece.regularizers.size(); ++r)
      values.regularizers[r][places[i]] = piece.regularizers[r][i];
  }
}

std::vector<std::size_t> unknown_places(const LevelValues& level, const ThetaGrid& grid,
                                        const ThetaBox& box) {
  std::vector<std::size_t> places;
  for (std::size_t place : grid.places_within(box))
    if (!level.is_known[place]) places.push_back(place);
  return places;
}

struct LevelNote {
  // Windows that there are.
  std::size_t n_all = 0;
  bool is_last = false;
};

Json level_page(const ExploredModel& model, const WindowChoice& windows, const ThetaGrid& grid,
                const GridValues& values, const LevelNote& note) {
  Json page = page_grid(model.run, *model.networks, windows, grid, values, model.terms);
  page["is_last"] = note.is_last;
  page["n_all"] = note.n_all;
  return page;
}

// So many, or all where few would be left.
std::vector<std::size_t> more_windows(const std::vector<std::size_t>& all, std::size_t n) {
  return all.size() <= 2 * n ? all : stratified_draw(all, n);
}

void check_axes(const std::vector<std::size_t>& axes, std::size_t n_parameters) {
  const bool is_twice = axes.size() == 2 && axes[0] == axes[1];
  const bool is_known =
      std::all_of(axes.begin(), axes.end(), [&](std::size_t p) { return p < n_parameters; });
  if (axes.empty() || axes.size() > 2 || is_twice || !is_known)
    refuse_option("axes", "a landscape has one or two different parameters as its axes",
                  "name them by their numbers, from 0");
}

}  // namespace

bool ExploreSession::scan_level(ExploredModel& model, const ThetaGrid& grid, const WindowChoice& choice,
                                const Ticket& ticket, LevelPlaces level) {
  const double theta_seconds = pair_seconds_ * static_cast<double>(choice.windows.size());
  const auto n_piece = static_cast<std::size_t>(std::max(1.0, kPieceSeconds / theta_seconds));
  for (std::size_t first = 0; first < level.places.size(); first += n_piece) {
    const auto places = level.places.subspan(first, std::min(n_piece, level.places.size() - first));
    std::vector<double> theta;
    for (std::size_t place : places) {
      const std::vector<double> one = grid.theta_at(place);
      theta.insert(theta.end(), one.begin(), one.end());
    }
    for (std::size_t k = 0; k < model.networks->size(); ++k) {
      const Turns::Turn turn(turns_, Urgency::patient);
      if (is_over(ticket)) return false;
      if (!model.scan) model.scan.emplace(model.run.loaded, model.run.weights, n_most_windows(), pool_);
      model.scan->set_weights(model.networks->weights[k]);
      put_piece(model.scan->evaluate(choice.windows, theta), places, level.values[k]);
    }
  }
  return true;
}

void ExploreSession::scan(const ScanRequest& request, const Ticket& ticket,
                          const std::function<bool(Json)>& sink) {
  const std::shared_ptr<ExploredModel> model = current();
  check(*model, request.point);
  check_axes(request.axes, box_.size());
  record_look(request.point.split);
  const std::vector<std::size_t>& levels = request.axes.size() == 1 ? kLevelsOfOne : kLevelsOfTwo;
  const std::vector<std::size_t>& all = windows_of(request.point.split);
  const double n_networks = static_cast<double>(model->networks->size());
  const auto n_theta = [&](std::size_t n) {
    return static_cast<double>(request.axes.size() == 1 ? n : n * n) * n_networks;
  };
  const WindowChoice few{to_string(request.point.split),
                         stratified_draw(all, n_affordable(kScanSeconds / n_theta(levels.back())))};
  const double window_seconds = pair_seconds_ * static_cast<double>(few.windows.size());
  LevelValues known;
  for (std::size_t n_points : levels) {
    const ThetaGrid grid = level_grid(*model->run.loaded.spec, request, n_points);
    LevelValues level =
        refined(known, grid, model->networks->size(), model->run.loaded.model->regularizers.size());
    const std::vector<std::size_t> places = unknown_places(level, grid, box_);
    if (!scan_level(*model, grid, few, ticket, {places, level.values})) return;
    level.is_known.assign(level.is_known.size(), true);
    const bool is_finest =
        n_points == levels.back() || n_theta(n_points) * window_seconds * 4 > kMostScanSeconds;
    const WindowChoice more{few.name,
                            more_windows(all, n_affordable(kSecondScanSeconds / n_theta(n_points)))};
    const bool is_last = is_finest && more.windows.size() <= few.windows.size();
    if (!sink(level_page(*model, few, grid, level.values, {all.size(), is_last})) || is_last) return;
    if (is_finest) {
      if (scan_level(*model, grid, more, ticket, {grid.places_within(box_), level.values}))
        sink(level_page(*model, more, grid, level.values, {all.size(), true}));
      return;
    }
    known = std::move(level);
  }
}

}  // namespace greybox
