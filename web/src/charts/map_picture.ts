// The picture of values over two parameters: colours on a canvas, hatching, axes and a colour bar as SVG above
// it. What is pointed at in it, and how, is the business of the maps that are made of it.
import type { Numbers } from "../arrays";
import { h, s, uniqueId } from "../dom";
import { type ColourBar, drawColourBar, roomForBar } from "./colour_bar";
import { type ColourMapName, gradient, paint } from "./colour_maps";
import {
  type AxisOptions,
  type Box,
  drawAcross,
  drawUpward,
  makeScale,
  marginLeft,
  responsive,
  type Scale,
} from "./frame";
import { hatchPattern, runsPath } from "./hatching";

export interface MapAxis {
  label: string;
  values: ArrayLike<number>;
  /** Evenly spaced logarithms. */
  isLog?: boolean;
}

export interface Cell {
  column: number;
  row: number;
}

export interface MapContent {
  label: string;
  x: MapAxis;
  y: MapAxis;
  /** [column][row from below], in the units of the colours (logarithms when `bar.isLog`). */
  values: Float64Array;
  bar: ColourBar;
  colours: ColourMapName;
  /** 1 where a value is to be hatched; none when empty. */
  poor: Numbers;
  minima: Cell[];
}

/** What a map adds to the picture. */
export interface MapOwner<Content extends MapContent> {
  class: string;
  /** Of the plot itself, where it is so wide on a page so wide. */
  height: (plotWidth: number, pageWidth: number) => number;
  /** Above the colours, under the frame. */
  under?: (picture: MapPicture<Content>) => (SVGElement | null)[];
  /** Above everything. */
  over: (picture: MapPicture<Content>) => SVGElement[];
  /** Called once all is in its place. */
  onDrawn: () => void;
  /** Whether cells are blended where the plot is so wide. */
  isSmooth: (columns: number, plotWidth: number) => boolean;
  listeners: Record<string, (event: Event) => void>;
}

const margin = { top: 12, bottom: 46 };
const bar = { gap: 14, width: 14 };

/** Which way an arrow key points, in columns and rows from below. */
export function arrowOf(key: string): [number, number] | undefined {
  const arrows: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  return arrows[key];
}

export class MapPicture<Content extends MapContent = MapContent> {
  readonly element: HTMLElement;
  readonly plot: HTMLElement;
  content: Content | null = null;
  private readonly canvas = h("canvas", { "aria-hidden": "true" });
  private readonly overlay = h("div", { class: "overlay" });
  private width = 0;

  constructor(private readonly owner: MapOwner<Content>) {
    this.plot = h(
      "div",
      {
        class: owner.class,
        tabindex: 0,
        role: "application",
        "aria-roledescription": "map",
        ...owner.listeners,
      },
      this.canvas,
      this.overlay,
    );
    this.element = h("div", { class: "plot" }, this.plot);
    responsive(this.element, (width) => {
      this.width = width;
      this.draw();
    });
  }

  show(content: Content): void {
    this.content = content;
    this.plot.setAttribute("aria-label", content.label);
    this.paintCells();
    this.draw();
  }

  /** Whether there is something to point at. */
  get isDrawn(): boolean {
    return this.content !== null && this.width > 0;
  }

  get size(): { columns: number; rows: number } {
    return { columns: this.content!.x.values.length, rows: this.content!.y.values.length };
  }

  get box(): Box {
    const left = marginLeft(this.width);
    const right = this.width - (this.content ? roomForBar(this.content.bar) : left);
    return {
      left,
      right,
      top: margin.top,
      bottom: margin.top + this.owner.height(right - left, this.width),
    };
  }

  scales(): { x: Scale; y: Scale } {
    const { box } = this;
    return {
      x: makeScale(axisOf(this.content!.x), box.left, box.right),
      y: makeScale(axisOf(this.content!.y), box.bottom, box.top),
    };
  }

  /** Where the pointer is, in the units of the box. */
  pointAt(event: PointerEvent): [number, number] {
    const place = this.plot.getBoundingClientRect();
    const zoom = this.width / place.width;
    return [(event.clientX - place.left) * zoom, (event.clientY - place.top) * zoom];
  }

  private paintCells(): void {
    const { columns, rows } = this.size;
    if (this.canvas.width !== columns) this.canvas.width = columns;
    if (this.canvas.height !== rows) this.canvas.height = rows;
    const context = this.canvas.getContext("2d")!;
    const image = context.createImageData(columns, rows);
    paint(image, this.content!.values, this.content!.bar.range, this.content!.colours);
    context.putImageData(image, 0, 0);
  }

  private draw(): void {
    if (!this.isDrawn) return;
    const { box, owner } = this;
    const content = this.content!;
    const { columns, rows } = this.size;
    const { x, y } = this.scales();
    const height = box.bottom + margin.bottom;
    this.canvas.style.imageRendering = owner.isSmooth(columns, box.right - box.left) ? "auto" : "pixelated";
    this.plot.style.aspectRatio = `${this.width} / ${height}`;
    this.placeAt(this.canvas, box, height);
    const pattern = uniqueId("hatch");
    const svg = s(
      "svg",
      { viewBox: `0 0 ${this.width} ${height}`, "aria-hidden": "true" },
      s("defs", {}, hatchPattern(pattern)),
      s("path", { d: runsPath(columns, rows, content.poor, box), fill: `url(#${pattern})` }),
      ...(owner.under?.(this) ?? []),
      frameOf(box),
      drawAcross(box, x, axisOf(content.x)),
      drawUpward(box, y, axisOf(content.y), false),
      drawColourBar(box, content.bar),
      ...owner.over(this),
    );
    this.overlay.replaceChildren(svg, this.colourBar(box, height));
    owner.onDrawn();
  }

  private colourBar(box: Box, height: number): HTMLElement {
    const element = h("div", { class: "colour-bar" });
    element.style.background = gradient(this.content!.colours, "to top");
    const left = box.right + bar.gap;
    this.placeAt(element, { ...box, left, right: left + bar.width }, height);
    return element;
  }

  // In parts of the whole, so that everything keeps its place when the page is printed at another width.
  private placeAt({ style }: HTMLElement, box: Box, height: number): void {
    style.left = percent(box.left, this.width);
    style.top = percent(box.top, height);
    style.width = percent(box.right - box.left, this.width);
    style.height = percent(box.bottom - box.top, height);
  }
}

// Cells have a width, so that the axis reaches half a cell beyond the outermost values.
function axisOf({ values, isLog, label }: MapAxis): AxisOptions {
  const n = values.length;
  const first = values[0]!;
  const last = values[n - 1]!;
  if (isLog && n > 1) {
    const half = (last / first) ** (0.5 / (n - 1));
    return { label, domain: [first / half, last * half], isLog: true };
  }
  const half = n > 1 ? (last - first) / (n - 1) / 2 : 0.5;
  return { label, domain: [first - half, last + half] };
}

function frameOf({ left, right, top, bottom }: Box): SVGElement {
  return s("rect", { class: "map-frame", x: left, y: top, width: right - left, height: bottom - top });
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(3)}%`;
}
