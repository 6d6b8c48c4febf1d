// What every sample report has: the parts that do not depend on its model. All of it is synthetic.
import { pack, random, range } from "./numbers.mjs";

function trainingCurves(epochs, end) {
  const uniform = random(7);
  const epoch = range(1, epochs, 200).map(Math.round);
  const falling = (scale) =>
    epoch.map((e) => scale * (Math.exp(-e / (epochs / 8)) + end) * (1 + 0.08 * (uniform() - 0.5)));
  return {
    epoch,
    L: falling(1),
    R: falling(3),
    validation_L: pack(falling(1.15)),
    validation_R: pack(falling(3.2)),
  };
}

/** A report to which a sample adds its own parts. */
export function frame(title, regularizer) {
  return {
    version: "0.1.0",
    made: "2026-03-01T12:00:00Z",
    title,
    run: `runs/${title.split(",")[0].toLowerCase()}`,
    training: {
      mode: "adaptive",
      regularizer,
      lambda: 1e-3,
      seed: 0,
      epochs: 2000,
      seconds: 84.2,
      curves: trainingCurves(2000, 0.01),
    },
    combinations: [],
    estimates: [],
    predictions: null,
    posterior: null,
    ledger: [
      { command: "train", split: "train", purpose: "weights of the network", regularizer },
      { command: "landscape", split: "validation", purpose: "looked at landscapes", regularizer: null },
      { command: "estimate", split: "test", purpose: "estimate", regularizer },
    ],
    provenance: {
      version: "0.1.0",
      seed: 0,
      model_sha256: "0f".repeat(32),
      data_sha256: "1e".repeat(32),
      weights_sha256: "2d".repeat(32),
      commands: ["greybox train model.toml -o runs/sample", "greybox report runs/sample"],
      finished: "finished",
    },
    warnings: [],
    cite: {
      text: "Takeishi and Kalousis, Deep Grey-Box Modeling With Adaptive Data-Driven Models Toward Trustworthy Estimation of Theory-Driven Models, 2023.",
      bibtex:
        "@inproceedings{takeishi2023,\n  title = {Deep Grey-Box Modeling With Adaptive Data-Driven Models},\n  author = {Takeishi, Naoya and Kalousis, Alexandros},\n  year = {2023}\n}",
    },
  };
}

/** A verdict with the profile of a function. */
export function verdict(parameter, regularizer, finding, [low, high], f) {
  const theta = range(low, high, 61);
  const values = theta.map(f);
  const best = theta[values.indexOf(Math.min(...values))];
  const isKnown = finding === "identifiable";
  return {
    parameter,
    regularizer,
    finding,
    sentence: isKnown
      ? `${parameter}: identifiable under ${regularizer}, lowest at ${best.toPrecision(3)}`
      : `${parameter}: ${finding} under ${regularizer} — do not interpret its estimate`,
    evidence: [
      `the profile of ${regularizer} rises by ${(Math.max(...values) - Math.min(...values)).toPrecision(3)} over the prior`,
      "5 networks were compared",
    ],
    best,
    interval: isKnown ? [best - 0.04 * (high - low), best + 0.04 * (high - low)] : [low, high],
    profile: {
      theta,
      R: values,
      low: values.map((v) => 0.94 * v - 0.01),
      high: values.map((v) => 1.06 * v + 0.01),
    },
  };
}
