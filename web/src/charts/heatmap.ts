// A map of values over two parameters: colours on a canvas, axes and marks as SVG above it, a cursor that the
// mouse, a finger and the arrow keys move.
import type { Numbers } from "../arrays";
import { h, s, uniqueId } from "../dom";
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
import { drawColourBar, type ColourBar } from "./colour_bar";
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

const margin = { top: 12, bottom: 46 };
const bigStep = 10;

export class Heatmap {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { "aria-hidden": "true" });
  private readonly plot: HTMLElement;
  private readonly overlay = h("div", { class: "overlay" });
  private readonly crosshair = s("g", { class: "crosshair" });
  private content: MapContent | null = null;
  private cursor: Cell | null = null;
  private width = 0;

  constructor(
    private readonly onCursor: (cell: Cell) => void,
    private readonly maxHeight = 480,
  ) {
    this.plot = h(
      "div",
      {
        class: "map",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "map",
        keydown: (event) => this.onKey(event as KeyboardEvent),
        pointermove: (event) => this.onPointer(event as PointerEvent),
        pointerdown: (event) => this.onPointer(event as PointerEvent),
      },
      this.canvas,
      this.overlay,
    );
    this.element = h("div", { class: "plot" }, this.plot);
    responsive(this.element, (width) => {
      this.width = width;
      this.drawFrame();
    });
  }

  show(content: MapContent): void {
    this.content = content;
    this.plot.setAttribute("aria-label", content.label);
    this.paintCells();
    this.drawFrame();
  }

  moveTo(cell: Cell | null): void {
    this.cursor = cell;
    this.drawCrosshair();
  }

  private get size(): { columns: number; rows: number } {
    return { columns: this.content!.x.values.length, rows: this.content!.y.values.length };
  }

  private get box(): Box {
    const left = marginLeft(this.width);
    const right = this.width - left - (this.content?.bar.label ? 28 : 10);
    const height = Math.min(
      Math.max(this.maxHeight, Math.min(0.5 * this.width, 0.8 * this.maxHeight * (this.width / 900))),
      Math.max(240, 0.82 * (right - left)) + margin.top + margin.bottom,
    );
    return { left, right, top: margin.top, bottom: height - margin.bottom };
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

  // Cells have a width, so that the axis reaches half a cell beyond the outermost values.
  private axis(axis: MapAxis): AxisOptions {
    const n = axis.values.length;
    const first = axis.values[0]!;
    const last = axis.values[n - 1]!;
    if (axis.isLog && n > 1) {
      const half = (last / first) ** (0.5 / (n - 1));
      return { label: axis.label, domain: [first / half, last * half], isLog: true };
    }
    const half = n > 1 ? (last - first) / (n - 1) / 2 : 0.5;
    return { label: axis.label, domain: [first - half, last + half] };
  }

  private scales(): { x: Scale; y: Scale } {
    const { box } = this;
    return {
      x: makeScale(this.axis(this.content!.x), box.left, box.right),
      y: makeScale(this.axis(this.content!.y), box.bottom, box.top),
    };
  }

  private drawFrame(): void {
    if (!this.content || this.width === 0) return;
    const { box, content } = this;
    const { x, y } = this.scales();
    const height = box.bottom + margin.bottom;
    this.placeCanvas(box, height);
    const pattern = uniqueId("hatch");
    const svg = s(
      "svg",
      { viewBox: `0 0 ${this.width} ${height}`, "aria-hidden": "true" },
      s("defs", {}, hatchPattern(pattern)),
      this.hatching(box, pattern),
      s("rect", {
        class: "map-frame",
        x: box.left,
        y: box.top,
        width: box.right - box.left,
        height: box.bottom - box.top,
      }),
      drawAcross(box, x, this.axis(content.x)),
      drawUpward(box, y, this.axis(content.y), false),
      drawColourBar(box, content.bar),
      this.crosshair,
      ...this.minima(x, y),
    );
    const bar = h("div", { class: "colour-bar" });
    bar.style.background = gradient(content.colours, "to top");
    this.placeAt(bar, { ...box, left: box.right + 14, right: box.right + 28 }, height);
    this.overlay.replaceChildren(svg, bar);
    this.drawCrosshair();
  }

  private placeCanvas(box: Box, height: number): void {
    const isFine = this.size.columns > box.right - box.left;
    this.canvas.style.imageRendering = isFine ? "auto" : "pixelated";
    this.placeAt(this.canvas, box, height);
    this.plot.style.aspectRatio = `${this.width} / ${height}`;
  }

  // In parts of the whole, so that everything keeps its place when the page is printed at another width.
  private placeAt({ style }: HTMLElement, box: Box, height: number): void {
    style.left = percent(box.left, this.width);
    style.top = percent(box.top, height);
    style.width = percent(box.right - box.left, this.width);
    style.height = percent(box.bottom - box.top, height);
  }

  private hatching(box: Box, pattern: string): SVGElement {
    const { columns, rows } = this.size;
    const { poor } = this.content!;
    return s("path", { d: runsPath(columns, rows, poor, box), fill: `url(#${pattern})` });
  }

  private minima(x: Scale, y: Scale): SVGElement[] {
    const { content } = this;
    return content!.minima
      .map(({ column, row }, rank) =>
        s("circle", {
          class: rank === 0 ? "minimum main" : "minimum",
          cx: x(content!.x.values[column]!),
          cy: y(content!.y.values[row]!),
          r: rank === 0 ? 6 : 5,
        }),
      )
      .reverse();
  }

  private drawCrosshair(): void {
    this.crosshair.replaceChildren();
    if (!this.cursor || !this.content || this.width === 0) return;
    const { box } = this;
    const { x, y } = this.scales();
    const across = x(this.content.x.values[this.cursor.column]!);
    const up = y(this.content.y.values[this.cursor.row]!);
    for (const style of ["halo", "hair"]) {
      this.crosshair.append(
        s("line", { class: style, x1: across, x2: across, y1: box.top, y2: box.bottom }),
        s("line", { class: style, x1: box.left, x2: box.right, y1: up, y2: up }),
      );
    }
  }

  private setCursor(column: number, row: number): void {
    const { columns, rows } = this.size;
    this.cursor = {
      column: Math.min(columns - 1, Math.max(0, column)),
      row: Math.min(rows - 1, Math.max(0, row)),
    };
    this.drawCrosshair();
    this.onCursor(this.cursor);
  }

  private onPointer(event: PointerEvent): void {
    if (!this.content) return;
    const place = this.plot.getBoundingClientRect();
    const scale = this.width / place.width;
    const { box } = this;
    const across = ((event.clientX - place.left) * scale - box.left) / (box.right - box.left);
    const up = (box.bottom - (event.clientY - place.top) * scale) / (box.bottom - box.top);
    if (across < 0 || across >= 1 || up < 0 || up >= 1) return;
    this.setCursor(Math.floor(across * this.size.columns), Math.floor(up * this.size.rows));
  }

  private onKey(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const step = steps[event.key];
    if (!this.content || (!step && event.key !== "Home")) return;
    event.preventDefault();
    const lowest = this.content.minima[0] ?? { column: 0, row: 0 };
    const from = this.cursor ?? lowest;
    if (!step) return this.setCursor(lowest.column, lowest.row);
    const size = event.shiftKey ? bigStep : 1;
    return this.setCursor(from.column + size * step[0], from.row + size * step[1]);
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(3)}%`;
}
