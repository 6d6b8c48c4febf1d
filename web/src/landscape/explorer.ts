// The explorer of landscapes: keeps the state, and has everything drawn that depends on what has changed.
import { Heatmap } from "../charts/heatmap";
import { LineChart } from "../charts/line_chart";
import { h, oncePerFrame } from "../dom";
import { sentence } from "../format";
import type { Report } from "../report";
import { Candidates } from "./candidates";
import { Controls } from "./controls";
import { LandscapeGrid } from "./grid";
import { lineContent } from "./line_view";
import { MapNumbers } from "./map_numbers";
import { type MapView, mapView } from "./map_view";
import { Profiles } from "./profiles";
import { minimaSentence, Readout } from "./readout";
import { Thumbnails } from "./thumbnails";
import { type ExplorerState, initialState, viewName } from "./state";

export class Explorer {
  readonly element: HTMLElement;
  private state: ExplorerState;
  private view: MapView | null = null;
  private readonly candidates: Candidates;
  private readonly controls: Controls;
  private readonly heatmap = new Heatmap(({ column, row }) => this.pointAt([column, row]));
  private line: LineChart | null = null;
  private readonly profiles: Profiles;
  private readonly readout: Readout;
  private readonly thumbnails: Thumbnails;
  private readonly picture = h("div", { class: "picture" });
  private readonly shown: HTMLElement;
  private readonly title = h("p", { class: "map-title" });
  private readonly stale = h("p", { class: "stale-note", role: "status", hidden: true });
  private drawn = "";
  private readonly minima = h("p", { class: "minima" });
  private readonly numbers = new MapNumbers(() => this.view!.content);
  private readonly adaptivity = h("p", { class: "note" });
  private readonly redraw = oncePerFrame(() => this.draw());
  private readonly redrawCursor = oncePerFrame(() => this.drawCursor());

  constructor(report: Report) {
    const grids = report.grids!.map((grid) => new LandscapeGrid(grid));
    const regularizers = report.regularizers ?? [];
    this.candidates = new Candidates(regularizers, report.run ?? "RUN");
    const chosen = regularizers.find(({ name }) => name === report.training?.regularizer) ?? regularizers[0];
    this.state = initialState(grids[0]!, chosen?.name ?? "nrmse");
    this.profiles = new Profiles(this.candidates);
    this.readout = new Readout(this.candidates);
    this.thumbnails = new Thumbnails(this.candidates, (text) => this.controls.showText(text));
    this.shown = h(
      "div",
      { class: "shown" },
      this.title,
      this.stale,
      this.picture,
      this.readout.element,
      this.minima,
      this.adaptivity,
      this.numbers.element,
    );
    this.controls = new Controls(
      grids,
      this.candidates,
      this.state,
      (change) => this.change(change),
      (isValid) => this.setStale(!isValid),
    );
    this.element = h(
      "div",
      { class: "explorer" },
      this.controls.question,
      this.shown,
      this.controls.settings,
      this.thumbnails.element,
      this.profiles.element,
    );
    this.redraw();
  }

  private change(change: Partial<ExplorerState>): void {
    if (change.grid && change.grid !== this.state.grid) {
      const { text, isLog, colours } = this.state;
      this.state = { ...initialState(change.grid, text), isLog, colours };
      this.controls.rebuild(this.state);
      this.controls.readAgain();
    } else {
      Object.assign(this.state, change);
      if (change.shown) this.controls.rebuild(this.state);
      if (change.place) this.controls.showPlace(this.state);
    }
    this.redraw();
  }

  // The cursor's place, in the order of the axes shown.
  private pointAt(places: number[]): void {
    this.state.shown.forEach((axis, k) => {
      this.state.place[axis] = places[k]!;
    });
    this.state.hasCursor = true;
    this.redrawCursor();
  }

  private draw(): void {
    const { state } = this;
    // The controls say what is wrong; the last picture stays, and says that it is the last.
    if (!this.candidates.canEvaluate(state.text, state.grid)) return this.setStale(true);
    this.setStale(false);
    this.drawn = state.text;
    const view = viewName(state);
    this.title.textContent = `R = ${state.text}${view ? `, ${view}` : ""}`;
    this.adaptivity.textContent = sentence(state.grid.adaptivityOf(state.view));
    if (state.shown.length === 1) this.drawLine();
    else this.drawMap();
    this.readout.show(state);
    // The map first: the profiles may take as long again.
    if (state.grid.axes.length > 1)
      setTimeout(() => {
        this.profiles.update(state);
        setTimeout(() => this.thumbnails.update(state));
      });
  }

  /** Whether what is typed cannot be shown, so that the picture is of something else. */
  private setStale(isStale: boolean): void {
    this.shown.classList.toggle("stale", isStale);
    this.stale.hidden = !isStale;
    this.stale.textContent = isStale
      ? `What is typed cannot be shown; the picture is still that of ${this.drawn}.`
      : "";
  }

  private drawMap(): void {
    this.view = mapView(this.candidates, this.state);
    this.controls.setLogarithm(this.view.canBeLog);
    this.heatmap.show(this.view.content);
    this.numbers.forget();
    this.heatmap.moveTo(this.cursor());
    if (this.picture.firstChild !== this.heatmap.element) this.picture.replaceChildren(this.heatmap.element);
    this.minima.textContent = minimaSentence(this.state, this.view);
    this.profiles.element.hidden = this.numbers.element.hidden = false;
  }

  private drawLine(): void {
    const view = lineContent(this.candidates, this.state, (place) => this.pointAt([place]));
    this.controls.setLogarithm(view.canBeLog);
    if (this.line) this.line.update(view.options);
    else this.line = new LineChart(view.options);
    if (this.picture.firstChild !== this.line.element) this.picture.replaceChildren(this.line.element);
    this.minima.textContent = minimaSentence(this.state, view);
    this.profiles.element.hidden = this.numbers.element.hidden = this.thumbnails.element.hidden = true;
  }

  private drawCursor(): void {
    const { state } = this;
    this.readout.show(state);
    this.controls.showPlace(state);
    if (state.shown.length === 1) this.drawLine();
    else {
      this.heatmap.moveTo(this.cursor());
      this.profiles.draw(state);
    }
  }

  private cursor() {
    const { shown, place, hasCursor } = this.state;
    return hasCursor ? { column: place[shown[0]!]!, row: place[shown[1]!]! } : null;
  }
}
