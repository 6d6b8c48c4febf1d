// Profiles: the lowest value over all other parameters, along each axis, with the band of several networks.
import { commonDomain, LineChart, type LineChartOptions, type Series } from "../charts/line_chart";
import { h } from "../dom";
import { withUnit } from "../format";
import type { Candidates } from "./candidates";
import type { LandscapeGrid } from "./grid";
import { type ExplorerState, shownPoints, viewValues } from "./state";

// Profiles of the same values are drawn again whenever the cursor moves.
const known = new WeakMap<Float64Array, Float64Array[]>();

function rememberedProfile(values: Float64Array, grid: LandscapeGrid, axis: number): Float64Array {
  const profiles = known.get(values) ?? grid.axes.map((_, k) => profile(values, grid, k));
  known.set(values, profiles);
  return profiles[axis]!;
}

/** The lowest of the values for each place along an axis. */
export function profile(values: Float64Array, grid: LandscapeGrid, axis: number): Float64Array {
  const lowest = new Float64Array(grid.size(axis)).fill(Number.POSITIVE_INFINITY);
  const stride = grid.strides[axis]!;
  const size = grid.size(axis);
  for (let start = 0, along = 0; start < values.length; start += stride, along = (along + 1) % size) {
    let low = lowest[along]!;
    for (let i = start; i < start + stride; ++i) if (values[i]! < low) low = values[i]!;
    lowest[along] = low;
  }
  return lowest.map((value) => (value === Number.POSITIVE_INFINITY ? Number.NaN : value));
}

function pointwise(all: Float64Array[], choose: (...values: number[]) => number): Float64Array {
  return all[0]!.map((_, i) => choose(...all.map((values) => values[i]!)));
}

// The line through the cursor, with all other parameters as they are.
function section(candidates: Candidates, state: ExplorerState, axis: number): Series {
  const points = state.grid.slice([axis], state.place);
  const y = viewValues(candidates, state, points);
  return { name: "through the cursor", x: state.grid.axes[axis]!.values, y, style: "line-2 dashed" };
}

function profileSeries(all: Float64Array[], state: ExplorerState, axis: number): Series {
  const { grid, view } = state;
  const profiles = all.map((values) => rememberedProfile(values, grid, axis));
  const x = grid.axes[axis]!.values;
  const name = "lowest over the others";
  if (typeof view === "number" || profiles.length === 1) {
    return { name, x, y: profiles[typeof view === "number" ? view : 0]!, style: "line-1" };
  }
  const mean = pointwise(profiles, (...values) => values.reduce((a, b) => a + b) / values.length);
  const low = pointwise(profiles, Math.min);
  const high = pointwise(profiles, Math.max);
  return {
    name: `${name}: mean and range of ${profiles.length} networks`,
    x,
    y: mean,
    low,
    high,
    style: "line-1",
  };
}

export class Profiles {
  readonly element = h("div", { class: "profiles" });
  private charts: LineChart[] = [];
  private drawnFor: LandscapeGrid | null = null;
  private values: Float64Array[] = [];

  constructor(private readonly candidates: Candidates) {}

  /** Computes anew, for another expression or another grid. */
  update(state: ExplorerState): void {
    const { grid } = state;
    this.values = grid.data.networks.map((_, network) =>
      this.candidates.evaluate(state.text, grid, network, grid.everywhere()),
    );
    this.draw(state);
  }

  /** Draws what was computed, for another place of the cursor. */
  draw(state: ExplorerState): void {
    const series = state.grid.axes.map((_, axis) => this.series(state, axis));
    // One scale for all, so that a flat profile looks flat beside a steep one.
    const yDomain = commonDomain(series.flat(), state.isLog);
    const options = series.map((shown, axis) => ({ ...this.chart(state, axis), series: shown, yDomain }));
    if (this.drawnFor === state.grid) {
      this.charts.forEach((chart, axis) => chart.update(options[axis]!));
      return;
    }
    this.drawnFor = state.grid;
    this.charts = options.map((one) => new LineChart(one));
    this.element.replaceChildren(
      ...this.charts.map((chart, axis) =>
        h("figure", {}, h("figcaption", {}, `Profile along ${state.grid.axes[axis]!.name}`), chart.element),
      ),
    );
  }

  private series(state: ExplorerState, axis: number): Series[] {
    const lowest = profileSeries(this.values, state, axis);
    return state.hasCursor ? [lowest, section(this.candidates, state, axis)] : [lowest];
  }

  private chart(state: ExplorerState, axis: number): Omit<LineChartOptions, "series"> {
    const { name, unit, isLog: isLogX } = state.grid.axes[axis]!;
    return {
      label: `Lowest value of ${state.text} over the other parameters, along ${name}`,
      xLabel: withUnit(name, unit),
      yLabel: state.text,
      height: 210,
      isLog: state.isLog,
      isLogX,
    };
  }
}

/** One line with its band, for landscapes of a single parameter. */
export function lineSeries(candidates: Candidates, state: ExplorerState): Series {
  const { grid, view, text } = state;
  const points = shownPoints(state);
  const y = viewValues(candidates, state, points);
  const x = grid.axes[0]!.values;
  const series: Series = { name: text, x, y, style: "line-1" };
  if (view !== "mean") return series;
  const all = grid.data.networks.map((_, network) => candidates.evaluate(text, grid, network, points));
  return { ...series, low: pointwise(all, Math.min), high: pointwise(all, Math.max) };
}
