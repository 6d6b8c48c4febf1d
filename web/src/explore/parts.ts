// Theory and network part of a prediction: their sum, their sizes, and a scale that stays while θ moves.
import { extent, type Numbers } from "../arrays";
import { h } from "../dom";
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

/** Series that are only numbered are called so. */
export function windowName({ series, start }: LiveWindow): string {
  const name = /^\d+$/.test(series) ? `series ${series}` : series;
  return `${name ? `${name}, ` : ""}from ${number(start)}`;
}

export function sum(a: Numbers, b: Numbers): Float64Array {
  return Float64Array.from(a, (value, i) => value + b[i]!);
}

export function squares(values: Numbers): number {
  let total = 0;
  for (const value of values) if (Number.isFinite(value)) total += value * value;
  return total;
}

/** Of rows of a name, the squares of f_T and those of f_D. */
export function shareBars(rows: [string, number, number][]): HTMLElement[] {
  return rows.map(([name, theory, network]) => {
    const share = network / (theory + network || 1);
    const bar = h("span", { class: "share-bar", "aria-hidden": "true" }, h("span", {}));
    (bar.firstElementChild as HTMLElement).style.width = `${(100 * share).toFixed(1)}%`;
    const text = `${Number((100 * share).toPrecision(3))} %`;
    return h("div", { class: "share" }, h("span", {}, name), bar, h("span", {}, `f_D ${text}`));
  });
}
