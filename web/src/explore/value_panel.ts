// The bottom: what is typed as R, and every candidate, L and the errors here and at the pins.
import { h, setText } from "../dom";
import { count, counted, number } from "../format";
import type { Candidates } from "../landscape/candidates";
import { LandscapeGrid } from "../landscape/grid";
import type { Report } from "../report";
import { type Evaluation, type PinName, pinNames } from "./live";
import type { LiveState } from "./state";

/** An evaluation as a landscape of one point, so that expressions are computed as on maps. */
export function pointGrid(
  report: Report,
  theta: number[],
  evaluation: Evaluation,
  terms: string[],
): LandscapeGrid {
  const range = (evaluation.rmse ?? Number.NaN) / (evaluation.nrmse ?? Number.NaN);
  return new LandscapeGrid({
    axes: report.live!.parameters.map(({ name }, k) => ({ name, values: [theta[k]!] })),
    split: "",
    windows: evaluation.windows,
    range,
    terms,
    networks: [
      { seed: 0, terms: terms.map((term) => [evaluation.regularizers[term] ?? null]), loss: [evaluation.L] },
    ],
  });
}

interface Row {
  name: string;
  code?: string;
  value: number | null;
  style?: string;
}

export class ValuePanel {
  readonly element = h("div", { class: "values", tabindex: 0, role: "group", "aria-label": "Values at θ" });
  private readonly body = h("tbody");
  private readonly head = h("tr");
  private readonly note = h("p", { class: "note", "aria-live": "off" });
  private readonly warning = h("p", { class: "note bad" });
  /** What stands in the table beside its numbers. */
  private drawn = "";
  private atPins: Partial<Record<PinName, Row[]>> = {};

  constructor(
    private readonly report: Report,
    private readonly candidates: Candidates,
  ) {
    this.element.append(
      h("table", { class: "numbers" }, h("thead", {}, this.head), this.body),
      this.note,
      this.warning,
    );
  }

  private rows(state: LiveState, theta: number[], evaluation: Evaluation, terms: string[]): Row[] {
    const names = this.candidates.regularizers.map(({ name }) => name);
    const rows: Row[] = this.candidates.regularizers.map(({ name, expression }) => ({
      name,
      code: expression,
      value: evaluation.regularizers[name] ?? null,
      style: name === state.text.trim() ? "chosen" : "",
    }));
    if (!names.includes(state.text.trim())) {
      const grid = pointGrid(this.report, theta, evaluation, terms);
      if (this.candidates.canEvaluate(state.text, grid))
        rows.push({
          name: state.text,
          value: this.candidates.evaluate(state.text, grid, 0, grid.point(0))[0]!,
          style: "chosen",
        });
    }
    rows.push({ name: "L", value: evaluation.L }, { name: "NRMSE", value: evaluation.nrmse });
    if (evaluation.nll !== undefined) rows.push({ name: "−log likelihood", value: evaluation.nll });
    if (evaluation.outputs.length > 1)
      for (const { name, nrmse } of evaluation.outputs) rows.push({ name: `NRMSE of ${name}`, value: nrmse });
    return rows;
  }

  /** What holds at a pin, over the same windows. */
  setPin(name: PinName, state: LiveState, evaluation: Evaluation | null, terms: string[]): void {
    if (evaluation && state.pins[name])
      this.atPins[name] = this.rows(state, state.pins[name], evaluation, terms);
    else delete this.atPins[name];
  }

  show(state: LiveState, evaluation: Evaluation, terms: string[]): void {
    const pins = pinNames.filter((name) => state.pins[name] && this.atPins[name]);
    const rows = this.rows(state, state.theta, evaluation, terms);
    const key = JSON.stringify([pins, rows.map(({ name, style }) => [name, style])]);
    if (key !== this.drawn) this.drawRows(rows, pins);
    this.drawn = key;
    rows.forEach((row, k) =>
      this.cellsOf(row, pins).forEach((cell, column) =>
        setText(this.body.children[k]!.children[column + 1]!, number(cell)),
      ),
    );
    const isAll = evaluation.windows === evaluation.n_all;
    const of = `${counted(evaluation.n_all, `${state.split} window`)}.`;
    setText(
      this.note,
      isAll
        ? evaluation.n_all === 1
          ? `Of ${of}`
          : `All ${of}`
        : `While θ moves: ${count(evaluation.windows)} of ${of}`,
    );
    setText(
      this.warning,
      evaluation.fits ? (evaluation.warnings.at(-1) ?? "") : "Here θ does not fit the data: R means little.",
    );
  }

  private drawRows(rows: Row[], pins: PinName[]): void {
    const difference = pins[0] ? [`here − ${pins[0]}`] : [];
    const titles = ["at θ", "here", ...pins.map((name) => `pin ${name}`), ...difference];
    this.head.replaceChildren(...titles.map((text) => h("th", { scope: "col" }, text)));
    this.body.replaceChildren(
      ...rows.map(({ name, code, style }) =>
        h(
          "tr",
          { class: style ?? "" },
          h("th", { scope: "row", title: code ?? "" }, name),
          ...titles.slice(1).map(() => h("td")),
        ),
      ),
    );
  }

  // Here, at the pins, and how far from the first of them.
  private cellsOf({ name, value }: Row, pins: PinName[]): (number | null)[] {
    const at = (pin: PinName) => this.atPins[pin]?.find((row) => row.name === name)?.value ?? null;
    const cells = [value, ...pins.map(at)];
    if (pins[0]) cells.push(value === null || at(pins[0]) === null ? null : value - at(pins[0])!);
    return cells;
  }
}
