// A map over two parameters with a point in it that can be dragged.
import { h, s, uniqueId } from "../dom";
import { gradient, paint } from "./colour_maps";
import { drawColourBar } from "./colour_bar";
import { contourPath } from "./contour";
import { type Box, drawAcross, drawUpward, makeScale, marginLeft, responsive, type Scale } from "./frame";
import { hatchPattern, runsPath } from "./hatching";
import type { MapAxis, MapContent } from "./heatmap";

export interface MapMark {
  x: number;
  y: number;
  style: string;
  title: string;
  letter?: string;
}

export interface ThetaMapContent extends MapContent {
  /** In the units of `values`; null: no outline. */
  level: number | null;
  marks: MapMark[];
}

export interface Drag {
  x: number;
  y: number;
  isMoving: boolean;
}

const margin = { top: 12, bottom: 46 };
const smallStep = 0.01;
const bigStep = 0.1;

export class ThetaMap {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { "aria-hidden": "true" });
  private readonly plot: HTMLElement;
  private readonly overlay = h("div", { class: "overlay" });
  private readonly cross = s("g", { class: "theta-cross" });
  private readonly ghost = s("polyline", { class: "trace" });
  private content: ThetaMapContent | null = null;
  private theta: [number, number] = [0, 0];
  private trace: [number, number][] = [];
  private isDragging = false;
  private width = 0;

  constructor(
    private readonly onDrag: (drag: Drag) => void,
    private readonly mostHeight: () => number,
  ) {
    this.plot = h(
      "div",
      {
        class: "map theta-map",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "map",
        keydown: (event) => this.onKey(event as KeyboardEvent),
        pointerdown: (event) => this.begin(event as PointerEvent),
        pointermove: (event) => this.move(event as PointerEvent),
        pointerup: (event) => this.end(event as PointerEvent),
        pointercancel: (event) => this.end(event as PointerEvent),
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

  show(content: ThetaMapContent): void {
    this.content = content;
    this.plot.setAttribute("aria-label", content.label);
    const { columns, rows } = this.size;
    if (this.canvas.width !== columns) this.canvas.width = columns;
    if (this.canvas.height !== rows) this.canvas.height = rows;
    const context = this.canvas.getContext("2d")!;
    const image = context.createImageData(columns, rows);
    paint(image, content.values, content.bar.range, content.colours);
    context.putImageData(image, 0, 0);
    this.draw();
  }

  moveTo(x: number, y: number): void {
    this.theta = [x, y];
    this.drawCross();
  }

  /** The way that a descent took. */
  follow(trace: [number, number][]): void {
    this.trace = trace;
    this.drawCross();
  }

  private get size() {
    return { columns: this.content!.x.values.length, rows: this.content!.y.values.length };
  }

  private get box(): Box {
    const left = marginLeft(this.width);
    const right = this.width - left - 28;
    const room = Math.max(240, Math.min(right - left, this.mostHeight()));
    return { left, right, top: margin.top, bottom: margin.top + room };
  }

  // The outermost values stand in the middle of the outermost cells.
  private ends({ values, isLog, label }: MapAxis) {
    const n = values.length;
    const [first, last] = [values[0]!, values[n - 1]!];
    const half = isLog ? (last / first) ** (0.5 / (n - 1)) : (last - first) / (n - 1) / 2;
    const domain: [number, number] = isLog ? [first / half, last * half] : [first - half, last + half];
    return { label, domain, isLog: isLog ?? false };
  }

  private scales(): { x: Scale; y: Scale } {
    const { box } = this;
    return {
      x: makeScale(this.ends(this.content!.x), box.left, box.right),
      y: makeScale(this.ends(this.content!.y), box.bottom, box.top),
    };
  }

  private draw(): void {
    if (!this.content || this.width === 0) return;
    const { box, content } = this;
    const { x, y } = this.scales();
    const { columns, rows } = this.size;
    const height = box.bottom + margin.bottom;
    this.plot.style.aspectRatio = `${this.width} / ${height}`;
    this.canvas.style.imageRendering = columns < 30 ? "auto" : "pixelated";
    this.placeAt(this.canvas, box, height);
    const pattern = uniqueId("hatch");
    const bar = h("div", { class: "colour-bar" });
    bar.style.background = gradient(content.colours, "to top");
    this.placeAt(bar, { ...box, left: box.right + 14, right: box.right + 28 }, height);
    this.overlay.replaceChildren(
      s(
        "svg",
        { viewBox: `0 0 ${this.width} ${height}`, "aria-hidden": "true" },
        s("defs", {}, hatchPattern(pattern)),
        s("path", { d: runsPath(columns, rows, content.poor, box), fill: `url(#${pattern})` }),
        this.outline(box),
        s("rect", {
          class: "map-frame",
          x: box.left,
          y: box.top,
          width: box.right - box.left,
          height: box.bottom - box.top,
        }),
        drawAcross(box, x, this.ends(content.x)),
        drawUpward(box, y, this.ends(content.y), false),
        drawColourBar(box, content.bar),
        ...content.marks.map((mark) => this.mark(mark, x, y)),
        this.ghost,
        this.cross,
      ),
      bar,
    );
    this.drawCross();
  }

  private outline(box: Box): SVGElement | null {
    const { values, level } = this.content!;
    if (level === null) return null;
    const { columns, rows } = this.size;
    const place = (column: number, row: number): [number, number] => [
      box.left + ((column + 0.5) / columns) * (box.right - box.left),
      box.bottom - ((row + 0.5) / rows) * (box.bottom - box.top),
    ];
    const d = contourPath(values, columns, rows, level, place);
    return s("g", {}, s("path", { class: "outline-halo", d }), s("path", { class: "outline", d }));
  }

  private mark({ x, y, style, title, letter }: MapMark, across: Scale, up: Scale): SVGElement {
    const [left, top] = [across(x), up(y)];
    return s(
      "g",
      { class: `mark ${style}` },
      s("circle", { cx: left, cy: top, r: letter ? 8 : 5 }),
      letter ? s("text", { x: left, y: top + 4, "text-anchor": "middle" }, letter) : null,
      s("title", {}, title),
    );
  }

  private placeAt({ style }: HTMLElement, box: Box, height: number): void {
    const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)}%`;
    style.left = percent(box.left, this.width);
    style.top = percent(box.top, height);
    style.width = percent(box.right - box.left, this.width);
    style.height = percent(box.bottom - box.top, height);
  }

  private drawCross(): void {
    if (!this.content || this.width === 0) return;
    const { box } = this;
    const { x, y } = this.scales();
    const across = Math.min(box.right, Math.max(box.left, x(this.theta[0])));
    const up = Math.min(box.bottom, Math.max(box.top, y(this.theta[1])));
    const lines = ["halo", "hair"].flatMap((style) => [
      s("line", { class: style, x1: across, x2: across, y1: box.top, y2: box.bottom }),
      s("line", { class: style, x1: box.left, x2: box.right, y1: up, y2: up }),
    ]);
    this.cross.replaceChildren(...lines, s("circle", { class: "handle", cx: across, cy: up, r: 9 }));
    this.ghost.setAttribute(
      "points",
      this.trace.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" "),
    );
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0 || !this.content) return;
    this.isDragging = true;
    this.plot.setPointerCapture(event.pointerId);
    this.plot.focus({ preventScroll: true });
    this.tell(event, true);
    event.preventDefault();
  }

  private move(event: PointerEvent): void {
    if (this.isDragging) this.tell(event, true);
  }

  private end(event: PointerEvent): void {
    if (!this.isDragging) return;
    this.isDragging = false;
    this.tell(event, false);
  }

  private tell(event: PointerEvent, isMoving: boolean): void {
    const place = this.plot.getBoundingClientRect();
    const zoom = this.width / place.width;
    const { box } = this;
    const { x, y } = this.scales();
    const across = Math.min(box.right, Math.max(box.left, (event.clientX - place.left) * zoom));
    const up = Math.min(box.bottom, Math.max(box.top, (event.clientY - place.top) * zoom));
    this.onDrag({ x: x.invert(across), y: y.invert(up), isMoving });
  }

  private onKey(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (!this.content || (!step && event.key !== "Home")) return;
    event.preventDefault();
    const { box } = this;
    const { x, y } = this.scales();
    if (!step) {
      const [lowest] = this.content.minima;
      if (lowest)
        this.onDrag({
          x: this.content.x.values[lowest.column]!,
          y: this.content.y.values[lowest.row]!,
          isMoving: false,
        });
      return;
    }
    const size = event.ctrlKey || event.altKey ? bigStep : smallStep;
    const across = x(this.theta[0]) + size * step[0] * (box.right - box.left);
    const up = y(this.theta[1]) + size * step[1] * (box.bottom - box.top);
    const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
    this.onDrag({
      x: step[0] ? x.invert(within(across, box.left, box.right)) : this.theta[0],
      y: step[1] ? y.invert(within(up, box.top, box.bottom)) : this.theta[1],
      isMoving: true,
    });
  }
}
