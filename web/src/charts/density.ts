// Densities of draws: histograms of one parameter, maps of two.
import { bin } from "d3-array";
import { extent, type Numbers, unpack } from "../arrays";
import type { Packed, PosteriorParameter } from "../report";
import type { Cell, MapContent } from "./heatmap";
import { LineChart } from "./line_chart";

const nBins = 40;
const nCells = 48;

interface Histogram {
  x: Float64Array;
  density: Float64Array;
}

export function histogram(draws: Numbers): Histogram {
  const [low, high] = extent(draws) ?? [0, 1];
  const width = (high - low || 1) / nBins;
  const edges = Array.from({ length: nBins - 1 }, (_, k) => low + (k + 1) * width);
  const bins = bin<number, number>().domain([low, high]).thresholds(edges)(draws);
  return {
    x: Float64Array.from(bins, ({ x0, x1 }) => (x0! + x1!) / 2),
    density: Float64Array.from(bins, (members) => members.length / draws.length / width),
  };
}

export function marginalChart({ x, density }: Histogram, { name, median, q5, q95 }: PosteriorParameter): HTMLElement {
  return new LineChart({
    label: `Density of ${name}: median ${median}, 90 % between ${q5} and ${q95}`,
    xLabel: name,
    yLabel: "density",
    height: 210,
    series: [{ name: "density", x, y: density, low: density.map(() => 0), high: density, style: "line-1" }],
    yDomain: [0, 1.08 * Math.max(...density)],
    rules: [{ x: q5, name: "5 %" }, { x: median, name: "median" }, { x: q95, name: "95 %" }],
  }).element;
}

function centres([low, high]: [number, number]): Float64Array {
  return Float64Array.from({ length: nCells }, (_, k) => low + ((k + 0.5) * (high - low)) / nCells);
}

function cellOf(value: number, [low, high]: [number, number]): number {
  return Math.min(nCells - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * nCells)));
}

/** How the draws of two parameters lie together. */
export function pairDensity([across, upward]: string[], draws: Record<string, Packed>) {
  const xs = unpack(draws[across!]);
  const ys = unpack(draws[upward!]);
  const xEnds = extent(xs) ?? [0, 1];
  const yEnds = extent(ys) ?? [0, 1];
  const counts = new Float64Array(nCells * nCells);
  xs.forEach((value, i) => {
    counts[cellOf(value, xEnds) * nCells + cellOf(ys[i]!, yEnds)]! += 1;
  });
  const shares = counts.map((n) => n / xs.length);
  const x = { label: across!, values: centres(xEnds) };
  const y = { label: upward!, values: centres(yEnds) };
  const content: MapContent = {
    label: `Density of ${across} and ${upward}. Arrow keys move the cursor.`,
    x, y, values: shares, colours: "cividis", minima: [],
    bar: { range: { low: 0, high: Math.max(...shares) }, isLog: false, isCut: false },
  };
  return { x, y, content, share: ({ column, row }: Cell) => shares[column * nCells + row]! };
}
