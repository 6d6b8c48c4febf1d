// The frame of a chart: scales, axes with ticks and labels, and redrawing when its place changes width.
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from "d3-scale";
import { s } from "../dom";
import { number } from "../format";
import { zoom } from "./screen";

export type Scale = ScaleContinuousNumeric<number, number>;

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface AxisOptions {
  label: string;
  domain: [number, number];
  isLog?: boolean;
  /** What is counted has no halves. */
  isWhole?: boolean;
}

const tickSpacing = 70;
/** Of the ticks' labels, about. */
const characterWidth = 6.6;
export const textWidth = (text: string) => text.length * characterWidth;
/** What fits, with an ellipsis where that is not all. */
export function fitted(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  return `${text.slice(0, Math.max(1, Math.floor(room / characterWidth) - 1))}…`;
}
const narrow = 480;

/** Room for ticks and labels: less of it where the whole picture is small. */
export function marginLeft(width: number): number {
  return width < narrow ? 54 : 66;
}

const tickGap = 8;
const labelRoom = 20;

function upwardTicks(scale: Scale, isLog: boolean, height: number): number[] {
  return ticksOf(scale, isLog, Math.max(height < 60 ? 2 : 3, Math.floor(height / 45)));
}

/** What the ticks of a vertical axis need, and its label beside them where there is one. */
export function roomForTicks(scale: Scale, axis: AxisOptions, height: number): number {
  const ticks = upwardTicks(scale, axis.isLog ?? false, height);
  const longest = Math.max(0, ...ticks.map((tick) => textWidth(number(tick))));
  return Math.ceil(longest) + tickGap + (axis.label ? labelRoom : 0);
}

export function makeScale(axis: AxisOptions, from: number, to: number): Scale {
  let [low, high] = axis.domain;
  if (axis.isLog) {
    if (low === high) [low, high] = [low / 2, high * 2];
    return scaleLog().domain([low, high]).range([from, to]);
  }
  if (low === high) [low, high] = low === 0 ? [-1, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
  return scaleLinear().domain([low, high]).range([from, to]);
}

/** Ticks of a scale; on a logarithmic one 1, 2 and 5 times powers of ten, or these powers where they are many. */
export function ticksOf(scale: Scale, isLog: boolean, n: number): number[] {
  const ticks = scale.ticks(n);
  if (!isLog) return ticks;
  const powers = ticks.filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  const round = ticks.filter((tick) =>
    [1, 2, 5].includes(Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9))),
  );
  if (round.length > 2 && (round.length <= n || powers.length < 2)) return round;
  if (powers.length < 2)
    return ticks.length <= 2 * n ? ticks.filter((_, k) => k % Math.ceil(ticks.length / n) === 0) : ticks;
  const step = Math.ceil(powers.length / n);
  return powers.filter((_, k) => k % step === 0);
}

export function drawAcross(box: Box, scale: Scale, axis: AxisOptions): SVGGElement {
  const n = Math.max(2, Math.floor((box.right - box.left) / tickSpacing));
  const group = s("g", { class: "axis" });
  let free = Number.NEGATIVE_INFINITY;
  for (const tick of ticksOf(scale, axis.isLog ?? false, n)) {
    if (axis.isWhole && !Number.isInteger(tick)) continue;
    const x = scale(tick);
    const text = number(tick);
    const half = textWidth(text) / 2;
    group.append(s("line", { x1: x, x2: x, y1: box.bottom, y2: box.bottom + 5 }));
    if (x - half < free) continue;
    free = x + half + characterWidth;
    group.append(s("text", { x, y: box.bottom + 18, "text-anchor": "middle" }, text));
  }
  const middle = (box.left + box.right) / 2;
  group.append(
    s("text", { class: "axis-label", x: middle, y: box.bottom + 38, "text-anchor": "middle" }, axis.label),
  );
  return group;
}

export function drawUpward(box: Box, scale: Scale, axis: AxisOptions, hasGrid = true): SVGGElement {
  const group = s("g", { class: "axis" });
  for (const tick of upwardTicks(scale, axis.isLog ?? false, box.bottom - box.top)) {
    const y = scale(tick);
    if (hasGrid) group.append(s("line", { class: "grid-line", x1: box.left, x2: box.right, y1: y, y2: y }));
    group.append(
      s("line", { x1: box.left - 5, x2: box.left, y1: y, y2: y }),
      s("text", { x: box.left - tickGap, y: y + 4, "text-anchor": "end" }, number(tick)),
    );
  }
  const middle = (box.top + box.bottom) / 2;
  const turned = `rotate(-90) translate(${-middle} 14)`;
  const label = fitted(axis.label, box.bottom - box.top + labelRoom);
  group.append(s("text", { class: "axis-label", transform: turned, "text-anchor": "middle" }, label));
  return group;
}

/** Draws now and whenever the width of the place changes; the width is in units of usual text. */
export function responsive(place: HTMLElement, draw: (width: number) => void): void {
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(place.clientWidth / zoom());
    if (width > 0 && width !== drawn) {
      drawn = width;
      draw(width);
    }
  }).observe(place);
}
