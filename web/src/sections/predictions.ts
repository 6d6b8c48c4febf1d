// Predictions against data, with the parts that theory and network play.
import { type Numbers, unpack } from "../arrays";
import { LineChart, type Series } from "../charts/line_chart";
import { select } from "../controls";
import { h } from "../dom";
import { theta } from "../format";
import type { Output, PredictedWindow, Predictions, Report } from "../report";
import { fieldsView } from "./fields";
import { section, type Section } from "./section";

function figure(title: string, chart: LineChart): HTMLElement {
  return h("figure", {}, h("figcaption", {}, title), chart.element);
}

function against(x: Numbers, xLabel: string, output: Output): HTMLElement {
  const series: Series[] = [
    { name: "observed", x, y: unpack(output.observed), style: "points line-4" },
    { name: "predicted", x, y: unpack(output.predicted), style: "line-1" },
  ];
  if (output.theory) series.push({ name: "theory", x, y: unpack(output.theory), style: "line-2 dashed" });
  if (output.network) series.push({ name: "network", x, y: unpack(output.network), style: "line-3 dotted" });
  return figure(
    output.name,
    new LineChart({
      label: `${output.name}: observed and predicted over ${xLabel}`,
      xLabel,
      yLabel: output.name,
      series,
    }),
  );
}

function parts(window: PredictedWindow): HTMLElement[] {
  const x = unpack(window.time);
  return (window.parts ?? []).map(({ name, theory, network }) =>
    figure(
      `Change of ${name}`,
      new LineChart({
        label: `What theory and network add to the change of ${name}`,
        xLabel: "time",
        yLabel: `d(${name})/dt`,
        series: [
          { name: "theory", x, y: unpack(theory), style: "line-2 dashed" },
          { name: "network", x, y: unpack(network), style: "line-3 dotted" },
        ],
      }),
    ),
  );
}

export function windowName({ series, start }: PredictedWindow, k: number): string {
  const from = start === null || start === undefined || start === "" ? "" : `from ${start}`;
  return [series || `window ${k + 1}`, from].filter(Boolean).join(", ");
}

function seriesView(windows: PredictedWindow[]): HTMLElement {
  const place = h("div", { class: "pair" });
  const show = (k: number) => {
    const window = windows[k]!;
    const time = unpack(window.time);
    place.replaceChildren(...window.outputs.map((output) => against(time, "time", output)), ...parts(window));
  };
  show(0);
  const choices = windows.map((window, k) => ({ value: String(k), name: windowName(window, k) }));
  return h(
    "div",
    {},
    windows.length > 1 ? select("Window", choices, "0", (k) => show(Number(k))) : null,
    place,
  );
}

// Points in the order of the input, so that lines can join them.
function pointsView({ input, outputs }: Predictions): HTMLElement {
  const x = unpack(input!.values);
  const order = Array.from(x.keys()).sort((a, b) => x[a]! - x[b]!);
  const sorted = (packed: Output["observed"] | undefined) =>
    packed
      ? order.map((i) => unpack(packed)[i]!).map((value) => (Number.isNaN(value) ? null : value))
      : undefined;
  const ordered = outputs!.map((output) => ({
    name: output.name,
    observed: sorted(output.observed)!,
    predicted: sorted(output.predicted)!,
    theory: sorted(output.theory),
    network: sorted(output.network),
  }));
  const xs = Float64Array.from(order, (i) => x[i]!);
  return h("div", { class: "pair" }, ...ordered.map((output) => against(xs, input!.name, output)));
}

function view(predictions: Predictions): HTMLElement | null {
  if (predictions.kind === "points")
    return predictions.input && predictions.outputs ? pointsView(predictions) : null;
  if (!predictions.windows || predictions.windows.length === 0) return null;
  return predictions.kind === "fields" ? fieldsView(predictions) : seriesView(predictions.windows);
}

export function predictionsSection({ predictions }: Report): Section | null {
  if (!predictions) return null;
  const why = predictions.why ? ` (${predictions.why})` : "";
  return section(
    "predictions",
    "Predictions",
    `On the ${predictions.split} data, at ${theta(predictions.theta)}${why}.`,
    view(predictions),
  );
}
