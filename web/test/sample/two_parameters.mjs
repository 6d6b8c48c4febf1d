// The toy: y = sin x + cos x against a sin(x + c). With a perfect network all means are known in closed form.
import { frame, verdict } from "./frame.mjs";
import { normal, overGrid, pack, random, range } from "./numbers.mjs";

const terms = ["mean(norm2(network))", "mean(dot(theory, network))", "mean(norm2(theory))"];
const regularizers = [
  { name: "normD", expression: "mean(norm2(network))" },
  { name: "corr", expression: "abs(mean(dot(theory, network)))" },
  { name: "normdif", expression: "abs(mean(norm2(theory)) - mean(norm2(network)))" },
  { name: "both", expression: "corr + normdif" },
  { name: "centred", expression: "corr + normdif + c^2" },
];

/** The means of a network that leaves out what theory explains; `seed` bends it a little. */
export function means([a, c], seed) {
  const bend = 1 + 0.05 * seed * Math.sin(3 * a + c);
  const alike = (a / Math.SQRT2) * Math.cos(c - Math.PI / 4);
  const network = (1 + (a * a) / 2 - 2 * alike) * bend + 0.01;
  return [network, (alike - (a * a) / 2) * bend, (a * a) / 2];
}

function grid(n, nNetworks) {
  const axes = [range(0, 2, n), range(-Math.PI, Math.PI, n)];
  const loss = ([a, c]) => 0.0121 * (1 + 0.06 * Math.cos(2 * c) + (a > 1.8 && c > 2.4 ? 1.5 : 0));
  return {
    axes: [
      { name: "a", unit: "", about: "amplitude", values: axes[0] },
      { name: "c", unit: "rad", about: "phase", values: pack(axes[1]) },
    ],
    held: {},
    split: "validation",
    windows: 40,
    range: 2.83,
    terms,
    networks: Array.from({ length: nNetworks }, (_, seed) => ({
      seed,
      terms: terms.map((_, k) => pack(overGrid(axes, (theta) => means(theta, seed)[k]))),
      loss: pack(overGrid(axes, (theta) => loss(theta) * (1 + 0.05 * seed))),
    })),
    poor: pack(overGrid(axes, ([a, c]) => (a > 1.8 && c > 2.4 ? 1 : 0))),
    adaptivity: "The network adapted over 98 % of the grid; L is more than twice its median on the rest.",
  };
}

function points() {
  const uniform = random(3);
  const x = Array.from({ length: 40 }, () => 2 * Math.PI * uniform());
  const theory = x.map((v) => 1.06 * Math.sin(v + 0.1));
  const observed = x.map((v) => Math.sin(v) + Math.cos(v) + 0.1 * normal(uniform));
  const predicted = x.map((v) => Math.sin(v) + Math.cos(v));
  const network = predicted.map((v, i) => v - theory[i]);
  return {
    theta: { a: 1.06, c: 0.1 },
    why: "estimate under centred",
    split: "test",
    kind: "points",
    input: { name: "x", values: x },
    outputs: [{ name: "y", observed, predicted, theory, network }],
  };
}

function posterior() {
  const uniform = random(11);
  const draws = { a: [], c: [] };
  for (let i = 0; i < 2000; ++i) {
    draws.a.push(1.06 + 0.12 * normal(uniform));
    draws.c.push(0.1 + 0.18 * normal(uniform) + 0.6 * (draws.a[i] - 1.06));
  }
  const parameter = (name, mean, sd) => ({
    name,
    mean,
    sd,
    median: mean,
    q5: mean - 1.64 * sd,
    q95: mean + 1.64 * sd,
    rhat: name === "a" ? 1.001 : 1.034,
    ess_bulk: 812.3,
    ess_tail: 640.9,
  });
  return {
    regularizer: "centred",
    beta: 20,
    method: "nuts",
    on: "test",
    chains: 4,
    draws_per_chain: 500,
    divergences: 0,
    parameters: [parameter("a", 1.06, 0.12), parameter("c", 0.1, 0.19)],
    draws: { a: pack(draws.a), c: draws.c },
    sensitivity: [2, 10, 20, 100].map((beta) => ({
      beta,
      parameters: [
        { name: "a", mean: 1.06 + 0.1 / beta, sd: 0.54 / Math.sqrt(beta) },
        { name: "c", mean: 0.1, sd: 0.85 / Math.sqrt(beta) },
      ],
    })),
  };
}

