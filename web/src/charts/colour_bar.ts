// The ticks beside a map's colour bar.
import { s } from "../dom";
import { number } from "../format";
import { type Box, makeScale, ticksOf } from "./frame";

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

export function drawColourBar(box: Box, bar: ColourBar): SVGGElement {
  const { low, high } = bar.range;
  const domain: [number, number] = bar.isLog ? [10 ** low, 10 ** high] : [low, high];
  const scale = makeScale({ label: "", domain, isLog: bar.isLog }, box.bottom, box.top);
  const left = box.right + 28;
  const group = s("g", { class: "axis" });
  for (const tick of ticksOf(scale, bar.isLog, 6)) {
    const y = scale(tick);
    if (!(y >= box.top - 0.5 && y <= box.bottom + 0.5)) continue;
    group.append(
      s("line", { x1: left, x2: left + 4, y1: y, y2: y }),
      s("text", { x: left + 7, y: y + 4 }, number(tick)),
    );
  }
  if (bar.label) {
    const text = bar.label.length > mostLetters ? `${bar.label.slice(0, mostLetters - 1)}…` : bar.label;
    const turned = `rotate(-90) translate(${-(box.top + box.bottom) / 2} ${left + 52})`;
    group.append(s("text", { class: "axis-label", transform: turned, "text-anchor": "middle" }, text));
  }
  if (bar.isCut) group.append(s("text", { x: box.right + 21, y: box.top - 2, "text-anchor": "middle" }, "▲"));
  return group;
}
