// The tabs at the bottom: profiles, what the network learned, descents.
import { unpack } from "../arrays";
import { LineChart, type Series } from "../charts/line_chart";
import { h, setText } from "../dom";
import { counted, number, withUnit } from "../format";
import type { Candidates } from "../landscape/candidates";
import type { LandscapeGrid } from "../landscape/grid";
import { profile } from "../landscape/profiles";
import type { Report } from "../report";
import type { LiveExplanation } from "./live";
import { roomy } from "./room";
import type { LiveState } from "./state";

const twoLines =
  "Solid: the lowest R in the map, of this network as it is. Dashed: what the verdicts rest on, which is the correction " +
  "that the data ask for wherever it can be had; its lowest point may be another.";

/** R minimised over the other parameters: in the map shown, and as the verdicts have it. */
export class ProfileTab {
  private readonly figures = h("div", { class: "charts-row profiles" });
  private readonly note = h("p", { class: "note" });
  readonly element = h("div", {}, this.figures, this.note);
  private charts: LineChart[] = [];

  constructor(
    private readonly report: Report,
    private readonly candidates: Candidates,
  ) {}

  show(state: LiveState, grid: LandscapeGrid | null): void {
    const options = this.report.live!.parameters.flatMap((parameter, k) => {
      const series = this.lines(parameter.name, state, grid);
      if (series.length === 0) return [];
      const unit = this.report.model.parameters[k]?.unit;
      return [
        {
          label: `R along ${parameter.name}`,
          xLabel: withUnit(parameter.name, unit),
          yLabel: state.text,
          series,
          rules: [{ x: state.theta[k]!, name: "θ" }],
          isLogX: parameter.scale === "log",
          height: roomy(150, 190, 1.5),
          hasTable: false,
          hasLegend: false,
        },
      ];
    });
    const hasBoth = options.some(({ series }) => series.length > 1);
    setText(this.note, options.length === 0 ? "They come with the landscape." : hasBoth ? twoLines : "");
    if (options.length === this.charts.length && options.length > 0) {
      this.charts.forEach((chart, k) => chart.update(options[k]!));
      return;
    }
    this.charts = options.map((one) => new LineChart(one));
    this.figures.replaceChildren(
      ...this.charts.map((chart, k) =>
        h("figure", {}, h("figcaption", {}, options[k]!.label), chart.element),
      ),
    );
  }

  private lines(name: string, state: LiveState, grid: LandscapeGrid | null): Series[] {
    const lines: Series[] = [];
    const verdict = this.report.verdicts?.find(
      (one) => one.parameter === name && one.regularizer === state.text.trim(),
    );
    if (verdict?.profile && unpack(verdict.profile.theta).length > 1) {
      const { theta, R } = verdict.profile;
      lines.push({ name: "verdict", x: unpack(theta), y: unpack(R), style: "line-4 dashed" });
    }
    const axis = grid?.axes.findIndex((one) => one.name === name) ?? -1;
    if (!grid || axis < 0 || !this.candidates.canEvaluate(state.text, grid)) return lines;
    const values = this.candidates.evaluate(state.text, grid, state.network, grid.everywhere());
    const x = Float64Array.from(grid.axes[axis]!.values);
    return [...lines, { name: "map", x, y: profile(values, grid, axis), style: "line-1" }];
  }
}

/** What f_D depends on, at this θ. */
export class LearnedTab {
  readonly element: HTMLElement;
  private readonly charts = h("div", { class: "charts-row" });
  private readonly note = h("p", { class: "note", role: "status" });

  constructor(ask: () => Promise<LiveExplanation>) {
    const button = h("button", { type: "button" }, "Compute at this θ");
    button.addEventListener("click", async () => {
      button.disabled = true;
      this.note.textContent = "Computing…";
      try {
        this.show(await ask());
      } catch (error) {
        this.note.textContent = error instanceof Error ? error.message : String(error);
      }
      button.disabled = false;
    });
    this.element = h("div", {}, h("div", { class: "panel-head" }, button, this.note), this.charts);
  }

  private show({ dependences, candidates, points }: LiveExplanation): void {
    const formulas = candidates.map(
      ({ component, formula, r2 }) => `f_D of ${component} ≈ ${formula} (R² ${number(r2)})`,
    );
    if (!points) {
      this.note.textContent = "There is nothing to see: at this θ no prediction has finite values.";
      this.charts.replaceChildren();
      return;
    }
    this.note.textContent = `Partial dependence over ${counted(points, "point")}. ${formulas.join("; ")}`;
    const numbers = (values: (number | null)[]) => unpack(values);
    this.charts.replaceChildren(
      ...dependences.map(({ component, variable, x, mean, low, high, strength }) =>
        h(
          "figure",
          {},
          h("figcaption", {}, `f_D of ${component} against ${variable}, strength ${number(strength)}`),
          new LineChart({
            label: `f_D of ${component} against ${variable}`,
            xLabel: variable,
            yLabel: `f_D, ${component}`,
            series: [
              {
                name: "mean",
                x: numbers(x),
                y: numbers(mean),
                low: numbers(low),
                high: numbers(high),
                style: "line-2",
              },
            ],
            height: roomy(150, 190, 1.5),
            hasTable: false,
          }).element,
        ),
      ),
    );
  }
}

export interface DescentResult {
  R: number;
  L: number;
  theta: number[];
  text: string;
}

/** Ends of descents, lowest first: a plateau says that many starts found the same minimum. */
export class DescentTab {
  readonly element: HTMLElement;
  private readonly chart = h("div");
  private readonly list = h("ol", { class: "descents" });
  private results: DescentResult[] = [];

  constructor(
    private readonly report: Report,
    private readonly go: (theta: number[]) => void,
    ...buttons: HTMLElement[]
  ) {
    const clear = h("button", { type: "button", click: () => this.clear() }, "Clear");
    this.element = h(
      "div",
      {},
      h("div", { class: "panel-head" }, ...buttons, clear),
      h("div", { class: "descent-results" }, this.chart, this.list),
    );
    this.clear();
  }

  add(result: DescentResult): void {
    this.results = [...this.results, result].sort((a, b) => a.R - b.R);
    this.draw();
  }

  private clear(): void {
    this.results = [];
    this.chart.replaceChildren(
      h("p", { class: "note" }, "Ends of descents are collected here, lowest first."),
    );
    this.list.replaceChildren();
  }

  private draw(): void {
    const x = Float64Array.from(this.results.keys(), (k) => k + 1);
    const y = Float64Array.from(this.results, ({ R }) => R);
    this.chart.replaceChildren(
      new LineChart({
        label: "R at the ends of descents, lowest first",
        xLabel: "descents, lowest first",
        // One alone, and two, stand at whole numbers too.
        xDomain: [0.5, Math.max(2, this.results.length) + 0.5],
        yLabel: "R",
        series: [{ name: "R", x, y, style: "points line-1" }],
        isWholeX: true,
        height: roomy(150, 190, 1.5),
        hasTable: false,
      }).element,
    );
    const names = this.report.live!.parameters.map(({ name }) => name);
    this.list.replaceChildren(
      ...this.results.map(({ theta, R, text }) => {
        const where = names.map((name, k) => `${name} = ${number(theta[k])}`).join(", ");
        return h(
          "li",
          {},
          h("button", { type: "button", click: () => this.go(theta) }, `${text} = ${number(R)} at ${where}`),
        );
      }),
    );
  }
}
