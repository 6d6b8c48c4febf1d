// The centre: the map with θ in it, and a small map of every candidate.
import { LineChart, type LineChartOptions } from "../charts/line_chart";
import { type MapMark, ThetaMap } from "../charts/theta_map";
import { extent, unpack } from "../arrays";
import { select } from "../controls";
import { h, replaceInFocus } from "../dom";
import { count, number, sentence, withUnit } from "../format";
import { Candidates } from "../landscape/candidates";
import { LandscapeGrid } from "../landscape/grid";
import { lineContent } from "../landscape/line_view";
import { mapView } from "../landscape/map_view";
import type { ExplorerState } from "../landscape/state";
import type { Profile, Report } from "../report";
import { pinNames, type Live, type ScanLine } from "./live";
import { roomy } from "./room";
import { settled, shareOf } from "./scale";
import { SmallMaps } from "./small_maps";
import type { LiveState } from "./state";

export interface MapMove {
  /** By parameter; those that are not named stay. */
  values: Map<number, number>;
  isMoving: boolean;
}

// How far R has risen where the intervals of its verdicts end, on the lower side. Verdicts may rest on another R than
// that of the network in the map, so that it is the rise that is the same, not the level.
function riseOf(report: Report, name: string): number | null {
  const rises: number[] = [];
  for (const { regularizer, interval, profile } of report.verdicts ?? []) {
    if (regularizer !== name || !interval || !profile) continue;
    const lowest = extent(unpack(profile.R))?.[0] ?? Number.NaN;
    for (const end of interval) if (typeof end === "number") rises.push(profileAt(profile, end) - lowest);
  }
  const known = rises.filter((rise) => rise > 0);
  return known.length > 0 ? Math.min(...known) : null;
}

function profileAt(profile: Profile, theta: number): number {
  const x = unpack(profile.theta);
  const y = unpack(profile.R);
  const k = x.findIndex((value) => value >= theta);
  // At an end of the range the interval was cut, not closed.
  if (k <= 1 || k >= x.length - 1) return Number.NaN;
  const share = (theta - x[k - 1]!) / (x[k]! - x[k - 1]! || 1);
  return y[k - 1]! + share * (y[k]! - y[k - 1]!);
}

export class MapPanel {
  readonly element: HTMLElement;
  private readonly live: Live;
  private readonly map: ThetaMap;
  private line: LineChart | null = null;
  private lineOptions: LineChartOptions | null = null;
  private readonly picture = h("div", { class: "picture" });
  private readonly title = h("h2", { class: "panel-title" });
  private readonly note = h("p", { class: "note", role: "status" }, "Computing the landscape…");
  private readonly key = h("p", { class: "hint" });
  private readonly axes = h("div", { class: "inline-fields axis-choice" });
  private readonly small: SmallMaps;
  private grid: LandscapeGrid | null = null;
  private scan: ScanLine | null = null;
  private isPressed = false;
  private dragged: number | null = null;

  constructor(
    private readonly report: Report,
    private readonly candidates: Candidates,
    private readonly onMove: (move: MapMove) => void,
    onText: (text: string) => void,
    private readonly onAxes: (axes: number[]) => void,
  ) {
    this.live = report.live!;
    this.small = new SmallMaps(candidates, onText);
    this.map = new ThetaMap(
      ({ x, y, isMoving }) => {
        const [across, up] = this.shownAxes;
        this.onMove({
          values: new Map(
            [
              [across!, x],
              [up!, y],
            ].map(([k, v]) => [k!, settled(this.live.parameters[k!]!, v!)]),
          ),
          isMoving,
        });
      },
      () => roomy(270, 380),
    );
    this.listenToLine();
    this.element = h(
      "section",
      { class: "panel landscape", "aria-label": "Landscape" },
      h("div", { class: "panel-head" }, this.title, this.axes),
      this.picture,
      this.note,
      this.key,
      this.small.element,
    );
  }

