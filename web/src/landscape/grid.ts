// The grid of one landscape: where its points lie and what was computed there.
import { type Numbers, unpack } from "../arrays";
import type { Grid } from "../report";

export interface GridAxis {
  name: string;
  unit: string;
  about: string;
  isLog: boolean;
  values: Numbers;
}

/** Points of a grid by their places in its arrays; null stands for all of them, in order. */
export interface Points {
  /** Tells them from other points of the grid. */
  key: string;
  n: number;
  places: Int32Array | null;
}

const maxRemembered = 24;
const minRemembered = 2000;

export class LandscapeGrid {
  readonly axes: GridAxis[];
  readonly strides: number[];
  readonly n: number;
  readonly held: Record<string, number>;
  private readonly remembered = new Map<string, Float64Array>();

  constructor(readonly data: Grid) {
    this.axes = data.axes.map((axis) => ({
      name: axis.name,
      unit: axis.unit ?? "",
      about: axis.about ?? "",
      isLog: axis.scale === "log",
      values: unpack(axis.values),
    }));
    this.strides = this.axes.map((_, k) =>
      this.axes.slice(k + 1).reduce((n, axis) => n * axis.values.length, 1),
    );
    this.n = this.strides[0]! * this.axes[0]!.values.length;
    this.held = data.held ?? {};
  }

  get nNetworks(): number {
    return this.data.networks.length;
  }

  term(network: number, term: number): Numbers {
    return unpack(this.data.networks[network]!.terms[term]);
  }

  loss(network: number): Numbers {
    return unpack(this.data.networks[network]!.loss);
  }

  /** Where θ does not fit: for one network, or for the mean of all. */
  poorOf(view: number | string): Numbers {
    const own = typeof view === "number" && this.nNetworks > 1 ? this.data.networks[view]!.poor : undefined;
    return unpack(own ?? this.data.poor);
  }

  adaptivityOf(view: number | string): string {
    const own =
      typeof view === "number" && this.nNetworks > 1 ? this.data.networks[view]!.adaptivity : undefined;
    return own ?? this.data.adaptivity ?? "";
  }

  size(axis: number): number {
    return this.axes[axis]!.values.length;
  }

  /** The place along one axis of a point. */
  along(axis: number, place: number): number {
    return Math.floor(place / this.strides[axis]!) % this.size(axis);
  }

  point(place: number): Points {
    return { key: `at ${place}`, n: 1, places: Int32Array.of(place) };
  }

  /** Values computed once, unless they are few; whoever gets them must not change them. */
  remember(what: string, points: Points, compute: () => Float64Array): Float64Array {
    if (points.n < minRemembered) return compute();
    const key = `${what}|${points.key}`;
    const known = this.remembered.get(key);
    if (known) return known;
    if (this.remembered.size >= maxRemembered) this.remembered.clear();
    const values = compute();
    this.remembered.set(key, values);
    return values;
  }

  everywhere(): Points {
    return { key: "all", n: this.n, places: null };
  }

  /** The plane of two axes (or the line of one) through `through`, the last axis given running fastest. */
  slice(shown: number[], through: number[]): Points {
    const isWhole = shown.length === this.axes.length && shown.every((axis, k) => axis === k);
    if (isWhole) return this.everywhere();
    let base = 0;
    this.axes.forEach((_, k) => {
      if (!shown.includes(k)) base += through[k]! * this.strides[k]!;
    });
    const [outer, inner] = shown.length === 2 ? shown : [null, shown[0]!];
    const nOuter = outer === null ? 1 : this.size(outer!);
    const nInner = this.size(inner!);
    const places = new Int32Array(nOuter * nInner);
    for (let o = 0; o < nOuter; ++o) {
      const start = base + (outer === null ? 0 : o * this.strides[outer!]!);
      for (let i = 0; i < nInner; ++i) places[o * nInner + i] = start + i * this.strides[inner!]!;
    }
    return { key: `${shown} at ${base}`, n: places.length, places };
  }
}
