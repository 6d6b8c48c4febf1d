// Theory and network part of a prediction: their sum, their sizes, and a scale that stays while θ moves.
import { extent, type Numbers, unpack } from "../arrays";
import { h, setText } from "../dom";
import { number } from "../format";
import type { LiveWindow } from "./live";

/** The measured range, and as much again on both sides at most. */
export function steadyDomain(observed: Numbers[], predicted: Numbers[]): [number, number] | undefined {
  const own = extent(...observed);
  if (!own) return undefined;
  const room = Math.max(own[1] - own[0], 1e-9);
  const all = extent(...observed, ...predicted) ?? own;
  return [
    Math.max(own[0] - room, Math.min(own[0] - 0.1 * room, all[0])),
    Math.min(own[1] + room, Math.max(own[1] + 0.1 * room, all[1])),
  ];
}

/** Ends of an axis that stay while θ moves: then they only grow, and by more than is needed at once. */
export class SteadyDomain {
  private ends: [number, number] | undefined;

  fit(wanted: [number, number] | undefined, isMoving: boolean): [number, number] | undefined {
    const { ends } = this;
    if (!wanted || !ends || !isMoving) return (this.ends = wanted);
    const more = 0.2 * (wanted[1] - wanted[0]);
    const [low, high] = ends;
    if (wanted[0] < low || wanted[1] > high)
      this.ends = [wanted[0] < low ? wanted[0] - more : low, wanted[1] > high ? wanted[1] + more : high];
    return this.ends;
  }
}

/** Series that are only numbered are called so. */
export function windowName({ series, start }: LiveWindow): string {
  const name = /^\d+$/.test(series) ? `series ${series}` : series;
  return `${name ? `${name}, ` : ""}from ${number(start)}`;
}

/** From the window's start to its end. */
export function timesOf({ start, time }: LiveWindow): [number, number] {
  return [start, unpack(time).at(-1) ?? start];
}

export function sum(a: Numbers, b: Numbers): Float64Array {
  return Float64Array.from(a, (value, i) => value + b[i]!);
}

export function squares(values: Numbers): number {
  let total = 0;
  for (const value of values) if (Number.isFinite(value)) total += value * value;
  return total;
}

/** Bars of the share of f_D in the squares, made once and moved. */
export class ShareBars {
  readonly element = h("div", { class: "shares" });
  private names = "";

  /** Rows of a name, the squares of f_T and those of f_D. */
  show(rows: [string, number, number][]): void {
    const names = JSON.stringify(rows.map(([name]) => name));
    if (names !== this.names) this.element.replaceChildren(...rows.map(([name]) => emptyBar(name)));
    this.names = names;
    rows.forEach(([, theory, network], k) => {
      const share = network / (theory + network || 1);
      const [, bar, text] = this.element.children[k]!.children as unknown as HTMLElement[];
      (bar!.firstElementChild as HTMLElement).style.transform = `scaleX(${share.toFixed(4)})`;
      setText(text!, `f_D ${Number((100 * share).toPrecision(3))} %`);
    });
  }
}

function emptyBar(name: string): HTMLElement {
  const bar = h("span", { class: "share-bar", "aria-hidden": "true" }, h("span", {}));
  return h("div", { class: "share" }, h("span", {}, name), bar, h("span", {}));
}
