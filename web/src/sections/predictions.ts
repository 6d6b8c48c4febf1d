// Predictions against data, with the parts that theory and network play.
import { type Numbers, unpack } from "../arrays";
import { LineChart, type Series } from "../charts/line_chart";
import { select } from "../controls";
import { h } from "../dom";
import { counted, number, parameterNames, sentence, theta } from "../format";
import type {
  Output,
  Packed,
  PredictedWindow,
  PredictionBands,
  Predictions,
  Report,
  Residuals,
} from "../report";
import { fieldsView } from "./fields";
import { section, table, type Section } from "./section";

function figure(title: string, chart: LineChart): HTMLElement {
  return h("figure", {}, h("figcaption", {}, title), chart.element);
}

/** What bands are over, for their names. */
type Members = Pick<Predictions, "networks" | "draws" | "level">;

// Behind the lines; the widest first.
function bands(x: Numbers, y: Numbers, of: PredictionBands, members: Members): Series[] {
  const band = (name: string, { low, high }: { low: Packed; high: Packed }, style: string) => ({
    name,
    x,
    y,
    low: unpack(low),
    high: unpack(high),
    style: `${style} band-only`,
  });
  const { networks = 1, draws = 0, level = 0.9 } = members;
  return [
    ...(of.networks ? [band(`range of ${counted(networks, "network")}`, of.networks, "line-1")] : []),
    ...(of.draws
      ? [band(`${number(100 * level)} % of ${counted(draws, "draw")} of θ`, of.draws, "line-2")]
      : []),
  ];
}

function against(
  x: Numbers,
  xLabel: string,
  output: Output,
  members: Members,
  isScattered = false,
): HTMLElement {
  const style = (joined: string, number: number) =>
    isScattered ? `points line-${number}` : `line-${number} ${joined}`.trim();
  const predicted = unpack(output.predicted);
  const series: Series[] = [
    ...(isScattered ? [] : bands(x, predicted, output, members)),
    { name: "observed", x, y: unpack(output.observed), style: "points line-4" },
    { name: "predicted", x, y: predicted, style: style("", 1) },
  ];
  if (output.theory) series.push({ name: "theory", x, y: unpack(output.theory), style: style("dashed", 2) });
  if (output.network)
    series.push({ name: "network", x, y: unpack(output.network), style: style("dotted", 3) });
  return figure(
    output.name,
    new LineChart({
      label: `${output.name}: observed and predicted over ${xLabel}`,
      xLabel,
      yLabel: output.name,
      series,
      tabulated: series.filter(({ low }) => !low),
    }),
  );
}

/** Of a trajectory: measured at the snapshots, predicted between them too. */
function trajectory(window: PredictedWindow, output: Output, members: Members): HTMLElement {
  const x = unpack(window.time);
  const curve = window.curve?.outputs.find(({ name }) => name === output.name);
  const observed = { name: "observed", x, y: unpack(output.observed), style: "points line-4" };
  const predicted = { name: "predicted", x, y: unpack(output.predicted), style: "line-1" };
  const drawn = curve
    ? { ...predicted, x: unpack(window.curve!.time), y: unpack(curve.predicted) }
    : predicted;
  return figure(
    output.name,
    new LineChart({
      label: `${output.name}: observed and predicted over time`,
      xLabel: "time",
      yLabel: output.name,
      series: [...bands(drawn.x, drawn.y, curve ?? output, members), observed, drawn],
      tabulated: [observed, predicted],
    }),
  );
}

function residualsOverTime(time: Numbers, { name, observed, predicted }: Output): HTMLElement {
  const values = unpack(predicted);
  const residuals = Float64Array.from(unpack(observed), (value, k) => value - values[k]!);
  return figure(
    `Residuals of ${name}`,
    new LineChart({
      label: `${name}: observed less predicted, over time`,
      xLabel: "time",
      yLabel: `residual of ${name}`,
      series: [
        { name: "residual", x: time, y: residuals, style: "points line-4" },
        { name: "zero", x: time, y: new Float64Array(residuals.length), style: "line-2 dashed" },
      ],
    }),
  );
}

