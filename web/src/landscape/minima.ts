// Minima of values on a grid that stand out from its roughness; the same rule as the engine's.

/** A minimum counts when it is deeper than this part of the way from the lowest value to the median. */
const minDepthShare = 0.1;

class Flood {
  private visited = new Int32Array(0);
  private stack = new Int32Array(0);
  private round = 0;

  constructor(
    private readonly values: Float64Array,
    private readonly nOuter: number,
    private readonly nInner: number,
  ) {}

  // Equal values are told apart by their places, so that a plateau has one lowest point.
  private isLower(a: number, b: number): boolean {
    const difference = this.values[a]! - this.values[b]!;
    return difference < 0 || (difference === 0 && a < b);
  }

  private someNeighbour(place: number, holds: (neighbour: number) => boolean): boolean {
    const outer = Math.floor(place / this.nInner);
    const inner = place - outer * this.nInner;
    for (let o = Math.max(outer - 1, 0); o <= Math.min(outer + 1, this.nOuter - 1); ++o) {
      for (let i = Math.max(inner - 1, 0); i <= Math.min(inner + 1, this.nInner - 1); ++i) {
        const neighbour = o * this.nInner + i;
        if (neighbour !== place && holds(neighbour)) return true;
      }
    }
    return false;
  }

  bottoms(): number[] {
    const found: number[] = [];
    const { values, nOuter, nInner } = this;
    for (let outer = 0, place = 0; outer < nOuter; ++outer) {
      for (let inner = 0; inner < nInner; ++inner, ++place) {
        const value = values[place]!;
        // Cheap looks at the nearest spare almost all points the full one.
        if ((inner > 0 && values[place - 1]! < value) || (inner < nInner - 1 && values[place + 1]! < value))
          continue;
        if (
          (outer > 0 && values[place - nInner]! < value) ||
          (outer < nOuter - 1 && values[place + nInner]! < value)
        )
          continue;
        if (Number.isNaN(value) || this.someNeighbour(place, (neighbour) => this.isLower(neighbour, place)))
          continue;
        found.push(place);
      }
    }
    return found;
  }

  /** Whether water poured in at a bottom finds a lower point before it has risen by `depth`. */
  isDent(bottom: number, depth: number): boolean {
    const level = this.values[bottom]! + depth;
    if (this.stack.length === 0) {
      this.visited = new Int32Array(this.values.length);
      this.stack = new Int32Array(this.values.length);
    }
    this.round += 1;
    let n = 0;
    this.stack[n++] = bottom;
    this.visited[bottom] = this.round;
    while (n > 0) {
      const place = this.stack[--n]!;
      const hasFoundLower = this.someNeighbour(place, (neighbour) => {
        if (this.visited[neighbour] === this.round || !(this.values[neighbour]! < level)) return false;
        if (this.isLower(neighbour, bottom)) return true;
        this.visited[neighbour] = this.round;
        this.stack[n++] = neighbour;
        return false;
      });
      if (hasFoundLower) return true;
    }
    return false;
  }
}

/** Places of minima, lowest first; `nInner` points run fastest, neighbours are also diagonal. */
export function findMinima(values: Float64Array, nInner: number, median: number): number[] {
  const flood = new Flood(values, values.length / nInner, nInner);
  const bottoms = flood.bottoms().sort((a, b) => values[a]! - values[b]! || a - b);
  if (bottoms.length === 0) return [];
  const depth = minDepthShare * (median - values[bottoms[0]!]!);
  return bottoms.filter((place, rank) => rank === 0 || !flood.isDent(place, depth));
}

/** Minima among points that fit the data; among all where none does. */
export function fittingMinima(
  values: Float64Array,
  nInner: number,
  median: number,
  poor: ArrayLike<number>,
): number[] {
  let nPoor = 0;
  for (let i = 0; i < poor.length; ++i) nPoor += poor[i] === 1 ? 1 : 0;
  if (nPoor === 0 || nPoor === values.length) return findMinima(values, nInner, median);
  const fitting = values.slice();
  for (let i = 0; i < fitting.length; ++i) if (poor[i] === 1) fitting[i] = NaN;
  return findMinima(fitting, nInner, median);
}
