// Densities of draws: curves of one parameter beside its prior, maps of two.
import { extent, type Numbers, unpack } from "../arrays";
import { withUnit } from "../format";
import type { Packed, Parameter, PosteriorParameter } from "../report";
import type { Cell, MapContent } from "./map_picture";
import { LineChart } from "./line_chart";

/** More draws show finer detail; fewer would show only their own scatter. */
function resolution(nDraws: number, most: number): number {
  return Math.min(most, Math.max(12, Math.round(2 * Math.cbrt(nDraws))));
}

interface Curve {
  x: Float64Array;
  density: Float64Array;
}

const nCurvePoints = 161;
const nFineBins = 400;

function standardDeviation(draws: Numbers): number {
  let sum = 0;
  let squares = 0;
  for (const draw of draws) sum += draw;
  for (const draw of draws) squares += (draw - sum / draws.length) ** 2;
  return Math.sqrt(squares / draws.length);
}

/** A smooth density of draws: kernels over fine bins, reflected at the bounds so that none of it leaves them. */
export function smoothDensity(draws: Numbers, low: number | null, high: number | null): Curve {
  const [least, most] = extent(draws) ?? [0, 1];
  const width = 1.06 * (standardDeviation(draws) || (most - least) / 10 || 1) * draws.length ** -0.2;
  const from = Math.max(least - 3 * width, low ?? Number.NEGATIVE_INFINITY);
  const to = Math.min(most + 3 * width, high ?? Number.POSITIVE_INFINITY);
  const binWidth = (to - from || 1) / nFineBins;
  const counts = new Float64Array(nFineBins);
  for (const draw of draws) {
    const place = Math.floor((draw - from) / binWidth);
    counts[Math.min(nFineBins - 1, Math.max(0, place))]! += 1;
  }
  const centre = (k: number) => from + (k + 0.5) * binWidth;
  const kernel = (distance: number) => Math.exp(-0.5 * (distance / width) ** 2);
  const scale = 1 / (draws.length * width * Math.sqrt(2 * Math.PI));
  const x = Float64Array.from(
    { length: nCurvePoints },
    (_, k) => from + ((to - from) * k) / (nCurvePoints - 1),
  );
  const density = x.map((at) => {
    let sum = 0;
    counts.forEach((n, k) => {
      if (n === 0) return;
      sum += n * kernel(at - centre(k));
      if (low !== null) sum += n * kernel(at + centre(k) - 2 * low);
      if (high !== null) sum += n * kernel(2 * high - at - centre(k));
    });
    return sum * scale;
  });
  return { x, density };
}

/** The prior at these points; none where its formula is not known here. */
export function priorDensity(prior: Parameter | undefined, x: Float64Array): Float64Array | null {
  const { low, high, mean, sd } = prior ?? {};
  if (prior?.prior === "uniform" && typeof low === "number" && typeof high === "number")
    return x.map(() => 1 / (high - low));
  if (prior?.prior === "normal" && typeof mean === "number" && typeof sd === "number")
    return x.map((at) => Math.exp(-0.5 * ((at - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI)));
  return null;
}

export function marginalChart(
  draws: Numbers,
  { name, median, q5, q95 }: PosteriorParameter,
  prior: Parameter | undefined,
): HTMLElement {
  const { x, density } = smoothDensity(draws, prior?.low ?? null, prior?.high ?? null);
  const before = priorDensity(prior, x);
  return new LineChart({
    label: `Density of ${name}: median ${median}, 90 % between ${q5} and ${q95}`,
    xLabel: withUnit(name, prior?.unit),
    yLabel: "density",
    height: 210,
    series: [
      { name: "posterior", x, y: density, low: density.map(() => 0), high: density, style: "line-1" },
      ...(before ? [{ name: "prior", x, y: before, style: "line-2 dashed" }] : []),
    ],
    yDomain: [0, 1.08 * Math.max(...density, ...(before ?? []))],
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
export function pairDensity(
  [across, upward]: string[],
  draws: Record<string, Packed>,
  unitOf: (name: string) => string | undefined,
) {
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
  const x = { label: withUnit(across!, unitOf(across!)), values: centres(xEnds, nCells) };
  const y = { label: withUnit(upward!, unitOf(upward!)), values: centres(yEnds, nCells) };
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
