// A map with a point in it that can be dragged anywhere.
import { s } from "../dom";
import { contourPath } from "./contour";
import { Hairs } from "./hairs";
import { arrowOf, type MapContent, MapPicture } from "./map_picture";

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

const smallStep = 0.01;
const bigStep = 0.1;
const leastHeight = 240;
const smoothColumns = 30;

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

export class ThetaMap {
  readonly element: HTMLElement;
  private readonly picture: MapPicture<ThetaMapContent>;
  private readonly hairs = new Hairs();
  private readonly handle = s("circle", { class: "handle", r: 9 });
  private readonly cross = s("g", { class: "theta-cross" }, this.hairs.element, this.handle);
  private readonly ghost = s("polyline", { class: "trace" });
  private theta: [number, number] = [0, 0];
  private trace: [number, number][] = [];
  private isDragging = false;

  constructor(
    private readonly onDrag: (drag: Drag) => void,
    mostHeight: () => number,
  ) {
    this.picture = new MapPicture<ThetaMapContent>({
      class: "map theta-map",
      height: (plotWidth) => Math.max(leastHeight, Math.min(plotWidth, mostHeight())),
      // Landscapes come coarse first: blended, the first ones look like the last.
      isSmooth: (columns) => columns < smoothColumns,
      under: () => [this.outline()],
      over: () => [...this.marks(), this.ghost, this.cross],
      onDrawn: () => {
        this.hairs.draw(this.picture.box);
        this.drawCross();
      },
      listeners: {
        keydown: (event) => this.onKey(event as KeyboardEvent),
        pointerdown: (event) => this.begin(event as PointerEvent),
        pointermove: (event) => this.move(event as PointerEvent),
        pointerup: (event) => this.end(event as PointerEvent),
        pointercancel: (event) => this.end(event as PointerEvent),
      },
    });
    this.element = this.picture.element;
  }

  show(content: ThetaMapContent): void {
    this.picture.show(content);
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

  private outline(): SVGElement | null {
    const { values, level } = this.picture.content!;
    if (level === null) return null;
    const { box } = this.picture;
    const { columns, rows } = this.picture.size;
    const place = (column: number, row: number): [number, number] => [
      box.left + ((column + 0.5) / columns) * (box.right - box.left),
      box.bottom - ((row + 0.5) / rows) * (box.bottom - box.top),
    ];
    const d = contourPath(values, columns, rows, level, place);
    return s("g", {}, s("path", { class: "outline-halo", d }), s("path", { class: "outline", d }));
  }

  // At the edge where they lie beyond it.
  private marks(): SVGElement[] {
    const { box } = this.picture;
    const { x, y } = this.picture.scales();
    return this.picture.content!.marks.map((mark) =>
      markAt(mark, within(x(mark.x), box.left, box.right), within(y(mark.y), box.top, box.bottom)),
    );
  }

  private drawCross(): void {
    if (!this.picture.isDrawn) return;
    const { box } = this.picture;
    const { x, y } = this.picture.scales();
    const across = within(x(this.theta[0]), box.left, box.right);
    const up = within(y(this.theta[1]), box.top, box.bottom);
    this.hairs.moveTo(across, up);
    this.handle.setAttribute("transform", `translate(${across.toFixed(2)} ${up.toFixed(2)})`);
    const inside = ([a, b]: [number, number]) =>
      `${within(x(a), box.left, box.right).toFixed(1)},${within(y(b), box.top, box.bottom).toFixed(1)}`;
    this.ghost.setAttribute("points", this.trace.map(inside).join(" "));
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0 || !this.picture.isDrawn) return;
    const { plot } = this.picture;
    this.isDragging = true;
    plot.setPointerCapture(event.pointerId);
    plot.focus({ preventScroll: true });
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
    const { box } = this.picture;
    const { x, y } = this.picture.scales();
    const [left, top] = this.picture.pointAt(event);
    this.onDrag({
      x: x.invert(within(left, box.left, box.right)),
      y: y.invert(within(top, box.top, box.bottom)),
      isMoving,
    });
  }

  private onKey(event: KeyboardEvent): void {
    const step = arrowOf(event.key);
    if (!this.picture.isDrawn || (!step && event.key !== "Home")) return;
    event.preventDefault();
    if (!step) return this.goToLowest();
    const { box } = this.picture;
    const { x, y } = this.picture.scales();
    const size = event.ctrlKey || event.altKey ? bigStep : smallStep;
    const across = x(this.theta[0]) + size * step[0] * (box.right - box.left);
    const up = y(this.theta[1]) - size * step[1] * (box.bottom - box.top);
    return this.onDrag({
      x: step[0] ? x.invert(within(across, box.left, box.right)) : this.theta[0],
      y: step[1] ? y.invert(within(up, box.top, box.bottom)) : this.theta[1],
      isMoving: true,
    });
  }

  private goToLowest(): void {
    const { x, y, minima } = this.picture.content!;
    const [lowest] = minima;
    if (lowest) this.onDrag({ x: x.values[lowest.column]!, y: y.values[lowest.row]!, isMoving: false });
  }
}

function markAt({ style, title, letter }: MapMark, left: number, top: number): SVGElement {
  return s(
    "g",
    { class: `mark ${style}` },
    s("circle", { cx: left, cy: top, r: letter ? 8 : 5 }),
    letter ? s("text", { x: left, y: top + 4, "text-anchor": "middle" }, letter) : null,
    s("title", {}, title),
  );
}
