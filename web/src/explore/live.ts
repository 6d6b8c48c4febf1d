// What the explorer's server says, and what it is asked.
import type { Grid, Packed } from "../report";

export interface LiveParameter {
  name: string;
  /** Where to look: the bounds, or the central 99 % of the prior where there is none. */
  low: number;
  high: number;
  /** null where there is none. */
  bounds: [number | null, number | null];
  scale: "linear" | "log";
  middle: number;
  density: { x: number[]; y: number[] };
}

export interface LiveSplit {
  n: number;
  /** Windows to choose from: their numbers, series and first times. */
  index: number[];
  series: string[];
  start: number[];
}

export type PinName = "A" | "B" | "C";
export const pinNames: PinName[] = ["A", "B", "C"];

export interface Live {
  path: string;
  kind: "series" | "points" | "fields";
  parameters: LiveParameter[];
  theta: number[];
  /** Why it starts there. */
  why: string;
  seeds: number[];
  splits: Record<string, LiveSplit>;
  split: string;
  is_test_unlocked: boolean;
  n_quick: number;
  most_shown: number;
  terms: string[];
  /** Of the data; empty where nobody said. */
  time_unit: string;
  outputs: string[];
  states: string[];
  pins: { name: PinName; theta: Record<string, number> }[];
  shape?: [number, number];
}

export interface LiveOutput {
  name: string;
  observed: Packed;
  predicted: Packed;
  others: Packed[];
  theory?: Packed;
  network?: Packed;
}

export interface LivePart {
  name: string;
  theory: Packed;
  network: Packed;
  state: Packed;
}

/** Between the snapshots. */
export interface LiveCurve {
  time: Packed;
  outputs: { name: string; predicted: Packed; others: Packed[] }[];
  parts: LivePart[];
}

export interface LiveWindow {
  index: number;
  series: string;
  start: number;
  time: Packed;
  n_steps: number;
  outputs: LiveOutput[];
  parts: LivePart[];
  /** Where something lies between the snapshots, and there was time for it. */
  curve?: LiveCurve;
}

export interface Shown {
  windows?: LiveWindow[];
  /** Of an algebraic model. */
  input?: { name: string; values: Packed };
  outputs?: LiveOutput[];
}

export interface Evaluation {
  superseded?: boolean;
  windows: number;
  n_all: number;
  /** Candidates and means by name. */
  regularizers: Record<string, number | null>;
  L: number | null;
  rmse: number | null;
  nrmse: number | null;
  nll?: number | null;
  outputs: { name: string; rmse: number | null; nrmse: number | null; r2: number | null }[];
  fits: boolean;
  warnings: string[];
  shown: Shown | null;
  errors?: { index: number[]; nrmse: Packed };
}

export interface ScanLine extends Grid {
  superseded?: boolean;
  error?: string;
  is_last: boolean;
  n_all: number;
}

export interface DescentLine {
  superseded?: boolean;
  error?: string;
  theta: Record<string, number>;
  R: number | null;
  L: number | null;
  is_end?: boolean;
  evaluations?: number;
  windows?: number;
}

export interface LiveExplanation {
  dependences: {
    component: string;
    variable: string;
    x: (number | null)[];
    mean: (number | null)[];
    low: (number | null)[];
    high: (number | null)[];
    strength: number | null;
  }[];
  candidates: { component: string; formula: string; r2: number | null }[];
  points: number;
}
