// Four rates with one direction that stays undetermined, two grids, and predictions that are fields.
import { frame, verdict } from "./frame.mjs";
import { overGrid, pack, range } from "./numbers.mjs";

const names = ["alpha", "beta", "gamma", "delta"];
const truth = [0.4, 1.1, 0.6, 1.2];

// alpha and beta only together: their quotient is what the data know.
const normD = ([alpha, beta, gamma, delta]) =>
  0.1 + (alpha - 0.28 * (beta + 0.3)) ** 2 + 0.4 * (gamma - truth[2]) ** 2 + 0.1 * (delta - truth[3]) ** 2;
const dot = ([alpha, beta, gamma, delta]) =>
  0.3 * (alpha - truth[0]) + 0.2 * (delta - truth[3]) - 0.1 * (gamma - 0.6) + 0.02 * (beta - 1.1);

function grid(names, axes, complete, held) {
  const mean = (f) => pack(overGrid(axes, (theta) => f(complete(theta))));
  return {
    axes: names.map((name, k) => ({ name, unit: "1/day", about: "a rate", values: axes[k] })),
    held,
    split: "validation",
    windows: 63,
    range: 4.8,
    terms: ["mean(norm2(network))", "mean(dot(theory, network))"],
    networks: [{ seed: 0, terms: [mean(normD), mean(dot)], loss: mean((theta) => 0.004 + 0.001 * theta[0]) }],
    poor: mean(([alpha, beta]) => (alpha > 1.3 && beta < 0.3 ? 1 : 0)),
    adaptivity: "The network adapted over 97 % of the grid.",
  };
}

function fields() {
  const [height, width, nTimes] = [32, 32, 8];
  const at = (phase) =>
    overGrid(
      [range(0, 1, nTimes), range(-1, 1, height), range(-1, 1, width)],
      ([t, y, x]) => Math.sin(3 * x + phase + 2 * t) * Math.cos(3 * y) * Math.exp(-t),
    );
  return {
    theta: Object.fromEntries(names.map((name, k) => [name, truth[k]])),
    why: "estimate under normD",
    split: "test",
    kind: "fields",
    height,
    width,
    windows: [0, 1].map((k) => ({
      series: `field ${k + 1}`,
      start: 0,
      time: range(0, 1, nTimes),
      outputs: [{ name: "u", observed: pack(at(k)), predicted: pack(at(k + 0.05)) }],
    })),
  };
}

export function fourParameters() {
  const axes = [range(0, 1.5, 17), range(0, 3, 17), range(0, 1.5, 17), range(0, 3, 17)];
  return {
    ...frame("Plankton, synthetic sample", "normD"),
    model: {
      name: "plankton",
      about: "Four rates of a plankton community",
      file: "plankton.toml",
      text: 'name = "plankton"\n',
      equations: [
        {
          section: "theory",
          name: "prey",
          text: "alpha * x - beta * x * y",
          latex: "\\dot{\\mathrm{prey}} = \\alpha\\, x - \\beta\\, x\\, y",
        },
        {
          section: "theory",
          name: "predator",
          text: "-gamma * y + delta * x * y",
          latex: "\\dot{\\mathrm{predator}} = -\\gamma\\, y + \\delta\\, x\\, y",
        },
      ],
      parameters: names.map((name, k) => ({
        name,
        prior: "uniform",
        low: 0,
        high: k % 2 ? 3 : 1.5,
        unit: "1/day",
        about: "a rate",
      })),
      networks: [
        {
          name: "fD",
          kind: "mlp",
          inputs: ["x", "y"],
          hidden: [128, 128],
          outputs: ["prey", "predator"],
          n_weights: 21762,
        },
      ],
    },
    grids: [
      grid(names, axes, (theta) => theta, {}),
      grid(
        ["alpha", "beta"],
        [range(0, 1.5, 61), range(0, 3, 61)],
        ([alpha, beta]) => [alpha, beta, truth[2], truth[3]],
        { gamma: truth[2], delta: truth[3] },
      ),
    ],
    regularizers: [
      { name: "normD", expression: "mean(norm2(network))" },
      { name: "corr", expression: "abs(mean(dot(theory, network)))" },
    ],
    verdicts: names.map((name, k) =>
      verdict(name, "normD", ["flat", "flat", "identifiable", "not adapted"][k], [0, k % 2 ? 3 : 1.5], (v) =>
        k < 2 ? 0.1 : 0.1 + (v - truth[k]) ** 2,
      ),
    ),
    combinations: [
      {
        regularizer: "normD",
        text: "alpha / beta",
        direction: { alpha: 1, beta: -1 },
        sentence: "Only the quotient of alpha and beta is determined.",
      },
    ],
    predictions: fields(),
  };
}
