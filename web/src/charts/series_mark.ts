// One series in a chart: made once, and moved while the axes stay.
import { area, line } from "d3-shape";
import type { Numbers } from "../arrays";
import { s } from "../dom";
import type { Scale } from "./frame";

export interface Series {
  name: string;
  x: Numbers;
  y: Numbers;
  /** A class of the style sheet: line-1 … line-5, dashed, points. */
  style: string;
  low?: Numbers;
  high?: Numbers;
}

const dotRadius = 2.6;

function isSame(a: Numbers, b: Numbers): boolean {
  return a === b || (a.length === b.length && a.every((value, i) => Object.is(value, b[i])));
}

export class SeriesMark {
  readonly elements: SVGElement[];
  private readonly band: SVGPathElement | null;
  private readonly body: SVGElement;
  private shown: Series | null = null;

  constructor(
    series: Series,
    private readonly x: Scale,
    private readonly y: Scale,
    private readonly isLog: boolean,
  ) {
    const { style } = series;
    this.band = series.low && series.high ? s("path", { class: `band ${style}` }) : null;
    this.body = s(style.includes("points") ? "g" : "path", { class: `series ${style}` });
    this.elements = this.band ? [this.band, this.body] : [this.body];
    this.show(series);
  }

  /** Other numbers of the same series. */
  show(series: Series): void {
    const { shown } = this;
    if (shown === series) return;
    const isStill = shown !== null && isSame(shown.x, series.x) && isSame(shown.y, series.y);
    this.shown = series;
    const places = Array.from(series.x.keys());
    if (this.band) this.drawBand(series, places);
    if (isStill) return;
    if (this.body instanceof SVGPathElement) this.drawLine(series, places);
    else this.drawDots(series, places);
  }

  private isShown(series: Series, i: number): boolean {
    return Number.isFinite(series.y[i]!) && (!this.isLog || series.y[i]! > 0);
  }

  private drawBand(series: Series, places: number[]): void {
    const { x, y, isLog } = this;
    const floor = y.domain()[0]!;
    const bounded = (value: number) => (isLog && !(value > 0) ? floor : value);
    const band = area<number>()
      .defined((i) => this.isShown(series, i))
      .x((i) => x(series.x[i]!))
      .y0((i) => y(bounded(series.low![i]!)))
      .y1((i) => y(bounded(series.high![i]!)));
    this.band!.setAttribute("d", band(places) ?? "");
  }

  private drawLine(series: Series, places: number[]): void {
    const path = line<number>()
      .defined((i) => this.isShown(series, i))
      .x((i) => this.x(series.x[i]!))
      .y((i) => this.y(series.y[i]!));
    this.body.setAttribute("d", path(places) ?? "");
  }

  private drawDots(series: Series, places: number[]): void {
    const dots = places
      .filter((i) => this.isShown(series, i))
      .map((i) => s("circle", { cx: this.x(series.x[i]!), cy: this.y(series.y[i]!), r: dotRadius }));
    this.body.replaceChildren(...dots);
  }
}
