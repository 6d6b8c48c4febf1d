// Lines, points and bands over one quantity, as SVG that follows the theme of the page. While the axes stay, an update
// moves what is there: texts and ticks, which cost most, are not made again.
import { type Numbers, extent } from "../arrays";
import { h, s, setText, uniqueId } from "../dom";
import {
  type AxisOptions,
  type Box,
  drawAcross,
  drawUpward,
  makeScale,
  marginLeft,
  responsive,
  roomForTicks,
  type Scale,
} from "./frame";
import { numbersDetails, legend } from "./figure";
import { hatchPattern } from "./hatching";
import { type Series, SeriesMark } from "./series_mark";

export type { Series } from "./series_mark";

export interface Mark {
  x: number;
  y: number;
  isMain: boolean;
}

export interface Rule {
  x: number;
  name: string;
}

interface Axes {
  x: AxisOptions;
  y: AxisOptions;
}

interface Drawn {
  /** Of everything that stands still. */
  key: string;
  box: Box;
  x: Scale;
  marks: SeriesMark[];
  rules: SVGGElement[];
}

export interface LineChartOptions {
  label: string;
  xLabel: string;
  yLabel: string;
  series: Series[];
  height?: number;
  isLog?: boolean;
  isLogX?: boolean;
  /** x counts something. */
  isWholeX?: boolean;
  marks?: Mark[];
  /** Vertical lines: a name and a place. */
  rules?: Rule[];
  /** Stretches of x to hatch. */
  hatched?: [number, number][];
  xDomain?: [number, number];
  yDomain?: [number, number];
  /** Hears which x the pointer is over. */
  onHover?: (x: number) => void;
  /** By default where there are several series. */
  hasLegend?: boolean;
  hasTable?: boolean;
  /** What the table of numbers is of; by default these series. */
  tabulated?: Series[];
}

const margin = { right: 14, top: 12, bottom: 46 };
/** Without a label below, and without one at the side. */
const narrow = { bottom: 24, left: 42 };

function positive(numbers: Numbers): Numbers {
  return numbers.map((value) => (value > 0 ? value : Number.NaN)) as Numbers;
}

// Points at the very ends would be cut in half.
function widened([low, high]: [number, number]): [number, number] {
  const space = 0.015 * (high - low);
  return [low - space, high + space];
}

function domainOf(arrays: Numbers[], isLog: boolean, hasMargin: boolean): [number, number] {
  const ends = extent(...(isLog ? arrays.map(positive) : arrays));
  if (!ends) return isLog ? [0.1, 1] : [0, 1];
  if (isLog || !hasMargin) return ends;
  const space = 0.06 * (ends[1] - ends[0]);
  return [ends[0] - space, ends[1] + space];
}

/** Ends of an axis that several charts share. */
export function commonDomain(series: Series[], isLog: boolean): [number, number] {
  return domainOf(
    series.flatMap(({ y, low, high }) => [y, ...(low && high ? [low, high] : [])]),
    isLog,
    true,
  );
}

export class LineChart {
  readonly element: HTMLElement;
  private readonly plot = h("div", { class: "plot" });
  private options: LineChartOptions;
  private readonly pattern = uniqueId("hatch");
  private width = 0;
  private drawn: Drawn | null = null;

  constructor(options: LineChartOptions) {
    this.options = options;
    const numbers = options.hasTable === false ? null : numbersDetails(() => this.columns());
    this.element = h("div", { class: "line-chart" }, this.plot, numbers);
    responsive(this.plot, (width) => {
      this.width = width;
      this.draw();
    });
  }

  update(options: LineChartOptions): void {
    this.options = options;
    const numbers = this.element.querySelector<HTMLDetailsElement>("details.alternative");
    while (numbers && numbers.children.length > 1) numbers.lastElementChild!.remove();
    if (numbers) numbers.open = false;
    if (this.width > 0) this.draw();
  }

  private columns() {
    const { xLabel, tabulated: series = this.options.series } = this.options;
    const longest = series.reduce((a, b) => (b.x.length > a.x.length ? b : a));
    const same = series.filter(({ x }) => x.length === longest.x.length);
    return [
      { name: xLabel, values: longest.x },
      ...same.flatMap(({ name, y, low, high }) => [
        { name, values: y },
        ...(low && high
          ? [
              { name: `${name}, low`, values: low },
              { name: `${name}, high`, values: high },
            ]
          : []),
      ]),
    ];
  }

  private axes(): Axes {
    const { series, isLog = false, isLogX = false, isWholeX = false } = this.options;
    const { xLabel, yLabel, xDomain, yDomain } = this.options;
    const ends =
      xDomain ??
      domainOf(
        series.map(({ x }) => x),
        isLogX,
        false,
      );
    const hasPoints = series.some(({ style }) => style.includes("points"));
    return {
      x: {
        label: xLabel,
        domain: hasPoints && !isLogX ? widened(ends) : ends,
        isLog: isLogX,
        isWhole: isWholeX,
      },
      y: { label: yLabel, domain: yDomain ?? commonDomain(series, isLog), isLog },
    };
  }

