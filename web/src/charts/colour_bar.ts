// The ticks beside a map's colour bar.
import { s } from "../dom";
import { number } from "../format";
import { type Box, makeScale, textWidth, ticksOf } from "./frame";

export interface ColourBar {
  /** In the units of the colours: logarithms to base ten when `isLog`. */
  range: { low: number; high: number };
  isLog: boolean;
  /** Some values lie above the end. */
  isCut: boolean;
  /** What the colours stand for. */
  label?: string;
}

const mostLetters = 34;
/** From the map to the ticks, and from there to their text. */
const offset = 28;
const tickGap = 7;
/** From the ticks to the label, and what a usual tick needs. */
const labelGap = 13;
const usual = 32;

function scaleOf({ range, isLog }: ColourBar, from: number, to: number) {
  const domain: [number, number] = isLog ? [10 ** range.low, 10 ** range.high] : [range.low, range.high];
  return makeScale({ label: "", domain, isLog }, from, to);
}

const ticks = (bar: ColourBar) => ticksOf(scaleOf(bar, 0, 1), bar.isLog, 6);

// To the line that the label stands on.
function labelOffset(bar: ColourBar): number {
  const longest = Math.max(usual, ...ticks(bar).map((tick) => textWidth(number(tick))));
  return Math.ceil(tickGap + longest + labelGap);
}

/** What the bar needs beside a map. */
export function roomForBar(bar: ColourBar): number {
  return offset + labelOffset(bar) + (bar.label ? 4 : -labelGap);
}

export function drawColourBar(box: Box, bar: ColourBar): SVGGElement {
  const scale = scaleOf(bar, box.bottom, box.top);
  const left = box.right + offset;
  const group = s("g", { class: "axis" });
  for (const tick of ticks(bar)) {
    const y = scale(tick);
    if (!(y >= box.top - 0.5 && y <= box.bottom + 0.5)) continue;
    group.append(
      s("line", { x1: left, x2: left + 4, y1: y, y2: y }),
      s("text", { x: left + tickGap, y: y + 4 }, number(tick)),
    );
  }
  if (bar.label) {
    const text = bar.label.length > mostLetters ? `${bar.label.slice(0, mostLetters - 1)}…` : bar.label;
    const turned = `rotate(-90) translate(${-(box.top + box.bottom) / 2} ${left + labelOffset(bar)})`;
    group.append(s("text", { class: "axis-label", transform: turned, "text-anchor": "middle" }, text));
  }
  if (bar.isCut) group.append(s("text", { x: box.right + 21, y: box.top - 2, "text-anchor": "middle" }, "▲"));
  return group;
}
