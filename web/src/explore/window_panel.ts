// The right: windows of the data with what is predicted for them, and the parts that the prediction is made of.
import { type Numbers, unpack } from "../arrays";
import { legend, type LegendEntry } from "../charts/figure";
import { LineChart, type Series } from "../charts/line_chart";
import { select } from "../controls";
import { h, replaceInFocus, setText } from "../dom";
import { withUnit } from "../format";
import {
  type Evaluation,
  type Live,
  type LiveCurve,
  type LiveOutput,
  type LiveWindow,
  type PinName,
  pinNames,
  type Shown,
} from "./live";
import { fieldFrames } from "./field_frames";
import { roomy } from "./room";
import { PartPanel } from "./part_panel";
import { steadyDomain, SteadyDomain, timesOf, windowName } from "./parts";
import type { LiveState, WindowOrder } from "./state";

const orders: [WindowOrder, string][] = [
  ["spread", "spread out"],
  ["worst", "worst first"],
  ["best", "best first"],
];

interface Points {
  x: Numbers;
  y: Numbers;
}

/** What lines are drawn of. */
interface Drawn {
  x: Numbers;
  output: Pick<LiveOutput, "predicted" | "others">;
}

// The curve where there is one, else from snapshot to snapshot.
function drawnOf(window: LiveWindow, name: string): Drawn | undefined {
  const { time, outputs } = window.curve ?? window;
  const output = (outputs as (LiveOutput | LiveCurve["outputs"][number])[]).find((one) => one.name === name);
  return output && { x: unpack(time), output };
}