  private shownAxes: number[] = [];

  get current(): LandscapeGrid | null {
    return this.grid;
  }

  /** A chart of one parameter is dragged like a map. */
  private listenToLine(): void {
    this.picture.addEventListener("pointerdown", () => (this.isPressed = this.line !== null), true);
    window.addEventListener("pointerup", () => {
      if (this.isPressed && this.dragged !== null) this.say(this.dragged, false);
      this.isPressed = false;
      this.dragged = null;
    });
  }

  private say(x: number, isMoving: boolean): void {
    const k = this.shownAxes[0]!;
    this.dragged = x;
    this.onMove({ values: new Map([[k, settled(this.live.parameters[k]!, x)]]), isMoving });
  }

  showAxes(state: LiveState): void {
    if (this.live.parameters.length < 3) return;
    const choices = this.live.parameters.map(({ name }, k) => ({ value: String(k), name }));
    const choose = (side: 0 | 1) =>
      select(side === 0 ? "Across" : "Upward", choices, String(state.axes[side]), (value) => {
        const axes = [...state.axes];
        if (axes[1 - side] === Number(value)) axes[1 - side] = axes[side]!;
        axes[side] = Number(value);
        this.onAxes(axes);
      });
    replaceInFocus(this.axes, choose(0), choose(1));
  }

  /** A landscape came, coarse or fine. */
  take(scan: ScanLine, state: LiveState): void {
    this.scan = scan;
    this.grid = new LandscapeGrid(scan);
    this.draw(state);
  }

  private view(text: string, network: number): ExplorerState {
    return {
      grid: this.grid!,
      shown: this.grid!.axes.length === 1 ? [0] : [0, 1],
      place: this.grid!.axes.map(() => 0),
      hasCursor: false,
      text,
      view: network,
      isLog: false,
      colours: "viridis",
    };
  }

  draw(state: LiveState): void {
    if (!this.grid || !this.scan) return;
    if (!this.candidates.canEvaluate(state.text, this.grid)) return;
    this.shownAxes = this.grid.axes.map(({ name }) =>
      this.live.parameters.findIndex((one) => one.name === name),
    );
    this.title.textContent = `R = ${state.text}`;
    const { windows, n_all, is_last } = this.scan;
    const some = windows === n_all ? `all ${count(n_all)}` : `${count(windows)} of ${count(n_all)}`;
    const where = n_all === 1 ? `the one ${state.split} window` : `${some} ${state.split} windows`;
    const adaptivity = sentence(this.grid.adaptivityOf(state.network));
    const said = [`On ${where}.`, adaptivity && `${adaptivity}.`, is_last ? "" : "Refining…"];
    this.note.textContent = said.filter(Boolean).join(" ");
    this.key.textContent = this.keyText(state);
    if (this.grid.axes.length === 1) this.drawLine(state);
    else this.drawMap(state);
    this.small.draw(this.view(state.text, state.network));
    this.move(state);
  }

  private drawMap(state: LiveState): void {
    const { content } = mapView(this.candidates, this.view(state.text, state.network));
    const rise = riseOf(this.report, state.text.trim());
    const lowest = extent(content.values);
    const held = this.live.parameters.length > 2 ? " The other parameters are held." : "";
    this.map.show({
      ...content,
      label:
        `${state.text} over ${content.x.label} and ${content.y.label}. Arrow keys move θ, with Ctrl by ten; ` +
        `Home goes to the lowest point.${held}`,
      level: rise === null || !lowest ? null : lowest[0] + rise,
      marks: this.marks(state),
    });
    if (this.picture.firstChild !== this.map.element) this.picture.replaceChildren(this.map.element);
  }

