// What a map needs to know about its values: ends of the colour scale, median, whether logarithms make sense.
import { type Numbers, extent } from "../arrays";

export interface Statistics {
  low: number;
  high: number;
  median: number;
  /** Most values lie below this. */
  most: number;
}

// Quantiles of a fine grid are those of its every k-th point, to more digits than colours can show.
const maxSorted = 20000;

export function statistics(values: Numbers): Statistics | null {
  const ends = extent(values);
  if (!ends) return null;
  const step = Math.max(1, Math.floor(values.length / maxSorted));
  const sample = new Float64Array(Math.ceil(values.length / step));
  let n = 0;
  for (let i = 0; i < values.length; i += step) {
    if (Number.isFinite(values[i]!)) sample[n++] = values[i]!;
  }
  const sorted = sample.subarray(0, n).sort();
  if (n === 0) return { low: ends[0], high: ends[1], median: ends[0], most: ends[1] };
  return { low: ends[0], high: ends[1], median: medianOf(sorted), most: sorted[Math.floor((n * 95) / 100)]! };
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export interface ColourRange {
  low: number;
  high: number;
  /** Some values lie above `high`. */
  isCut: boolean;
}

/** The whole range, unless a few large values would leave one colour for all others. */
export function colourRange({ low, high, most }: Statistics): ColourRange {
  const isCut = high - low > 5 * (most - low) && most > low;
  return { low, high: isCut ? most : high, isCut };
}

/** An error that is the same everywhere shall look the same everywhere. */
export function errorRange({ high, median }: Statistics): ColourRange {
  return { low: 0, high: 2 * median, isCut: high > 2 * median };
}