  private draw(): void {
    const axes = this.axes();
    const key = this.keyOf(axes);
    if (this.drawn?.key === key) this.follow(this.drawn);
    else this.drawAll(axes, key);
  }

  // Everything but the numbers of the series and where the rules stand.
  private keyOf({ x, y }: Axes): string {
    const { label, series, height, marks, rules, hatched, isLog, isLogX, hasLegend } = this.options;
    const kinds = series.map(({ name, style, low }) => [name, style, low !== undefined]);
    const rest = [marks, rules?.length, hatched, isLog, isLogX, hasLegend];
    return JSON.stringify([this.width, height, label, x, y, kinds, rest]);
  }

  private follow({ marks, rules, box, x }: Drawn): void {
    this.options.series.forEach((one, k) => marks[k]!.show(one));
    this.options.rules?.forEach((rule, k) => placeRule(rules[k]!, rule, box, x));
  }

  private boxOf(axes: Axes, height: number): Box {
    const bottom = height - (this.options.xLabel ? margin.bottom : narrow.bottom);
    const y = makeScale(axes.y, bottom, margin.top);
    const usual = this.options.yLabel ? marginLeft(this.width) : narrow.left;
    return {
      left: Math.max(usual, roomForTicks(y, axes.y, bottom - margin.top)),
      right: this.width - margin.right,
      top: margin.top,
      bottom,
    };
  }

  private drawAll(axes: Axes, key: string): void {
    const { height = 260, label, series, isLog = false } = this.options;
    const box = this.boxOf(axes, height);
    const x = makeScale(axes.x, box.left, box.right);
    const y = makeScale(axes.y, box.bottom, margin.top);
    const clip = uniqueId("clip");
    const marks = series.map((one) => new SeriesMark(one, x, y, isLog));
    const lines = marks.flatMap(({ elements }) => elements);
    const rules = (this.options.rules ?? []).map((rule) => {
      const element = s("g", { class: "rule" }, s("line"), s("text"));
      placeRule(element, rule, box, x);
      return element;
    });
    const svg = s(
      "svg",
      { viewBox: `0 0 ${this.width} ${height}`, role: "img", "aria-label": label },
      s("defs", {}, s("clipPath", { id: clip }, rectangle(box)), hatchPattern(this.pattern)),
      drawUpward(box, y, axes.y),
      drawAcross(box, x, axes.x),
      s("g", { "clip-path": `url(#${clip})` }, ...this.hatching(box, x), ...lines),
      s("line", { class: "base-line", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
      ...this.marks(x, y),
      ...rules,
    );
    if (this.options.onHover) this.listen(svg, box, x);
    const shown = (this.options.hasLegend ?? series.length > 1) ? [legend(series)] : [];
    this.plot.replaceChildren(...shown, svg);
    this.drawn = { key, box, x, marks, rules };
  }

  private listen(svg: SVGSVGElement, box: Box, x: Scale): void {
    const hear = (event: PointerEvent) => {
      const place = svg.getBoundingClientRect();
      const across = ((event.clientX - place.left) * this.width) / place.width;
      if (across >= box.left && across <= box.right) this.options.onHover?.(x.invert(across));
    };
    svg.addEventListener("pointermove", hear);
    svg.addEventListener("pointerdown", hear);
  }

  private hatching(box: Box, x: Scale): SVGElement[] {
    return (this.options.hatched ?? []).map(([from, to]) =>
      s("rect", {
        fill: `url(#${this.pattern})`,
        x: x(from),
        width: Math.max(1, x(to) - x(from)),
        y: box.top,
        height: box.bottom - box.top,
      }),
    );
  }

  private marks(x: Scale, y: Scale): SVGElement[] {
    return (this.options.marks ?? []).map((mark) =>
      s("circle", {
        class: mark.isMain ? "minimum main" : "minimum",
        cx: x(mark.x),
        cy: y(mark.y),
        r: mark.isMain ? 5 : 4,
      }),
    );
  }
}

function placeRule(element: SVGGElement, { x: place, name }: Rule, box: Box, x: Scale): void {
  const [rule, text] = element.children as unknown as [SVGLineElement, SVGTextElement];
  const at = x(place);
  for (const [key, value] of Object.entries({ x1: at, x2: at, y1: box.top, y2: box.bottom }))
    rule.setAttribute(key, String(value));
  text.setAttribute("x", String(at + 4));
  text.setAttribute("y", String(box.top + 10));
  setText(text, name);
}

function rectangle(box: Box): SVGElement {
  return s("rect", {
    x: box.left,
    y: box.top - 6,
    width: Math.max(0, box.right - box.left),
    height: box.bottom - box.top + 12,
  });
}
