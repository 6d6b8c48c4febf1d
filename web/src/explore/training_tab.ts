// Training curves: while a training runs, they grow.
import { LineChart } from "../charts/line_chart";
import { h } from "../dom";
import { curveOptions, curveTitles } from "../sections/training";
import type { Training } from "../report";
import { roomy } from "./room";
import type { Progress } from "./training_watch";

export class TrainingTab {
  readonly element = h("div", { class: "training-tab" });
  private charts = new Map<string, LineChart>();
  private shown = "";

  constructor(training: Training | null) {
    this.show({ epoch: 0, epochs: 0, seed: 0, curves: training?.curves }, []);
  }

  get isOpen(): boolean {
    return this.element.checkVisibility();
  }

  /** Those of other seeds, where they are being trained too, stand behind in faint. */
  show(own: Progress, others: Progress[]): void {
    const key = JSON.stringify([own, ...others].map(({ seed, epoch }) => [seed, epoch]));
    if (key === this.shown) return;
    this.shown = key;
    const charts = new Map<string, LineChart>();
    for (const title of curveTitles) {
      const options = curveOptions(title, own.curves ?? {});
      const faint = others.flatMap(({ seed, curves }) =>
        (curveOptions(title, curves ?? {})?.series ?? [])
          .slice(0, 1)
          .map((series) => ({ ...series, name: `seed ${seed}`, style: "line-4 faint" })),
      );
      if (!options && faint.length === 0) continue;
      const shown = { ...(options ?? curveOptions(title, others[0]!.curves!)!) };
      shown.height = roomy(150, 220, 1.5);
      shown.series = [...faint, ...(options?.series ?? [])];
      const chart = this.charts.get(title) ?? new LineChart(shown);
      chart.update(shown);
      charts.set(title, chart);
    }
    const isNew = charts.size !== this.charts.size || charts.size === 0;
    this.charts = charts;
    if (isNew) this.place();
  }

  private place(): void {
    if (this.charts.size === 0) {
      this.element.replaceChildren(h("p", { class: "note" }, "The run has no curves yet."));
      return;
    }
    const figures = Array.from(this.charts, ([title, chart]) =>
      h("figure", {}, h("figcaption", {}, title), chart.element),
    );
    this.element.replaceChildren(h("div", { class: "charts-row" }, ...figures));
  }
}
