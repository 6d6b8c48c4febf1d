// What a prediction is made of: f_T, f_D and their sum, of one state or output, and the share of f_D in each.
import { unpack } from "../arrays";
import { commonDomain, LineChart, type LineChartOptions } from "../charts/line_chart";
import { select } from "../controls";
import { h, replaceInFocus, setText } from "../dom";
import { withUnit } from "../format";
import type { Live, LiveWindow, Shown } from "./live";
import { ShareBars, squares, SteadyDomain, sum, timesOf, windowName } from "./parts";
import { roomy } from "./room";

/** A chart whose upward axis stays while θ moves. */
class SteadyChart {
  readonly element = h("div");
  private readonly domain = new SteadyDomain();
  private chart: LineChart | null = null;

  draw(isMoving: boolean, wanted: LineChartOptions): void {
    const yDomain = this.domain.fit(commonDomain(wanted.series, false), isMoving);
    const options = { ...wanted, yDomain };
    if (this.chart) return this.chart.update(options);
    this.chart = new LineChart(options);
    this.element.replaceChildren(this.chart.element);
  }
}

export class PartPanel {
  readonly elements: HTMLElement[];
  private readonly title = h("h2", { class: "panel-title" }, "f_T and f_D");
  private readonly controls = h("div", { class: "inline-fields" });
  private readonly change = new SteadyChart();
  private readonly state = new SteadyChart();
  private readonly plot = h("div", { class: "parts" }, this.change.element, this.state.element);
  private readonly shares = new ShareBars();
  private readonly names: string[];
  private component: string;

  constructor(
    private readonly live: Live,
    private readonly onChoice: () => void,
  ) {
    this.names = live.kind === "points" ? live.outputs : live.states;
    this.component = this.names[0] ?? "";
    this.elements = [
      h("div", { class: "panel-head" }, this.title, this.controls),
      this.plot,
      this.shares.element,
    ];
  }

  showControls(): void {
    if (this.names.length < 2 || this.live.kind === "fields") return;
    const choices = this.names.map((name) => ({ value: name, name }));
    const choose = (name: string) => {
      this.component = name;
      this.onChoice();
    };
    replaceInFocus(this.controls, select("Of", choices, this.component, choose));
  }

  /** Of one of the windows shown; the shares are those of all of them. */
  showSeries(windows: LiveWindow[], focus: number, isMoving = false): void {
    const window = windows[Math.min(focus, windows.length - 1)];
    if (!window || window.parts.length === 0) return;
    const { time, parts } = window.curve ?? window;
    const part = parts.find(({ name }) => name === this.component) ?? parts[0]!;
    const x = unpack(time);
    const xDomain = timesOf(window);
    const [theory, network] = [unpack(part.theory), unpack(part.network)];
    setText(this.title, `d ${part.name} / dt: f_T and f_D, ${windowName(window)}`);
    this.change.draw(isMoving, {
      label: `Theory and network part of ${part.name}`,
      xLabel: withUnit("time", this.live.time_unit),
      yLabel: `d ${part.name} / dt`,
      series: [
        { name: "sum", x, y: sum(theory, network), style: "line-4" },
        { name: "f_T", x, y: theory, style: "line-3" },
        { name: "f_D", x, y: network, style: "line-2" },
      ],
      height: roomy(125, 170),
      xDomain,
      hasTable: false,
    });
    // On an axis of its own: a state and its rate of change are different quantities.
    this.state.draw(isMoving, {
      label: `State ${part.name}`,
      xLabel: withUnit("time", this.live.time_unit),
      yLabel: part.name,
      series: [{ name: `state ${part.name}`, x, y: unpack(part.state), style: "line-5" }],
      height: roomy(125, 170),
      xDomain,
      hasLegend: true,
      hasTable: false,
    });
    const total = (name: string, key: "theory" | "network") =>
      windows.reduce((all, one) => all + squares(unpack(one.parts.find((p) => p.name === name)![key])), 0);
    this.shares.show(window.parts.map(({ name }) => [name, total(name, "theory"), total(name, "network")]));
  }

  /** Of an algebraic model. */
  showPoints({ input, outputs }: Shown, isMoving: boolean): void {
    const output = outputs!.find(({ name }) => name === this.component) ?? outputs![0]!;
    const x = unpack(input!.values);
    const [theory, network] = [unpack(output.theory), unpack(output.network)];
    setText(this.title, `${output.name}: f_T and f_D`);
    this.change.draw(isMoving, {
      label: `Theory and network part of ${output.name}`,
      xLabel: input!.name,
      yLabel: output.name,
      series: [
        { name: "sum", x, y: sum(theory, network), style: "line-4" },
        { name: "f_T", x, y: theory, style: "line-3" },
        { name: "f_D", x, y: network, style: "line-2" },
      ],
      height: roomy(165, 210),
      hasTable: false,
    });
    this.shares.show(
      outputs!.map((one) => [one.name, squares(unpack(one.theory)), squares(unpack(one.network))]),
    );
  }

  showFields([window]: LiveWindow[]): void {
    setText(this.title, "Share of f_D");
    this.shares.show(
      window!.parts.map(({ name, theory, network }) => [
        name,
        squares(unpack(theory)),
        squares(unpack(network)),
      ]),
    );
  }
}
