// Densities of draws: histograms of one parameter, maps of two.
import { bin } from "d3-array";
import { extent, type Numbers, unpack } from "../arrays";
import type { Packed, PosteriorParameter } from "../report";
import type { Cell, MapContent } from "./heatmap";
import { LineChart } from "./line_chart";

/** More draws show finer detail; fewer would show only their own scatter. */
function resolution(nDraws: number, most: number): number {
  return Math.min(most, Math.max(12, Math.round(2 * Math.cbrt(nDraws))));
}

interface Histogram {
  x: Float64Array;
  density: Float64Array;
}

export function histogram(draws: Numbers): Histogram {
  const [low, high] = extent(draws) ?? [0, 1];
  const nBins = resolution(draws.length, 40);
  const width = (high - low || 1) / nBins;
  const edges = Array.from({ length: nBins - 1 }, (_, k) => low + (k + 1) * width);
  const bins = bin<number, number>().domain([low, high]).thresholds(edges)(draws);
  return {
    x: Float64Array.from(bins, ({ x0, x1 }) => (x0! + x1!) / 2),
    density: Float64Array.from(bins, (members) => members.length / draws.length / width),
  };
}

export function marginalChart(
  { x, density }: Histogram,
  { name, median, q5, q95 }: PosteriorParameter,
): HTMLElement {
  return new LineChart({
    label: `Density of ${name}: median ${median}, 90 % between ${q5} and ${q95}`,
    xLabel: name,
    yLabel: "density",
    height: 210,
    series: [{ name: "density", x, y: density, low: density.map(() => 0), high: density, style: "line-1" }],
    yDomain: [0, 1.08 * Math.max(...density)],
    rules: [
      { x: q5, name: "5 %" },
      { x: median, name: "median" },
      { x: q95, name: "95 %" },
    ],
  }).element;
}

function centres([low, high]: [number, number], nCells: number): Float64Array {
  return Float64Array.from({ length: nCells }, (_, k) => low + ((k + 0.5) * (high - low)) / nCells);
}

function cellOf(value: number, [low, high]: [number, number], nCells: number): number {
  return Math.min(nCells - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * nCells)));
}

/** How the draws of two parameters lie together. */
export function pairDensity([across, upward]: string[], draws: Record<string, Packed>) {
  const xs = unpack(draws[across!]);
  const ys = unpack(draws[upward!]);
  const xEnds = extent(xs) ?? [0, 1];
  const yEnds = extent(ys) ?? [0, 1];
  const nCells = resolution(xs.length, 60);
  const counts = new Float64Array(nCells * nCells);
  xs.forEach((value, i) => {
    counts[cellOf(value, xEnds, nCells) * nCells + cellOf(ys[i]!, yEnds, nCells)]! += 1;
  });
  const shares = counts.map((n) => n / xs.length);
  const x = { label: across!, values: centres(xEnds, nCells) };
  const y = { label: upward!, values: centres(yEnds, nCells) };
  const content: MapContent = {
    label: `Density of ${across} and ${upward}. Arrow keys move the cursor.`,
    x,
    y,
    values: shares,
    poor: new Float64Array(0),
    colours: "cividis",
    minima: [],
    bar: { range: { low: 0, high: Math.max(...shares) }, isLog: false, isCut: false },
  };
  return { x, y, content, share: ({ column, row }: Cell) => shares[column * nCells + row]! };
}
