// The right: windows of the data with what is predicted for them, and the parts that the prediction is made of.
import { type Numbers, unpack } from "../arrays";
import { legend, type LegendEntry } from "../charts/figure";
import { LineChart, type Series } from "../charts/line_chart";
import { select } from "../controls";
import { h } from "../dom";
import { number } from "../format";
import {
  type Evaluation,
  type Live,
  type LiveOutput,
  type LiveWindow,
  type PinName,
  pinNames,
  type Shown,
} from "./live";
import { fieldFrames } from "./field_frames";
import { roomy } from "./room";
import { shareBars, squares, steadyDomain, sum } from "./parts";
import type { LiveState, WindowOrder } from "./state";

const orders: [WindowOrder, string][] = [
  ["spread", "spread out"],
  ["worst", "worst first"],
  ["best", "best first"],
];

const chartHeight = 118;

export class WindowPanel {
  readonly element: HTMLElement;
  private readonly live: Live;
  private readonly controls = h("div", { class: "inline-fields" });
  private readonly key = h("div");
  private readonly charts = h("div", { class: "windows" });
  private readonly partsTitle = h("h2", { class: "panel-title" }, "f_T and f_D");
  private readonly partControls = h("div", { class: "inline-fields" });
  private readonly parts = h("div", { class: "parts" });
  private readonly shares = h("div", { class: "shares" });
  private drawn: LineChart[] = [];
  private partChart: LineChart | null = null;
  private output: string;
  private component: string;
  private focus = 0;
  private last: Evaluation | null = null;
  private pinned: Partial<Record<PinName, Shown>> = {};
  /** Of fields. */
  step = 1_000_000;

  constructor(
    live: Live,
    private readonly onOrder: (order: WindowOrder) => void,
    private readonly onStep: () => void,
  ) {
    this.live = live;
    this.output = live.outputs[0] ?? "";
    this.component = (live.kind === "points" ? live.outputs : live.states)[0] ?? "";
    this.element = h(
      "section",
      { class: "panel window-panel", "aria-label": "Predictions" },
      h("div", { class: "panel-head" }, h("h2", { class: "panel-title" }, "Predictions"), this.controls),
      this.key,
      this.charts,
      h("div", { class: "panel-head" }, this.partsTitle, this.partControls),
      this.parts,
      this.shares,
    );
  }

  showControls(state: LiveState): void {
    const names = (all: string[]) => all.map((name) => ({ value: name, name }));
    const again = () => this.last && this.show(this.last, this.pinned);
    this.controls.replaceChildren(
      ...(this.live.outputs.length > 1 && this.live.kind !== "fields"
        ? [select("Output", names(this.live.outputs), this.output, (name) => ((this.output = name), again()))]
        : []),
      ...(this.live.kind === "series"
        ? [
            select(
              "Windows",
              orders.map(([value, name]) => ({ value, name })),
              state.order,
              (order) => this.onOrder(order as WindowOrder),
            ),
          ]
        : []),
    );
    const components = this.live.kind === "points" ? this.live.outputs : this.live.states;
    this.partControls.replaceChildren(
      ...(components.length > 1 && this.live.kind !== "fields"
        ? [select("Of", names(components), this.component, (name) => ((this.component = name), again()))]
        : []),
    );
    const lines: LegendEntry[] = [
      { name: "measured", style: "points line-4" },
      { name: "predicted", style: "line-1" },
    ];
    if (this.live.seeds.length > 1) lines.push({ name: "other networks", style: "line-1 faint" });
    for (const name of pinNames)
      if (state.pins[name]) lines.push({ name: `pin ${name}`, style: `pin-${name} dashed` });
    this.key.replaceChildren(...(this.live.kind === "fields" ? [] : [legend(lines)]));
  }

  show(evaluation: Evaluation, pinned: Partial<Record<PinName, Shown>>): void {
    const { shown } = evaluation;
    if (!shown) return;
    this.last = evaluation;
    this.pinned = pinned;
    if (this.live.kind === "points") this.showPoints(shown);
    else if (this.live.kind === "fields") this.showFields(shown);
    else this.showSeries(shown);
  }

  private pinnedWindow(name: PinName, index: number): LiveWindow | undefined {
    return this.pinned[name]?.windows?.find((window) => window.index === index);
  }

  private lines(x: Numbers, output: LiveOutput, pins: [PinName, LiveOutput | undefined][]): Series[] {
    const faint = output.others.map((values, k) => ({
      name: `network ${k}`,
      x,
      y: unpack(values),
      style: "line-1 faint",
    }));
    const dashed = pins.flatMap(([name, one]) =>
      one ? [{ name: `pin ${name}`, x, y: unpack(one.predicted), style: `pin-${name} dashed` }] : [],
    );
    return [
      ...faint,
      ...dashed,
      { name: "measured", x, y: unpack(output.observed), style: "points line-4" },
      { name: "predicted", x, y: unpack(output.predicted), style: "line-1" },
    ];
  }

  private put(k: number, options: ConstructorParameters<typeof LineChart>[0], title: string): void {
    const known = this.drawn[k];
    if (known) {
      known.update(options);
      this.charts.children[k]!.firstElementChild!.textContent = title;
      return;
    }
    const chart = new LineChart(options);
    this.drawn[k] = chart;
    const choose = () => {
      this.focus = k;
      if (this.last?.shown) this.showSeriesParts(this.last.shown);
    };
    this.charts.append(
      h(
        "figure",
        { class: "window" },
        h("button", { type: "button", class: "window-title", click: choose }, title),
        chart.element,
      ),
    );
  }

