// What a landscape of one parameter shows: a line with the band of several networks.
import { extent } from "../arrays";
import type { LineChartOptions } from "../charts/line_chart";
import { number, withUnit } from "../format";
import type { Candidates } from "./candidates";
import type { FoundMinimum } from "./map_view";
import { fittingMinima } from "./minima";
import { lineSeries } from "./profiles";
import type { ExplorerState } from "./state";
import { statistics } from "./statistics";

export interface LineView {
  options: LineChartOptions;
  minima: FoundMinimum[];
  canBeLog: boolean;
}

// Stretches between the middles of neighbouring points.
function poorStretches({ grid, view }: ExplorerState): [number, number][] {
  const { values } = grid.axes[0]!;
  const poor = grid.poorOf(view);
  const middle = (i: number, j: number) => (values[i]! + (values[j] ?? values[i]!)) / 2;
  return Array.from(values.keys())
    .filter((i) => poor[i] === 1)
    .map((i) => [middle(i, i - 1), middle(i, i + 1)]);
}

function nearest(values: ArrayLike<number>, x: number): number {
  let best = 0;
  for (let i = 1; i < values.length; ++i) {
    if (Math.abs(values[i]! - x) < Math.abs(values[best]! - x)) best = i;
  }
  return best;
}

export function lineContent(
  candidates: Candidates,
  state: ExplorerState,
  onPlace: (place: number) => void,
): LineView {
  const { name, unit, values, isLog: isLogX } = state.grid.axes[0]!;
  const series = lineSeries(candidates, state);
  const y = series.y as Float64Array;
  const found = statistics(y);
  const poor = state.grid.poorOf(state.view);
  const isR = state.view !== "spread";
  const places = found && isR ? fittingMinima(y, y.length, found.median, poor) : [];
  const ends = extent(y, series.low ?? y);
  const cursor = state.place[0]!;
  return {
    canBeLog: ends !== null && ends[0] > 0,
    minima: places.map((place) => ({
      places: [place],
      value: y[place]!,
      isPoor: poor[place] === 1,
    })),
    options: {
      label: `${state.text} over ${name}`,
      xLabel: withUnit(name, unit),
      yLabel: state.text,
      series: [series],
      height: 380,
      isLog: state.isLog && ends !== null && ends[0] > 0,
      isLogX,
      hatched: poorStretches(state),
      marks: places.map((place, rank) => ({ x: values[place]!, y: y[place]!, isMain: rank === 0 })),
      rules: state.hasCursor ? [{ x: values[cursor]!, name: number(values[cursor]!) }] : [],
      onHover: (x) => onPlace(nearest(values, x)),
    },
  };
}
