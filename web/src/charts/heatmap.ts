// A map with a cursor that the mouse, a finger and the arrow keys move from cell to cell.
import { s } from "../dom";
import { Hairs } from "./hairs";
import { arrowOf, type Cell, type MapContent, MapPicture } from "./map_picture";

const bigStep = 10;

export class Heatmap {
  readonly element: HTMLElement;
  private readonly picture: MapPicture;
  private readonly hairs = new Hairs();
  private readonly crosshair = s("g", { class: "crosshair", display: "none" }, this.hairs.element);
  private cursor: Cell | null = null;

  constructor(
    private readonly onCursor: (cell: Cell) => void,
    private readonly maxHeight = 480,
  ) {
    this.picture = new MapPicture({
      class: "map",
      height: (plotWidth, pageWidth) => this.heightFor(plotWidth, pageWidth),
      isSmooth: (columns, plotWidth) => columns > plotWidth,
      over: () => [this.crosshair, ...this.minima()],
      onDrawn: () => {
        this.hairs.draw(this.picture.box);
        this.drawCrosshair();
      },
      listeners: {
        keydown: (event) => this.onKey(event as KeyboardEvent),
        pointermove: (event) => this.onPointer(event as PointerEvent),
        pointerdown: (event) => this.onPointer(event as PointerEvent),
      },
    });
    this.element = this.picture.element;
  }

  show(content: MapContent): void {
    this.picture.show(content);
  }

  moveTo(cell: Cell | null): void {
    this.cursor = cell;
    this.drawCrosshair();
  }

  // Wide pages have higher maps, but none is much higher than wide.
  private heightFor(plotWidth: number, pageWidth: number): number {
    const axes = 58;
    const wanted = Math.max(
      this.maxHeight,
      Math.min(0.5 * pageWidth, 0.8 * this.maxHeight * (pageWidth / 900)),
    );
    return Math.min(wanted - axes, Math.max(240, 0.82 * plotWidth));
  }

  private minima(): SVGElement[] {
    const { x, y } = this.picture.scales();
    const content = this.picture.content!;
    return content.minima
      .map(({ column, row }, rank) =>
        s("circle", {
          class: rank === 0 ? "minimum main" : "minimum",
          cx: x(content.x.values[column]!),
          cy: y(content.y.values[row]!),
          r: rank === 0 ? 6 : 5,
        }),
      )
      .reverse();
  }

  private drawCrosshair(): void {
    this.crosshair.setAttribute("display", this.cursor && this.picture.isDrawn ? "inline" : "none");
    if (!this.cursor || !this.picture.isDrawn) return;
    const { x, y } = this.picture.scales();
    const content = this.picture.content!;
    this.hairs.moveTo(x(content.x.values[this.cursor.column]!), y(content.y.values[this.cursor.row]!));
  }

  private setCursor(column: number, row: number): void {
    const { columns, rows } = this.picture.size;
    this.cursor = {
      column: Math.min(columns - 1, Math.max(0, column)),
      row: Math.min(rows - 1, Math.max(0, row)),
    };
    this.drawCrosshair();
    this.onCursor(this.cursor);
  }

  private onPointer(event: PointerEvent): void {
    if (!this.picture.isDrawn) return;
    const { box, size } = this.picture;
    const [left, top] = this.picture.pointAt(event);
    const across = (left - box.left) / (box.right - box.left);
    const up = (box.bottom - top) / (box.bottom - box.top);
    if (across < 0 || across >= 1 || up < 0 || up >= 1) return;
    this.setCursor(Math.floor(across * size.columns), Math.floor(up * size.rows));
  }

  private onKey(event: KeyboardEvent): void {
    const step = arrowOf(event.key);
    if (!this.picture.isDrawn || (!step && event.key !== "Home")) return;
    event.preventDefault();
    const lowest = this.picture.content!.minima[0] ?? { column: 0, row: 0 };
    const from = this.cursor ?? lowest;
    if (!step) return this.setCursor(lowest.column, lowest.row);
    const size = event.shiftKey ? bigStep : 1;
    return this.setCursor(from.column + size * step[0], from.row + size * step[1]);
  }
}
