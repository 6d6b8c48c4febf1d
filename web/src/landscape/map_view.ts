// What a map of two parameters shows: values, colours, minima.
import type { Numbers } from "../arrays";
import type { Cell, MapContent } from "../charts/map_picture";
import { withUnit } from "../format";
import type { Candidates } from "./candidates";
import type { Points } from "./grid";
import { fittingMinima } from "./minima";
import { type ExplorerState, shownPoints, viewValues } from "./state";
import { type ColourRange, colourRange, errorRange, type Statistics, statistics } from "./statistics";

export interface FoundMinimum {
  /** One place along each axis shown. */
  places: number[];
  value: number;
  /** It does not fit the data. */
  isPoor: boolean;
}

export interface MapView {
  content: MapContent;
  minima: FoundMinimum[];
  canBeLog: boolean;
}

const isError = (text: string) => /^\s*(rmse|nrmse)\s*$/.test(text);

function leastPositive(values: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; ++i) if (values[i]! > 0 && values[i]! < least) least = values[i]!;
  return least;
}

// Exact zeros are drawn like the smallest positive value; there are no negative ones.
function logarithms(values: Float64Array, least: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; ++i) out[i] = Math.log10(values[i]! < least ? least : values[i]!);
  return out;
}

interface Analysis {
  found: Statistics | null;
  minima: number[];
}

// The same values are drawn again and again: with other colours, another scale, another width.
const analyses = new WeakMap<Float64Array, Analysis>();

function analyse(values: Float64Array, nRows: number, poor: Numbers): Analysis {
  const known = analyses.get(values);
  if (known) return known;
  const found = statistics(values);
  const analysis = { found, minima: found ? fittingMinima(values, nRows, found.median, poor) : [] };
  analyses.set(values, analysis);
  return analysis;
}

function rangeOf(found: Statistics, text: string, least: number | null): ColourRange {
  if (least === null) return isError(text) ? errorRange(found) : colourRange(found);
  const log = (value: number) => Math.log10(Math.max(value, least));
  return colourRange({
    low: log(found.low),
    high: log(found.high),
    median: log(found.median),
    most: log(found.most),
  });
}

export function mapView(candidates: Candidates, state: ExplorerState): MapView {
  const { grid, shown, text, isLog, colours } = state;
  const points = shownPoints(state);
  const values = viewValues(candidates, state, points);
  const nRows = grid.size(shown[1]!);
  const poor = poorAt(grid.poorOf(state.view), points);
  const { found, minima: lowest } = analyse(values, nRows, poor);
  // Where networks agree most is no minimum of R.
  const minima = state.view === "spread" ? [] : lowest;
  const canBeLog = found !== null && found.low >= 0 && found.high > 0;
  const least = isLog && canBeLog ? leastPositive(values) : null;
  const drawn = least === null ? values : logarithms(values, least);
  const range = found ? rangeOf(found, text, least) : { low: 0, high: 1, isCut: false };
  const cells: Cell[] = minima.map((place) => ({ column: Math.floor(place / nRows), row: place % nRows }));
  return {
    canBeLog,
    minima: cells.map(({ column, row }, k) => ({
      places: [column, row],
      value: values[minima[k]!]!,
      isPoor: poor[minima[k]!] === 1,
    })),
    content: {
      label:
        `${text} over ${grid.axes[shown[0]!]!.name} and ${grid.axes[shown[1]!]!.name}. ` +
        "Arrow keys move the cursor, with Shift by ten; Home goes to the lowest point.",
      x: axisOf(state, 0),
      y: axisOf(state, 1),
      values: drawn,
      bar: { range, isLog: least !== null, isCut: range.isCut, label: text },
      colours,
      poor,
      minima: cells,
    },
  };
}

function poorAt(poor: Numbers, { places }: Points): Numbers {
  return places && poor.length > 0 ? Float32Array.from(places, (place) => poor[place]!) : poor;
}

function axisOf({ grid, shown }: ExplorerState, k: number) {
  const { name, unit, values, isLog } = grid.axes[shown[k]!]!;
  return { label: withUnit(name, unit), values, isLog };
}