export class WindowPanel {
  readonly element: HTMLElement;
  private readonly live: Live;
  private readonly title = h("h2", { class: "panel-title" }, "Predictions");
  private readonly controls = h("div", { class: "inline-fields" });
  private readonly key = h("div");
  private readonly charts = h("div", { class: "windows" });
  private readonly parts: PartPanel;
  private readonly domain = new SteadyDomain();
  private drawn: LineChart[] = [];
  private output: string;
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
    this.parts = new PartPanel(live, () => this.last && this.show(this.last, this.pinned));
    this.element = h(
      "section",
      { class: "panel window-panel", "aria-label": "Predictions" },
      h("div", { class: "panel-head" }, this.title, this.controls),
      this.key,
      this.charts,
      ...this.parts.elements,
    );
  }

  showControls(state: LiveState): void {
    const { kind, outputs, time_unit } = this.live;
    const of = outputs.length === 1 ? ` of ${outputs[0]}` : "";
    this.title.textContent =
      kind === "series" ? `Predictions${of} over ${withUnit("time", time_unit)}` : "Predictions";
    const names = (all: string[]) => all.map((name) => ({ value: name, name }));
    const again = () => this.last && this.show(this.last, this.pinned);
    replaceInFocus(
      this.controls,
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
    this.parts.showControls();
    const lines: LegendEntry[] = [
      { name: "measured", style: "points line-4" },
      { name: "predicted", style: "line-1" },
    ];
    if (this.live.seeds.length > 1) lines.push({ name: "other networks", style: "line-1 faint" });
    for (const name of pinNames)
      if (state.pins[name]) lines.push({ name: `pin ${name}`, style: `pin-${name} dashed` });
    this.key.replaceChildren(...(this.live.kind === "fields" ? [] : [legend(lines)]));
  }

  show(evaluation: Evaluation, pinned: Partial<Record<PinName, Shown>>, isMoving = false): void {
    const { shown } = evaluation;
    if (!shown) return;
    this.last = evaluation;
    this.pinned = pinned;
    if (this.live.kind === "points") this.showPoints(shown, isMoving);
    else if (this.live.kind === "fields") this.showFields(shown);
    else this.showSeries(shown, isMoving);
  }

  private pinnedWindow(name: PinName, index: number): LiveWindow | undefined {
    return this.pinned[name]?.windows?.find((window) => window.index === index);
  }

  private lines(measured: Points, drawn: Drawn, pins: [PinName, Drawn | undefined][]): Series[] {
    const { x, output } = drawn;
    const faint = output.others.map((values, k) => ({
      name: `network ${k}`,
      x,
      y: unpack(values),
      style: "line-1 faint",
    }));
    const dashed = pins.flatMap(([name, one]) =>
      one
        ? [{ name: `pin ${name}`, x: one.x, y: unpack(one.output.predicted), style: `pin-${name} dashed` }]
        : [],
    );
    return [
      ...faint,
      ...dashed,
      { name: "measured", ...measured, style: "points line-4" },
      { name: "predicted", x, y: unpack(output.predicted), style: "line-1" },
    ];
  }

  private put(k: number, options: ConstructorParameters<typeof LineChart>[0], title: string): void {
    const known = this.drawn[k];
    if (known) {
      known.update(options);
      setText(this.charts.children[k]!.firstElementChild!, title);
      return;
    }
    const chart = new LineChart(options);
    this.drawn[k] = chart;
    const choose = () => {
      this.focus = k;
      if (this.last?.shown) this.parts.showSeries(this.last.shown.windows!, k);
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

  private showSeries(shown: Shown, isMoving: boolean): void {
    const windows = shown.windows!;
    const outputOf = (window: LiveWindow) =>
      window.outputs.find(({ name }) => name === this.output) ?? window.outputs[0]!;
    // One scale for all, so that large and small look it.
    const wanted = steadyDomain(
      windows.map((window) => unpack(outputOf(window).observed)),
      windows.map((window) => unpack(drawnOf(window, outputOf(window).name)!.output.predicted)),
    );
    const yDomain = this.domain.fit(wanted, isMoving);
    windows.forEach((window, k) => {
      const output = outputOf(window);
      const time = unpack(window.time);
      const series = this.lines(
        { x: time, y: unpack(output.observed) },
        drawnOf(window, output.name)!,
        pinNames.map((name) => {
          const pinned = this.pinnedWindow(name, window.index);
          return [name, pinned && drawnOf(pinned, output.name)];
        }),
      );
      this.put(
        k,
        {
          label: `${output.name} of ${windowName(window)}, measured and predicted`,
          xLabel: "",
          yLabel: "",
          series,
          height: roomy(94, 124),
          xDomain: timesOf(window),
          yDomain,
          hasLegend: false,
          hasTable: false,
        },
        windowName(window),
      );
    });
    while (this.drawn.length > windows.length) {
      this.drawn.pop();
      this.charts.lastElementChild!.remove();
    }
    this.parts.showSeries(windows, this.focus, isMoving);
  }

  private showPoints(shown: Shown, isMoving: boolean): void {
    const x = unpack(shown.input!.values);
    const output = shown.outputs!.find(({ name }) => name === this.output) ?? shown.outputs![0]!;
    const same = (other: Shown | undefined) => other?.outputs?.find(({ name }) => name === output.name);
    const series = this.lines(
      { x, y: unpack(output.observed) },
      { x, output },
      pinNames.map((name) => {
        const pinned = same(this.pinned[name]);
        return [name, pinned && { x, output: pinned }];
      }),
    );
    this.charts.classList.add("single");
    this.put(
      0,
      {
        label: `${output.name} over ${shown.input!.name}, measured and predicted`,
        xLabel: shown.input!.name,
        yLabel: output.name,
        series,
        height: roomy(190, 250),
        yDomain: this.domain.fit(
          steadyDomain([unpack(output.observed)], [unpack(output.predicted)]),
          isMoving,
        ),
        hasLegend: false,
        hasTable: false,
      },
      `${output.name} over ${shown.input!.name}`,
    );
    this.parts.showPoints(shown, isMoving);
  }

  private showFields(shown: Shown): void {
    this.charts.classList.add("single");
    this.charts.replaceChildren(...fieldFrames(shown.windows!, this.live.shape!));
    this.showStep(shown.windows![0]!);
    this.parts.showFields(shown.windows!);
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
