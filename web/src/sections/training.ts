// How the network was trained: settings and curves.
import { type Numbers, unpack } from "../arrays";
import { LineChart, type LineChartOptions } from "../charts/line_chart";
import { h } from "../dom";
import { count, duration, number } from "../format";
import type { Packed, Report } from "../report";
import { facts, section, type Section } from "./section";

const modes: Record<string, string> = {
  adaptive: "Adaptive: the network knows θ, and every sample was shown with a θ of its own.",
  inductive: "Inductive: θ and the network were learned together on the training data.",
  transductive:
    "Transductive: θ and the network were learned together, with R also over the inputs to predict.",
};

// Some values are there for every tenth epoch alone: those are joined.
function known(x: Numbers, y: Numbers): { x: Float64Array; y: Float64Array } {
  const places = Array.from(y.keys()).filter((i) => Number.isFinite(y[i]!));
  return { x: Float64Array.from(places, (i) => x[i]!), y: Float64Array.from(places, (i) => y[i]!) };
}

export type CurveTitle = "Data loss L" | "Regularizer R";
export const curveTitles: CurveTitle[] = ["Data loss L", "Regularizer R"];

/** A chart of training and validation over epochs; null where there is nothing to draw. */
export function curveOptions(title: CurveTitle, curves: Record<string, Packed>): LineChartOptions | null {
  const letter = title.at(-1)!;
  const names: [string, string][] = [
    [letter, "training"],
    [`validation_${letter}`, "validation"],
  ];
  const epoch = unpack(curves.epoch);
  const series = names
    .map(([key, name], k) => ({ name, ...known(epoch, unpack(curves[key])), style: `line-${k + 1}` }))
    .filter(({ y }) => y.length > 0);
  if (series.length === 0) return null;
  const isPositive = series.every(({ y }) => y.every((value) => !(value <= 0)));
  return {
    label: `${title} over epochs`,
    xLabel: "epoch",
    yLabel: title,
    series,
    isLog: isPositive,
    height: 240,
  };
}

function curve(title: CurveTitle, curves: Record<string, Packed>): HTMLElement | null {
  const options = curveOptions(title, curves);
  return options && h("figure", {}, h("figcaption", {}, title), new LineChart(options).element);
}

export function trainingSection({ training }: Report): Section | null {
  if (!training) return null;
  const { curves } = training;
  return section(
    "training",
    "The training",
    modes[training.mode] ?? "",
    facts([
      ["Regularizer", training.regularizer],
      ["λ", number(training.lambda)],
      ["Epochs", count(training.epochs)],
      ["Seed", String(training.seed)],
      ["Time", typeof training.seconds === "number" ? duration(training.seconds) : ""],
    ]),
    curves ? h("div", { class: "pair" }, ...curveTitles.map((title) => curve(title, curves))) : null,
  );
}
