// What the explorer shows now; lives in the address, and can be undone.
import { unpack } from "../arrays";
import type { Evaluation, Live, PinName } from "./live";
import { pinNames } from "./live";

export type WindowOrder = "spread" | "worst" | "best";

export interface LiveState {
  theta: number[];
  locked: boolean[];
  /** One or two parameters: the axes of the map. */
  axes: number[];
  network: number;
  split: string;
  /** What stands in R =. */
  text: string;
  /** Windows shown, by their numbers. */
  shown: number[];
  order: WindowOrder;
  pins: Partial<Record<PinName, number[]>>;
}

/** One from each of n equal parts of a list, at places that fall in step with nothing. */
export function some<T>(all: T[], n: number): T[] {
  if (all.length <= n) return all;
  const golden = (Math.sqrt(5) - 1) / 2;
  return Array.from(
    { length: n },
    (_, k) => all[Math.floor(((k + ((k * golden + 0.5) % 1)) * all.length) / n)]!,
  );
}

const mostPoints = 400;

export function defaultWindows(live: Live, split: string): number[] {
  const n = live.kind === "points" ? mostPoints : live.kind === "fields" ? 2 : live.most_shown;
  return some(live.splits[split]!.index, n);
}

/** Windows by their errors where these are known, as the last evaluation of all of them says. */
export function orderedWindows(
  live: Live,
  split: string,
  order: WindowOrder,
  errors: Evaluation["errors"] | null,
): number[] {
  if (order === "spread" || !errors) return defaultWindows(live, split);
  const values = unpack(errors.nrmse);
  const known = new Map(errors.index.map((window, k) => [window, values[k]!]));
  const size = (window: number) => known.get(window) ?? Number.NaN;
  const sorted = live.splits[split]!.index.filter((window) => Number.isFinite(size(window))).sort(
    (a, b) => size(b) - size(a),
  );
  return (order === "best" ? sorted.reverse() : sorted).slice(0, live.most_shown);
}

export function firstState(live: Live, text: string): LiveState {
  const pins: LiveState["pins"] = {};
  for (const { name, theta } of live.pins) pins[name] = live.parameters.map((one) => theta[one.name]!);
  return {
    theta: [...live.theta],
    locked: live.parameters.map(() => false),
    axes: live.parameters.length === 1 ? [0] : [0, 1],
    network: 0,
    split: live.split,
    text,
    shown: defaultWindows(live, live.split),
    order: "spread",
    pins,
  };
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(7)));
}

export function toAddress(state: LiveState, live: Live): string {
  const parts = new URLSearchParams();
  parts.set("theta", state.theta.map(rounded).join(","));
  parts.set("R", state.text);
  if (live.parameters.length > 2) parts.set("axes", state.axes.join(","));
  if (state.locked.some(Boolean))
    parts.set("locked", state.locked.flatMap((isLocked, k) => (isLocked ? [k] : [])).join(","));
  if (state.network > 0) parts.set("network", String(state.network));
  if (state.split !== live.split) parts.set("split", state.split);
  if (live.kind !== "points") parts.set("windows", state.shown.join(","));
  for (const name of pinNames) if (state.pins[name]) parts.set(name, state.pins[name].map(rounded).join(","));
  return `#${parts}`;
}

function numbers(text: string | null): number[] {
  return text ? text.split(",").map(Number) : [];
}

function thetaFrom(text: string | null, live: Live): number[] | null {
  const values = numbers(text);
  const isWithin = ({ bounds }: Live["parameters"][number], k: number) =>
    Number.isFinite(values[k]!) &&
    values[k]! >= (bounds[0] ?? Number.NEGATIVE_INFINITY) &&
    values[k]! <= (bounds[1] ?? Number.POSITIVE_INFINITY);
  return values.length === live.parameters.length && live.parameters.every(isWithin) ? values : null;
}

/** The state with everything that an address holds and that fits this run; the rest stays. */
export function fromAddress(address: string, state: LiveState, live: Live): LiveState {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  const read = { ...state, pins: { ...state.pins } };
  read.theta = thetaFrom(parts.get("theta"), live) ?? read.theta;
  if (parts.get("R")) read.text = parts.get("R")!;
  const axes = numbers(parts.get("axes"));
  const isAxis = (k: number) => Number.isInteger(k) && k >= 0 && k < live.parameters.length;
  if (axes.length === read.axes.length && axes.every(isAxis) && new Set(axes).size === axes.length)
    read.axes = axes;
  const locked = numbers(parts.get("locked"));
  read.locked = live.parameters.map((_, k) => locked.includes(k));
  const network = Number(parts.get("network"));
  if (network > 0 && network < live.seeds.length) read.network = network;
  const split = parts.get("split");
  // Test windows are unlocked by hand alone.
  if (split && live.splits[split] && (split !== "test" || live.is_test_unlocked)) {
    read.split = split;
    read.shown = defaultWindows(live, split);
  }
  const windows = numbers(parts.get("windows")).filter((w) => live.splits[read.split]!.index.includes(w));
  if (windows.length > 0) read.shown = windows.slice(0, live.most_shown);
  for (const name of pinNames) {
    const theta = thetaFrom(parts.get(name), live);
    if (theta) read.pins[name] = theta;
  }
  return read;
}

const most = 200;

/** States before this one. */
export class History {
  private past: LiveState[] = [];

  constructor(private readonly onChange: (canUndo: boolean) => void) {}

  keep(state: LiveState): void {
    this.past.push(structuredClone(state));
    if (this.past.length > most) this.past.shift();
    this.onChange(true);
  }

  back(): LiveState | null {
    const state = this.past.pop() ?? null;
    this.onChange(this.past.length > 0);
    return state;
  }
}
