// All candidates side by side: a small map each, which shows its candidate in the large one.
import { paint } from "../charts/colour_maps";
import { h } from "../dom";
import type { Candidates } from "./candidates";
import { mapView } from "./map_view";
import type { ExplorerState } from "./state";

const most = 12;
const discRadius = 0.035;
/** As the large map marks its lowest point. */
const lowestColour = "#d7263d";
/** Finer maps would take too long to be drawn for every candidate. */
const mostPoints = 60000;

function draw(canvas: HTMLCanvasElement, candidates: Candidates, state: ExplorerState): void {
  const { content } = mapView(candidates, state);
  const columns = content.x.values.length;
  const rows = content.y.values.length;
  const small = h("canvas", { width: columns, height: rows });
  const image = new ImageData(columns, rows);
  paint(image, content.values, content.bar.range, content.colours);
  small.getContext("2d")!.putImageData(image, 0, 0);
  const context = canvas.getContext("2d")!;
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  const [lowest] = content.minima;
  if (!lowest) return;
  context.beginPath();
  context.arc(
    ((lowest.column + 0.5) / columns) * canvas.width,
    (1 - (lowest.row + 0.5) / rows) * canvas.height,
    discRadius * canvas.width,
    0,
    2 * Math.PI,
  );
  context.fillStyle = lowestColour;
  context.strokeStyle = "#ffffff";
  context.lineWidth = 3;
  context.fill();
  context.stroke();
}

export class Thumbnails {
  readonly element = h("div", { class: "thumbnails", role: "group", "aria-label": "All candidates" });
  private drawnFor = "";

  constructor(
    private readonly candidates: Candidates,
    private readonly choose: (text: string) => void,
  ) {}

  /** Draws those that the grid can show, when something but the cursor has changed. */
  update(state: ExplorerState): void {
    const { grid, shown, place, view, isLog, colours } = state;
    const held = place.filter((_, axis) => !shown.includes(axis));
    const key = JSON.stringify([Object.keys(grid.held), grid.n, shown, held, view, isLog, colours]);
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    const names = this.candidates.regularizers
      .map(({ name }) => name)
      .filter((name) => this.candidates.canEvaluate(name, grid))
      .slice(0, most);
    const nPoints = shown.reduce((n, axis) => n * grid.size(axis), 1);
    this.element.hidden = shown.length !== 2 || names.length < 2 || nPoints > mostPoints;
    if (this.element.hidden) return;
    this.element.replaceChildren(...names.map((name) => this.thumbnail(name, state)));
  }

  private thumbnail(name: string, state: ExplorerState): HTMLElement {
    const canvas = h("canvas", { width: 320, height: 260, "aria-hidden": "true" });
    draw(canvas, this.candidates, { ...state, text: name });
    return h(
      "button",
      { type: "button", class: "thumbnail", click: () => this.choose(name) },
      canvas,
      h("span", {}, name),
    );
  }
}
