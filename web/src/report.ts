// The data of a report, as `greybox report` writes them into the page; docs/report.md describes them.

/** Numbers as a list (null is not a number), or as base64 of little-endian float32. */
export type Packed = (number | null)[] | { f32: string };

export interface Equation {
  section: string;
  name: string;
  text: string;
  latex?: string;
}

export interface Parameter {
  name: string;
  prior: string;
  low?: number | null;
  high?: number | null;
  mean?: number | null;
  sd?: number | null;
  unit?: string;
  about?: string;
}

export interface Network {
  name: string;
  kind: string;
  inputs: string[];
  hidden?: number[];
  outputs: string[];
  n_weights: number;
}

export interface Model {
  name: string;
  about?: string;
  file?: string;
  text?: string;
  equations: Equation[];
  parameters: Parameter[];
  networks: Network[];
}

export interface NamedValues {
  name: string;
  values: Packed;
}

export interface Data {
  file: string;
  sha256?: string;
  rows: number;
  windows: Record<string, number>;
  columns: { name: string; min: number | null; max: number | null; mean: number | null }[];
  preview?: { series?: string | null; x: NamedValues; columns: NamedValues[] }[];
}

export interface Training {
  mode: string;
  regularizer: string;
  lambda: number;
  seed: number;
  epochs: number;
  seconds?: number | null;
  curves?: Record<string, Packed>;
}

export interface Axis {
  name: string;
  unit?: string;
  about?: string;
  scale?: "linear" | "log";
  values: Packed;
}

export interface Grid {
  axes: Axis[];
  held?: Record<string, number>;
  split: string;
  windows: number;
  range: number;
  terms: string[];
  networks: {
    seed: number;
    terms: Packed[];
    loss: Packed;
    /** Where this network alone does not fit. */
    poor?: Packed;
    adaptivity?: string;
  }[];
  poor?: Packed;
  adaptivity?: string;
}

export interface Regularizer {
  name: string;
  expression: string;
}

export interface Profile {
  theta: Packed;
  R: Packed;
  low?: Packed;
  high?: Packed;
}

export interface Verdict {
  parameter: string;
  regularizer: string;
  finding: string;
  sentence: string;
  evidence?: string[];
  best?: number | null;
  interval?: [number | null, number | null] | null;
  profile?: Profile | null;
  /** The parts of the interval, where R rises between them. */
  intervals?: [number, number][];
}

export interface Combination {
  regularizer: string;
  text: string;
  direction?: Record<string, number>;
  sentence: string;
}

export interface Estimate {
  regularizer: string;
  method: string;
  on: string;
  /** Of all windows together. */
  theta?: Record<string, number>;
  /** Of an estimate for each window. */
  theta_mean?: Record<string, number>;
  theta_sd?: Record<string, number>;
  R: number | null;
  L: number | null;
  rmse: number | null;
  nrmse: number | null;
  outputs?: Record<string, { rmse: number | null; nrmse: number | null; r2: number | null }>;
  at_bounds?: string[];
  warnings?: string[];
}

export interface Output extends PredictionBands {
  name: string;
  observed: Packed;
  predicted: Packed;
  theory?: Packed;
  network?: Packed;
}

export interface PredictedWindow {
  series?: string | null;
  start?: number | string | null;
  time: Packed;
  outputs: Output[];
  parts?: PredictedPart[];
  /** Between the snapshots, where something lies there. */
  curve?: {
    time: Packed;
    outputs: ({ name: string; predicted: Packed } & PredictionBands)[];
    parts: PredictedPart[];
  };
}

/** Of what is drawn: from the lowest to the highest network, and between quantiles over draws of θ. */
export interface PredictionBands {
  networks?: { low: Packed; high: Packed };
  draws?: { low: Packed; high: Packed };
}

export interface PredictedPart {
  name: string;
  theory: Packed;
  network: Packed;
}

export interface Residuals {
  name: string;
  standardised: boolean;
  mean: number | null;
  sd: number | null;
  autocorrelation: number | null;
  independence_p: number | null;
  normality_p: number | null;
  with_time: number | null;
  with_prediction: number | null;
  findings: string[];
}

export interface Predictions {
  theta: Record<string, number>;
  why?: string;
  split: string;
  kind: "series" | "points" | "fields";
  windows?: PredictedWindow[];
  input?: NamedValues;
  outputs?: Output[];
  residuals?: Residuals[];
  /** How many the bands are over, and the share of the draws that their band holds. */
  networks?: number;
  draws?: number;
  level?: number;
  height?: number;
  width?: number;
}

export interface PosteriorParameter {
  name: string;
  mean: number;
  sd: number;
  median: number;
  q5: number;
  q95: number;
  rhat: number | null;
  ess_bulk: number | null;
  ess_tail: number | null;
}

export interface Posterior {
  regularizer: string;
  beta: number;
  method: string;
  on: string;
  chains: number;
  draws_per_chain: number;
  divergences?: number | null;
  parameters: PosteriorParameter[];
  draws?: Record<string, Packed>;
  sensitivity?: { beta: number; parameters: { name: string; mean: number; sd: number }[] }[];
}

export interface LedgerEntry {
  command: string;
  split: string;
  purpose: string;
  regularizer?: string | null;
}

export interface Report {
  version: string;
  made: string;
  title: string;
  run?: string;
  model: Model;
  data?: Data | null;
  training?: Training | null;
  grids?: Grid[];
  regularizers?: Regularizer[];
  /** What the verdicts say together. */
  summary?: string[];
  verdicts?: Verdict[];
  combinations?: Combination[];
  estimates?: Estimate[];
  predictions?: Predictions | null;
  posterior?: Posterior | null;
  ledger?: LedgerEntry[];
  provenance?: (Record<string, unknown> & { commands?: string[] }) | null;
  warnings?: string[];
  cite?: { text: string; bibtex: string } | null;
  /** A server answers questions: the page is the explorer. */
  live?: import("./explore/live").Live;
}