  // What the signs in the map mean: of those that it may have, the ones that it has.
  private keyText(state: LiveState): string {
    if (this.grid!.axes.length === 1) return "";
    const others = this.live.seeds.length > 1 ? ", white discs: of the other networks" : "";
    const rise = riseOf(this.report, state.text.trim());
    return [
      `Red disc: lowest R${others}.`,
      ...(rise === null ? [] : ["Dashed: R rises by no more than in the verdict’s intervals."]),
      ...(this.grid!.poorOf(state.network).includes(1) ? ["Hatched: θ does not fit."] : []),
    ].join(" ");
  }

  // The minimum of every network, estimates and pins.
  private marks(state: LiveState): MapMark[] {
    const marks: MapMark[] = [];
    const [across, up] = this.shownAxes;
    this.live.seeds.forEach((seed, network) => {
      const { content } = mapView(this.candidates, this.view(state.text, network));
      const [lowest] = content.minima;
      if (!lowest) return;
      const isChosen = network === state.network;
      const x = content.x.values[lowest.column]!;
      const y = content.y.values[lowest.row]!;
      const title = `lowest of the network of seed ${seed}: ${number(x)}, ${number(y)}`;
      marks.push({ x, y, style: isChosen ? "minimum main" : "minimum", title });
    });
    // Several may be at one place: that of the chosen network is seen.
    marks.sort((a, b) => Number(a.style.includes("main")) - Number(b.style.includes("main")));
    for (const name of pinNames) {
      const theta = state.pins[name];
      if (theta)
        marks.push({
          x: theta[across!]!,
          y: theta[up!]!,
          style: `pin-${name}`,
          title: `pin ${name}`,
          letter: name,
        });
    }
    return marks;
  }

  private drawLine(state: LiveState): void {
    const k = this.shownAxes[0]!;
    const parameter = this.live.parameters[k]!;
    const { options } = lineContent(this.candidates, this.view(state.text, state.network), () => {});
    const others = this.live.seeds.flatMap((seed, network) =>
      network === state.network
        ? []
        : [
            {
              ...options.series[0]!,
              y: this.candidates.evaluate(state.text, this.grid!, network, this.grid!.everywhere()),
              name: `seed ${seed}`,
              style: "line-4 faint",
              low: undefined,
              high: undefined,
            },
          ],
    );
    this.lineOptions = {
      ...options,
      series: [...others, { ...options.series[0]!, low: undefined, high: undefined }],
      xLabel: withUnit(parameter.name, this.report.model.parameters[k]?.unit),
      onHover: (x: number) => this.isPressed && this.say(x, true),
      hasLegend: false,
      hasTable: false,
      height: roomy(250, 330),
    };
    this.moveLine(state);
    if (this.picture.firstChild !== this.line!.element) this.picture.replaceChildren(this.line!.element);
  }

  private moveLine(state: LiveState): void {
    const k = this.shownAxes[0]!;
    const pins = pinNames.flatMap((name) => (state.pins[name] ? [{ x: state.pins[name][k]!, name }] : []));
    const rules = [{ x: state.theta[k]!, name: `θ = ${number(state.theta[k]!)}` }, ...pins];
    const options = { ...this.lineOptions!, rules };
    if (this.line) this.line.update(options);
    else this.line = new LineChart(options);
  }

  /** θ has moved; the landscape stays. */
  move(state: LiveState): void {
    if (!this.grid) return;
    const [across, up] = this.shownAxes;
    if (up === undefined) {
      if (this.line) this.moveLine(state);
      this.small.moveTo(shareOf(this.live.parameters[across!]!, state.theta[across!]!), 0);
      return;
    }
    this.map.moveTo(state.theta[across!]!, state.theta[up]!);
    this.small.moveTo(
      shareOf(this.live.parameters[across!]!, state.theta[across!]!),
      1 - shareOf(this.live.parameters[up]!, state.theta[up]!),
    );
  }

  trace(thetas: number[][]): void {
    const [across, up] = this.shownAxes;
    if (up !== undefined) this.map.follow(thetas.map((theta) => [theta[across!]!, theta[up]!]));
  }
}
