// Beneath the map: a small one of every candidate, all with the same cross; of one parameter, small lines.
import { paint } from "../charts/colour_maps";
import { extent, type Numbers } from "../arrays";
import { h, replaceInFocus, s } from "../dom";
import type { Candidates } from "../landscape/candidates";
import { mapView } from "../landscape/map_view";
import type { ExplorerState } from "../landscape/state";

const most = 8;

export class SmallMaps {
  readonly element = h("div", { class: "thumbnails", role: "group", "aria-label": "All candidates" });
  private crosses: HTMLElement[] = [];

  constructor(
    private readonly candidates: Candidates,
    private readonly onChoice: (name: string) => void,
  ) {}

  draw(view: ExplorerState): void {
    const names = this.candidates.regularizers.map(({ name }) => name);
    this.element.hidden = names.length < 2;
    if (this.element.hidden) return;
    this.crosses = [];
    replaceInFocus(this.element, ...names.slice(0, most).map((name) => this.one(name, view)));
  }

  /** In shares of the width and, from the top, of the height. */
  moveTo(across: number, down: number): void {
    const [x, y] = [across, down].map((share) => `${(100 * share).toFixed(2)}%`);
    for (const { style } of this.crosses) style.transform = `translate(${x}, ${y})`;
  }

  private one(name: string, view: ExplorerState): HTMLElement {
    const isLine = view.shown.length === 1;
    const picture = isLine ? this.line(name, view) : this.map(name, view);
    // As large as the picture, so that shares of it are shares of the picture.
    const sign = h("span", { class: isLine ? "small-rule" : "small-cross" });
    const cross = h("span", { class: "small-place", "aria-hidden": "true" }, sign);
    this.crosses.push(cross);
    return h(
      "button",
      {
        type: "button",
        class: "thumbnail",
        "aria-pressed": String(name === view.text.trim()),
        click: () => this.onChoice(name),
      },
      h("span", { class: "small-map" }, picture, cross),
      h("span", {}, name),
    );
  }

  private map(name: string, view: ExplorerState): Element {
    const { content } = mapView(this.candidates, { ...view, text: name });
    const [columns, rows] = [content.x.values.length, content.y.values.length];
    const canvas = h("canvas", { width: columns, height: rows, "aria-hidden": "true" });
    const image = new ImageData(columns, rows);
    paint(image, content.values, content.bar.range, content.colours);
    canvas.getContext("2d")!.putImageData(image, 0, 0);
    return canvas;
  }

  private line(name: string, { grid, view }: ExplorerState): Element {
    const network = typeof view === "number" ? view : 0;
    const values = this.candidates.evaluate(name, grid, network, grid.everywhere());
    return s(
      "svg",
      { viewBox: "0 0 100 60", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("path", { class: "series line-1", d: linePath(values) }),
    );
  }
}

// In a box of 100 by 60, whatever the values; gaps where there are none.
function linePath(values: Numbers): string {
  const [low, high] = extent(values) ?? [0, 1];
  const size = high - low || 1;
  let path = "";
  let isDown = false;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (Number.isFinite(value))
      path += `${isDown ? "L" : "M"}${((100 * i) / (values.length - 1)).toFixed(1)} ${(55 - (50 * (value - low)) / size).toFixed(1)}`;
    isDown = Number.isFinite(value);
  }
  return path;
}
