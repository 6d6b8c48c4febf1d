// A pendulum-like sample with one parameter, series predictions, and no posterior.
import { frame, verdict } from "./frame.mjs";
import { pack, range } from "./numbers.mjs";

function grid(nNetworks) {
  const g = range(8, 12, 201);
  const seeds = Array.from({ length: nNetworks }, (_, k) => k);
  const normD = (seed) => g.map((v) => 9.1 + 0.4 * (v - 10.6 - 0.15 * seed) ** 2);
  const dot = (seed) => g.map((v) => 1.4 * (v - 10.2 - 0.1 * seed));
  return {
    axes: [{ name: "g", unit: "m/s^2", about: "gravity", values: g }],
    held: {},
    split: "test",
    windows: 2700,
    range: 16,
    terms: ["mean(norm2(network))", "mean(dot(theory, network))"],
    networks: seeds.map((seed) => ({
      seed,
      terms: [pack(normD(seed)), pack(dot(seed))],
      loss: pack(g.map((v) => 0.0128 + 1e-4 * v)),
    })),
    poor: pack(g.map((v) => (v < 8.2 ? 1 : 0))),
    adaptivity: "The network adapted over 95 % of the grid.",
  };
}

function window(k) {
  const time = range(0, 2, 41);
  const angle = time.map((t) => Math.exp(-0.2 * t) * Math.cos(3 * t + k));
  return {
    series: `episode ${k + 1}`,
    start: 5 * k,
    time: pack(time),
    outputs: ["cos_angle", "velocity"].map((name, j) => ({
      name,
      observed: angle.map((v, i) => v * (1 + j) + 0.02 * Math.sin(40 * i)),
      predicted: pack(angle.map((v) => v * (1 + j))),
    })),
    parts: [
      {
        name: "velocity",
        theory: time.map((t) => 2 * Math.sin(3 * t + k)),
        network: time.map((t) => 0.4 * Math.cos(5 * t)),
      },
    ],
  };
}

export function oneParameter() {
  return {
    ...frame("Pendulum, synthetic sample", "corr"),
    model: {
      name: "pendulum",
      about: "A pendulum with an unknown torque",
      file: "pendulum.toml",
      text: 'name = "pendulum"\n',
      equations: [
        {
          section: "state",
          name: "angle",
          text: "atan2(sin_angle, cos_angle)",
          latex:
            "\\mathrm{angle}(0) = \\operatorname{atan2}\\left(\\mathrm{sin\\_angle}, \\mathrm{cos\\_angle}\\right)",
        },
        {
          section: "theory",
          name: "velocity",
          text: "1.5 * g * sin(angle)",
          latex: "\\dot{\\mathrm{velocity}} = 1.5\\, g\\, \\sin\\left(\\mathrm{angle}\\right)",
        },
        { section: "observe", name: "velocity", text: "velocity" },
      ],
      parameters: [{ name: "g", prior: "uniform", low: 8, high: 12, unit: "m/s^2", about: "gravity" }],
      networks: [
        {
          name: "fD",
          kind: "mlp",
          inputs: ["cos(angle)", "sin(angle)", "velocity", "g"],
          hidden: [128, 128, 128],
          outputs: ["angle", "velocity"],
          n_weights: 34178,
        },
      ],
    },
    data: {
      file: "pendulum.csv",
      rows: 10000,
      windows: { train: 3600, validation: 2700, test: 2700 },
      columns: [{ name: "velocity", min: -8, max: 8, mean: 0.01 }],
      preview: [0, 1].map((k) => ({
        series: `episode ${k + 1}`,
        x: { name: "time", values: range(0, 5, 100) },
        columns: [{ name: "velocity", values: range(0, 5, 100).map((t) => Math.sin(3 * t + k)) }],
      })),
    },
    grids: [grid(5)],
    regularizers: [
      { name: "normD", expression: "mean(norm2(network))" },
      { name: "corr", expression: "abs(mean(dot(theory, network)))" },
    ],
    verdicts: [
      verdict("g", "corr", "identifiable", [8, 12], (v) => Math.abs(v - 10.2)),
      verdict("g", "normD", "disagree", [8, 12], (v) => 9 + 0.4 * (v - 10.6) ** 2),
    ],
    predictions: {
      theta: { g: 10.2 },
      why: "estimate under corr",
      split: "test",
      kind: "series",
      windows: [window(0), window(1)],
    },
  };
}
