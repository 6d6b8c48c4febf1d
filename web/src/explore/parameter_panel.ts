// The left panel: for every parameter a slider and a number field over its prior, with what is known about it.
import { area } from "d3-shape";
import { checkbox } from "../controls";
import { h, s, setText, uniqueId } from "../dom";
import { number, withUnit } from "../format";
import type { Parameter, Report } from "../report";
import type { LiveParameter } from "./live";
import { pinNames } from "./live";
import { settled, shareOf, valueAt } from "./scale";
import type { LiveState } from "./state";

const nSteps = 1000;
const width = 240;
const height = 54;
const floor = 38;

export interface Move {
  parameter: number;
  value: number;
  /** More is to come: the hand is still on it. */
  isMoving: boolean;
}

class ParameterControl {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly lock: HTMLButtonElement;
  private readonly marks = s("g");

  constructor(
    private readonly report: Report,
    private readonly parameter: LiveParameter,
    private readonly k: number,
    onMove: (move: Move) => void,
    onLock: (parameter: number) => void,
  ) {
    const { unit, about } = this.described();
    const id = uniqueId("parameter");
    const label = withUnit(parameter.name, unit);
    const move = (value: number, isMoving: boolean) =>
      onMove({ parameter: k, value: settled(parameter, value), isMoving });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: nSteps,
      step: 1,
      "aria-label": label,
      input: () => move(valueAt(parameter, Number(this.slider.value) / nSteps), true),
      change: () => move(valueAt(parameter, Number(this.slider.value) / nSteps), false),
    });
    this.field = h("input", {
      id,
      type: "number",
      step: "any",
      class: "theta-field",
      change: () => {
        const value = this.field.valueAsNumber;
        if (Number.isFinite(value) && (parameter.scale === "linear" || value > 0)) move(value, false);
      },
    });
    this.lock = h("button", { type: "button", class: "lock", click: () => onLock(k) });
    this.element = h(
      "div",
      { class: "parameter" },
      h("label", { for: id, title: about ?? "" }, label),
      this.field,
      this.lock,
      this.picture(),
      this.slider,
    );
  }

  private described(): Partial<Parameter> {
    return this.report.model.parameters.find(({ name }) => name === this.parameter.name) ?? {};
  }

  private picture(): SVGSVGElement {
    const { density } = this.parameter;
    const top = Math.max(...density.y) || 1;
    const curve = area<number>()
      .x((i) => this.x(density.x[i]!))
      .y0(floor)
      .y1((i) => floor - (density.y[i]! / top) * (floor - 6));
    return s(
      "svg",
      {
        class: "prior",
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      },
      s("path", { class: "density", d: curve(Array.from(density.x.keys())) }),
      s("line", { class: "base-line", x1: 0, x2: width, y1: floor, y2: floor }),
      this.marks,
    );
  }

  private x(value: number): number {
    return Math.min(1, Math.max(0, shareOf(this.parameter, value))) * width;
  }

  show(state: LiveState): void {
    const value = state.theta[this.k]!;
    this.slider.value = String(Math.round(shareOf(this.parameter, value) * nSteps));
    this.slider.setAttribute("aria-valuetext", number(value));
    if (document.activeElement !== this.field || Number(this.field.value) !== value)
      this.field.value = String(Number(value.toPrecision(6)));
    const isLocked = state.locked[this.k]!;
    this.slider.disabled = this.field.disabled = isLocked;
    this.lock.textContent = isLocked ? "locked" : "lock";
    this.lock.setAttribute("aria-pressed", String(isLocked));
    this.lock.setAttribute("aria-label", `${isLocked ? "Unlock" : "Lock"} ${this.parameter.name}`);
  }

  /** What does not follow the hand: verdict, estimates, pins. */
  mark(state: LiveState): void {
    const { name } = this.parameter;
    const verdict = this.report.verdicts?.find(
      ({ parameter, regularizer }) => parameter === name && regularizer === state.text.trim(),
    );
    const parts: SVGElement[] = [];
    const intervals = verdict?.intervals ?? (verdict?.interval ? [verdict.interval] : []);
    for (const [low, high] of intervals)
      if (typeof low === "number" && typeof high === "number") parts.push(this.bracket(low, high));
    for (const estimate of this.report.estimates ?? [])
      if (estimate.theta && estimate.regularizer === state.text.trim())
        parts.push(this.tick(estimate.theta[name]!, "estimate", `estimate ${number(estimate.theta[name])}`));
    for (const pin of pinNames) {
      const theta = state.pins[pin];
      if (theta) parts.push(this.tick(theta[this.k]!, `pin-${pin}`, `pin ${pin}`));
    }
    this.marks.replaceChildren(...parts);
  }

  private bracket(low: number, high: number): SVGElement {
    const [from, to] = [this.x(low), this.x(high)];
    return s(
      "path",
      { class: "bracket", d: `M${from} ${floor + 3}v7H${Math.max(to, from + 1)}v-7` },
      s("title", {}, `verdict: between ${number(low)} and ${number(high)}`),
    );
  }

  private tick(value: number, style: string, title: string): SVGElement {
    const x = this.x(value);
    return s("line", { class: `tick ${style}`, x1: x, x2: x, y1: 4, y2: floor + 12 }, s("title", {}, title));
  }
}

export class ParameterPanel {
  readonly element: HTMLElement;
  private readonly key = h("p", { class: "hint" });
  private readonly controls: ParameterControl[];

  constructor(
    report: Report,
    onMove: (move: Move) => void,
    onLock: (parameter: number) => void,
    onFollow: (follows: boolean) => void,
    ...more: HTMLElement[]
  ) {
    this.controls = report.live!.parameters.map(
      (parameter, k) => new ParameterControl(report, parameter, k, onMove, onLock),
    );
    this.element = h(
      "section",
      { class: "panel parameters", "aria-label": "Parameters" },
      ...this.controls.map(({ element }) => element),
      this.key,
      ...(this.controls.length > 1
        ? [checkbox("Unlocked others follow to the lowest R (or hold Shift)", false, onFollow)]
        : []),
      ...more,
    );
  }

  show(state: LiveState): void {
    for (const control of this.controls) control.show(state);
  }

  mark(state: LiveState): void {
    for (const control of this.controls) control.mark(state);
    const has = (sign: string) => this.element.querySelector(`.prior ${sign}`) !== null;
    const signs = ["Grey: prior."];
    if (has(".bracket")) signs.push("Bracket: verdict.");
    if (has(".estimate")) signs.push("Red tick: estimate.");
    setText(this.key, signs.join(" "));
  }
}