  private showSeries(shown: Shown): void {
    const windows = shown.windows!;
    const outputOf = (window: LiveWindow) =>
      window.outputs.find(({ name }) => name === this.output) ?? window.outputs[0]!;
    // One scale for all, so that large and small look it.
    const yDomain = steadyDomain(
      windows.map((window) => unpack(outputOf(window).observed)),
      windows.map((window) => unpack(outputOf(window).predicted)),
    );
    windows.forEach((window, k) => {
      const output = outputOf(window);
      const same = (other: LiveWindow | undefined) => other?.outputs.find(({ name }) => name === output.name);
      const series = this.lines(
        unpack(window.time),
        output,
        pinNames.map((name) => [name, same(this.pinnedWindow(name, window.index))]),
      );
      const title = `${window.series ? `${window.series}, ` : ""}from ${number(window.start)}`;
      this.put(
        k,
        {
          label: `${output.name} of series ${window.series} from ${window.start}, measured and predicted`,
          xLabel: "",
          yLabel: "",
          series,
          height: roomy(chartHeight),
          yDomain,
          hasLegend: false,
          hasTable: false,
        },
        title,
      );
    });
    while (this.drawn.length > windows.length) {
      this.drawn.pop();
      this.charts.lastElementChild!.remove();
    }
    this.showSeriesParts(shown);
  }

  private showSeriesParts(shown: Shown): void {
    const window = shown.windows![Math.min(this.focus, shown.windows!.length - 1)];
    const part = window?.parts.find(({ name }) => name === this.component) ?? window?.parts[0];
    if (!window || !part) return;
    const x = unpack(window.time);
    const theory = unpack(part.theory);
    const network = unpack(part.network);
    this.partsTitle.textContent = `d ${part.name} / dt: f_T and f_D, ${window.series} from ${number(window.start)}`;
    this.drawParts({
      label: `Theory and network part of ${part.name}`,
      xLabel: "time",
      yLabel: part.name,
      series: [
        { name: "sum", x, y: sum(theory, network), style: "line-4" },
        { name: "f_T", x, y: theory, style: "line-3" },
        { name: "f_D", x, y: network, style: "line-2" },
        { name: `state ${part.name}`, x, y: unpack(part.state), style: "line-5 dotted" },
      ],
      height: roomy(170),
      hasTable: false,
    });
    this.showShares(
      window.parts.map(({ name }) => {
        const all = shown.windows!.map((one) => one.parts.find((other) => other.name === name)!);
        const of = (key: "theory" | "network") =>
          all.reduce((total, one) => total + squares(unpack(one[key])), 0);
        return [name, of("theory"), of("network")];
      }),
    );
  }

  private drawParts(options: ConstructorParameters<typeof LineChart>[0]): void {
    if (this.partChart) this.partChart.update(options);
    else {
      this.partChart = new LineChart(options);
      this.parts.replaceChildren(this.partChart.element);
    }
  }

  private showShares(rows: [string, number, number][]): void {
    this.shares.replaceChildren(...shareBars(rows));
  }

  private showPoints(shown: Shown): void {
    const x = unpack(shown.input!.values);
    const output = shown.outputs!.find(({ name }) => name === this.output) ?? shown.outputs![0]!;
    const same = (other: Shown | undefined) => other?.outputs?.find(({ name }) => name === output.name);
    const series = this.lines(
      x,
      output,
      pinNames.map((name) => [name, same(this.pinned[name])]),
    );
    this.charts.classList.add("single");
    this.put(
      0,
      {
        label: `${output.name} over ${shown.input!.name}, measured and predicted`,
        xLabel: shown.input!.name,
        yLabel: output.name,
        series,
        height: roomy(250),
        yDomain: steadyDomain([unpack(output.observed)], [unpack(output.predicted)]),
        hasLegend: false,
        hasTable: false,
      },
      `${output.name} over ${shown.input!.name}`,
    );
    const theory = unpack(output.theory);
    const network = unpack(output.network);
    this.partsTitle.textContent = `${output.name}: f_T and f_D`;
    this.drawParts({
      label: `Theory and network part of ${output.name}`,
      xLabel: shown.input!.name,
      yLabel: output.name,
      series: [
        { name: "sum", x, y: sum(theory, network), style: "line-4" },
        { name: "f_T", x, y: theory, style: "line-3" },
        { name: "f_D", x, y: network, style: "line-2" },
      ],
      height: roomy(210),
      hasTable: false,
    });
    this.showShares(
      shown.outputs!.map(({ name, theory: t, network: n }) => [name, squares(unpack(t)), squares(unpack(n))]),
    );
  }

  private showFields(shown: Shown): void {
    this.charts.classList.add("single");
    this.charts.replaceChildren(...fieldFrames(shown.windows!, this.live.shape!));
    this.showStep(shown.windows![0]!);
    this.partsTitle.textContent = "Share of f_D";
    this.showShares(
      shown.windows![0]!.parts.map(({ name, theory, network }) => [
        name,
        squares(unpack(theory)),
        squares(unpack(network)),
      ]),
    );
  }

  private showStep({ n_steps }: LiveWindow): void {
    if (this.controls.querySelector("input")) return;
    this.step = Math.min(this.step, n_steps - 1);
    const input = h("input", {
      type: "range",
      min: 0,
      max: n_steps - 1,
      step: 1,
      "aria-label": "Output time",
    });
    input.value = String(this.step);
    input.addEventListener("input", () => {
      this.step = Number(input.value);
      this.onStep();
    });
    this.controls.append(h("label", { class: "field" }, "Time", input));
  }
}