function parts(window: PredictedWindow): HTMLElement[] {
  const { time, parts = [] } = window.curve ?? window;
  const x = unpack(time);
  return parts.map(({ name, theory, network }) =>
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

function seriesView(windows: PredictedWindow[], members: Members): HTMLElement {
  const place = h("div", { class: "pair" });
  const show = (k: number) => {
    const window = windows[k]!;
    const time = unpack(window.time);
    place.replaceChildren(
      ...window.outputs.map((output) => trajectory(window, output, members)),
      ...parts(window),
      ...window.outputs.map((output) => residualsOverTime(time, output)),
    );
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
function pointsView(predictions: Predictions, isScattered: boolean): HTMLElement {
  const { input, outputs } = predictions;
  const x = unpack(input!.values);
  const order = Array.from(x.keys()).sort((a, b) => x[a]! - x[b]!);
  const sorted = (packed: Output["observed"] | undefined) =>
    packed
      ? order.map((i) => unpack(packed)[i]!).map((value) => (Number.isNaN(value) ? null : value))
      : undefined;
  const sortedBand = (band: PredictionBands["draws"]) =>
    band && { low: sorted(band.low)!, high: sorted(band.high)! };
  const ordered = outputs!.map((output) => ({
    name: output.name,
    observed: sorted(output.observed)!,
    predicted: sorted(output.predicted)!,
    theory: sorted(output.theory),
    network: sorted(output.network),
    networks: sortedBand(output.networks),
    draws: sortedBand(output.draws),
  }));
  const xs = Float64Array.from(order, (i) => x[i]!);
  return h(
    "div",
    { class: "pair" },
    ...ordered.map((output) => against(xs, input!.name, output, predictions, isScattered)),
  );
}

// Over one of several inputs, neighbouring points do not belong together.
function hasSeveralInputs({ model }: Report): boolean {
  const parameters = model.parameters.map(({ name }) => name);
  const inputs = model.networks
    .flatMap((network) => network.inputs)
    .filter((name) => !parameters.includes(name) && !name.includes("theory"));
  return new Set(inputs).size > 1;
}

function view(predictions: Predictions, report: Report): HTMLElement | null {
  if (predictions.kind === "points")
    return predictions.input && predictions.outputs
      ? pointsView(predictions, hasSeveralInputs(report))
      : null;
  if (!predictions.windows || predictions.windows.length === 0) return null;
  return predictions.kind === "fields"
    ? fieldsView(predictions)
    : seriesView(predictions.windows, predictions);
}

function residualsView(residuals: Residuals[] | undefined): HTMLElement | null {
  if (!residuals || residuals.length === 0) return null;
  const head = ["Output", "Mean", "SD", "Step to step", "p", "Normality p", "With time", "With prediction"];
  const rows = residuals.map((one) => [
    one.name,
    number(one.mean),
    number(one.sd),
    number(one.autocorrelation),
    number(one.independence_p),
    number(one.normality_p),
    number(one.with_time),
    number(one.with_prediction),
  ]);
  const unit = residuals[0]!.standardised ? " in units of their noise" : "";
  return h(
    "div",
    {},
    h("h3", {}, `Residuals${unit}, and how they are correlated`),
    table("Residuals", head, rows),
    ...residuals.flatMap(({ findings }) => findings.map((text) => h("p", {}, sentence(text)))),
  );
}

export function predictionsSection(report: Report): Section | null {
  const { predictions } = report;
  if (!predictions) return null;
  const why = predictions.why ? ` (${predictions.why})` : "";
  return section(
    "predictions",
    "Predictions",
    `On the ${predictions.split} data, at ${theta(predictions.theta, parameterNames(report))}${why}.`,
    view(predictions, report),
    residualsView(predictions.residuals),
  );
}
