// What the explorer of landscapes shows now.
import type { ColourMapName } from "../charts/colour_maps";
import type { Candidates } from "./candidates";
import type { LandscapeGrid, Points } from "./grid";

/** The run's own network, what several networks say together, or one of them. */
export type NetworkView = "mean" | "spread" | number;

export interface ExplorerState {
  grid: LandscapeGrid;
  /** One or two axes; the first runs across. */
  shown: number[];
  /** The place along every axis: of the cursor on those shown, held on the others. */
  place: number[];
  /** Whether the cursor is in the map. */
  hasCursor: boolean;
  text: string;
  view: NetworkView;
  isLog: boolean;
  colours: ColourMapName;
}

export function initialState(grid: LandscapeGrid, text: string): ExplorerState {
  return {
    grid,
    shown: grid.axes.length === 1 ? [0] : [0, 1],
    place: grid.axes.map((axis) => Math.floor(axis.values.length / 2)),
    hasCursor: false,
    text,
    view: grid.nNetworks > 1 ? "mean" : 0,
    isLog: false,
    colours: "viridis",
  };
}

export function shownPoints({ grid, shown, place }: ExplorerState): Points {
  return grid.slice(shown, place);
}

/** Mean of the networks' values, or the distance from the lowest to the highest. */
function together(all: Float64Array[], view: "mean" | "spread"): Float64Array {
  const out = new Float64Array(all[0]!.length);
  for (let i = 0; i < out.length; ++i) {
    let sum = 0;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const values of all) {
      const value = values[i]!;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    out[i] = view === "mean" ? sum / all.length : Number.isNaN(sum) ? Number.NaN : high - low;
  }
  return out;
}

/** The values of the expression as the chosen view has them. */
export function viewValues(candidates: Candidates, state: ExplorerState, points: Points): Float64Array {
  const { grid, text, view } = state;
  if (typeof view === "number") return candidates.evaluate(text, grid, view, points);
  return grid.remember(`${text}|${view}`, points, () =>
    together(
      grid.data.networks.map((_, network) => candidates.evaluate(text, grid, network, points)),
      view,
    ),
  );
}

/** "mean of 5 networks", or nothing to say when there is one. */
export function viewName({ grid, view }: ExplorerState): string {
  if (grid.nNetworks === 1) return "";
  if (typeof view === "number") return `network of seed ${grid.data.networks[view]!.seed}`;
  return view === "mean"
    ? `mean of ${grid.nNetworks} networks`
    : `spread of ${grid.nNetworks} networks (highest − lowest)`;
}