function model() {
  return {
    name: "toy",
    about: "A sine whose amplitude and phase the data alone cannot determine",
    file: "toy.toml",
    text: 'name = "toy"\n\n[parameters]\na = { prior = "uniform", low = 0, high = 2 }\n\n[theory]\ny = "a * sin(x + c)"   # </script><!-- is only text here\n',
    equations: [
      { section: "theory", name: "y", text: "a * sin(x + c)", latex: "y = a \\sin\\left(x + c\\right)" },
      {
        section: "network",
        name: "fD",
        text: "mlp(x, a, c, theory.y)",
        latex: "f_D = \\operatorname{mlp}\\left(x, a, c, f_T\\right)",
      },
      {
        section: "regularizers",
        name: "normD",
        text: "mean(norm2(network))",
        latex: "\\mathrm{normD} = \\left\\langle \\lVert f_D \\rVert^2 \\right\\rangle",
      },
      {
        section: "regularizers",
        name: "corr",
        text: "abs(mean(dot(theory, network)))",
        latex: "\\mathrm{corr} = \\left| \\left\\langle f_T \\cdot f_D \\right\\rangle \\right|",
      },
      {
        section: "regularizers",
        name: "centred",
        text: "corr + normdif + c^2",
        latex: "\\mathrm{centred} = \\mathrm{corr} + \\mathrm{normdif} + c^{2}",
      },
    ],
    parameters: [
      { name: "a", prior: "uniform", low: 0, high: 2, unit: "", about: "amplitude" },
      { name: "c", prior: "uniform", low: -Math.PI, high: Math.PI, unit: "rad", about: "phase" },
    ],
    networks: [
      {
        name: "fD",
        kind: "mlp",
        inputs: ["x", "a", "c", "theory.y"],
        hidden: [16, 16],
        outputs: ["y"],
        n_weights: 369,
      },
    ],
  };
}

function data() {
  const uniform = random(5);
  const x = Array.from({ length: 120 }, () => 2 * Math.PI * uniform());
  return {
    file: "toy.csv",
    sha256: "1e".repeat(32),
    rows: 120,
    windows: { train: 40, validation: 40, test: 40 },
    columns: [
      { name: "x", min: 0.02, max: 6.26, mean: 3.1 },
      { name: "y", min: -1.6, max: 1.59, mean: 0.02 },
    ],
    preview: [
      {
        series: null,
        x: { name: "x", values: x },
        columns: [
          { name: "y", values: pack(x.map((v) => Math.sin(v) + Math.cos(v) + 0.1 * normal(uniform))) },
        ],
      },
    ],
  };
}

export function twoParameters({ n = 101, nNetworks = 5 } = {}) {
  const bowl = (at, width) => (v) => 0.2 + ((v - at) / width) ** 2;
  return {
    ...frame("Toy, synthetic sample", "centred"),
    model: model(),
    data: data(),
    grids: [grid(n, nNetworks)],
    regularizers,
    verdicts: [
      verdict("a", "normD", "identifiable", [0, 2], bowl(1.4, 0.7)),
      verdict("a", "corr", "flat", [0, 2], () => 0.02),
      verdict("a", "both", "several minima", [0, 2], (v) => 0.1 + ((v - 0.9) ** 2 - 0.05) ** 2),
      verdict("a", "centred", "identifiable", [0, 2], bowl(1.06, 0.8)),
      verdict("c", "normD", "identifiable", [-3.14, 3.14], bowl(0.78, 2)),
      verdict("c", "corr", "unstable", [-3.14, 3.14], (v) => 0.1 + 0.02 * Math.sin(4 * v)),
      verdict("c", "both", "one-sided", [-3.14, 3.14], (v) => 1 / (4 + v)),
      verdict("c", "centred", "identifiable", [-3.14, 3.14], bowl(0.1, 1.5)),
    ],
    combinations: [
      {
        regularizer: "corr",
        text: "a / cos(c − 0.79)",
        direction: { a: 0.8, c: -0.6 },
        sentence: "Along this valley corr does not tell a and c apart: only their combination is determined.",
      },
    ],
    estimates: [
      {
        regularizer: "centred",
        method: "grid",
        on: "test",
        theta: { a: 1.06, c: 0.1 },
        R: 0.0103,
        L: 0.0123,
        rmse: 0.111,
        nrmse: 0.0391,
        at_bounds: [],
        warnings: [],
      },
      {
        regularizer: "corr",
        method: "adam",
        on: "test",
        theta: { a: 0, c: 3.1416 },
        R: 1e-9,
        L: 0.0124,
        rmse: 0.111,
        nrmse: 0.0393,
        at_bounds: ["a"],
        warnings: ["corr is flat in a: the estimate says nothing"],
      },
    ],
    predictions: points(),
    posterior: posterior(),
    warnings: ["the landscape of corr was looked at on windows that the estimate shares"],
  };
}
