// What a map of two parameters shows: values, colours, minima.
import type { Cell, MapContent } from "../charts/heatmap";
import { withUnit } from "../format";
import type { Candidates } from "./candidates";
import { findMinima } from "./minima";
import { type ExplorerState, shownPoints, viewName, viewValues } from "./state";
import { colourRange, errorRange, type Statistics, statistics } from "./statistics";

export interface FoundMinimum {
  /** One place along each axis shown. */
  places: number[];
  value: number;
}

export interface MapView {
  content: MapContent;
  minima: FoundMinimum[];
  statistics: Statistics | null;
  canBeLog: boolean;
}

const isError = (text: string) => /^\s*(rmse|nrmse)\s*$/.test(text);

// Zero and below have no logarithm; exact zeros are drawn like the smallest positive value.
function logarithms(values: Float64Array): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) if (value > 0 && value < least) least = value;
  return values.map((value) => (value > 0 ? Math.log10(value) : value === 0 ? Math.log10(least) : Number.NaN));
}

export function mapView(candidates: Candidates, state: ExplorerState): MapView {
  const { grid, shown, text, isLog, colours } = state;
  const points = shownPoints(state);
  const values = viewValues(candidates, state, points);
  const found = statistics(values);
  const canBeLog = found !== null && found.low >= 0 && found.high > 0;
  const drawnLog = isLog && canBeLog;
  const drawn = drawnLog ? logarithms(values) : values;
  const ofDrawn = drawnLog ? statistics(drawn) : found;
  const range = ofDrawn ? (isError(text) && !drawnLog ? errorRange(ofDrawn) : colourRange(ofDrawn)) : { low: 0, high: 1, isCut: false };
  const nRows = grid.size(shown[1]!);
  const minima = found ? findMinima(values, nRows, found.median) : [];
  const cells: Cell[] = minima.map((place) => ({ column: Math.floor(place / nRows), row: place % nRows }));
  const { poor } = grid;
  return {
    canBeLog,
    statistics: found,
    minima: cells.map(({ column, row }, k) => ({ places: [column, row], value: values[minima[k]!]! })),
    content: {
      label: `${text} over ${grid.axes[shown[0]!]!.name} and ${grid.axes[shown[1]!]!.name}. Arrow keys move the cursor, with Shift by ten; Home goes to the lowest point.`,
      x: axisOf(state, 0),
      y: axisOf(state, 1),
      values: drawn,
      bar: { range, isLog: drawnLog, isCut: range.isCut },
      colours,
      isPoor: poor.length > 0 ? (i) => poor[points.places ? points.places[i]! : i] === 1 : undefined,
      minima: cells,
    },
  };
}

function axisOf({ grid, shown }: ExplorerState, k: number) {
  const { name, unit, values } = grid.axes[shown[k]!]!;
  return { label: withUnit(name, unit), values };
}

/** The title of what is drawn. */
export function caption(state: ExplorerState): string {
  const view = viewName(state);
  return view ? `${state.text}, ${view}` : state.text;
}
