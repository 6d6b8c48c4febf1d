// The controls of the explorer.
import { colourMapNames, type ColourMapName } from "../charts/colour_maps";
import { checkbox, type Choice, select, slider, type Slider } from "../controls";
import { h } from "../dom";
import { number, withUnit } from "../format";
import type { Candidates } from "./candidates";
import { ExpressionField } from "./expression_field";
import type { LandscapeGrid } from "./grid";
import { lowestEverywhere } from "./lowest";
import type { ExplorerState, NetworkView } from "./state";
import { Weights } from "./weights";

type Change = (change: Partial<ExplorerState>) => void;

const expressionHelp =
  "Names of candidates and parameters, mean(…) of the list below, L, rmse, nrmse, + - * / ^, " +
  "comparisons, where(…), sin, exp, …";

function gridName(grid: LandscapeGrid): string {
  const held = Object.entries(grid.held).map(([name, value]) => `${name} = ${number(value)}`);
  const axes = grid.axes.map(({ name }) => name).join(", ");
  return held.length > 0 ? `${axes} (${held.join(", ")})` : axes;
}

function networkChoices(grid: LandscapeGrid): Choice[] {
  return [
    { value: "mean", name: `mean of ${grid.nNetworks} networks` },
    { value: "spread", name: "spread: highest − lowest" },
    ...grid.data.networks.map(({ seed }, k) => ({
      value: String(k),
      name: `seed ${seed}${k === 0 ? " (this run)" : ""}`,
    })),
  ];
}

export class Controls {
  /** What is asked of the landscape; stands before the picture. */
  readonly question: HTMLElement;
  /** How it is shown; on a narrow page stands after the picture. */
  readonly settings: HTMLElement;
  private readonly candidate: HTMLElement;
  private readonly weights: Weights;
  private readonly axes = h("div", { class: "axes" });
  private readonly field: ExpressionField;
  private logarithm: HTMLElement;
  private sliders = new Map<number, Slider>();

  constructor(
    private readonly grids: LandscapeGrid[],
    private readonly candidates: Candidates,
    private state: ExplorerState,
    private readonly change: Change,
    onRead: (isValid: boolean) => void,
  ) {
    this.field = new ExpressionField((text) => this.accept(text), onRead, expressionHelp);
    this.logarithm = checkbox("Logarithmic scale", state.isLog, (isLog) => change({ isLog }));
    this.candidate = this.candidateSelect();
    this.weights = new Weights(candidates.regularizers, (text) => {
      this.field.text = text;
    });
    this.question = h(
      "div",
      { class: "controls question", role: "group", "aria-label": "What the landscape shows" },
      this.candidate,
      this.field.element,
    );
    this.settings = h(
      "div",
      { class: "controls settings", role: "group", "aria-label": "How the landscape is shown" },
      this.weights.element,
      this.axes,
      this.logarithm,
      select(
        "Colours",
        colourMapNames.map((name) => ({ value: name, name })),
        state.colours,
        (name) => change({ colours: name as ColourMapName }),
      ),
      this.meansList(),
    );
    this.rebuild(state);
    this.field.text = state.text;
  }

  /** Makes anew what depends on the grid and on the axes shown. */
  rebuild(state: ExplorerState): void {
    this.state = state;
    const { grid } = state;
    this.sliders.clear();
    this.axes.replaceChildren(
      ...(this.grids.length > 1 ? [this.gridSelect()] : []),
      ...(grid.axes.length > 1 ? [this.axisSelect(0), this.axisSelect(1)] : []),
      ...this.placeSliders(),
      ...(grid.axes.length > 2 ? [this.lowestButton()] : []),
      ...(grid.nNetworks > 1 ? [this.networkSelect()] : []),
    );
  }

  showText(text: string): void {
    this.field.text = text;
  }

  /** Names of the expression may mean something else, or nothing, in another grid. */
  readAgain(): void {
    this.field.read();
  }

  showPlace(state: ExplorerState): void {
    for (const [axis, { set }] of this.sliders) set(state.place[axis]!);
  }

  setLogarithm(isPossible: boolean): void {
    const input = this.logarithm.querySelector("input")!;
    input.disabled = !isPossible;
    const reason = isPossible ? "" : " (not here: some values are not positive)";
    this.logarithm.querySelector("label")!.textContent = `Logarithmic scale${reason}`;
  }

  private candidateSelect(): HTMLElement {
    const names = [...this.candidates.regularizers.map(({ name }) => name), "nrmse", "L"];
    const choices = [...names.map((name) => ({ value: name, name })), { value: "", name: "as typed below" }];
    return select("Candidate", choices, this.state.text, (name) => {
      if (name) this.field.text = name;
    });
  }

  private accept(text: string): void {
    this.candidates.check(text, this.state.grid);
    this.follow(text);
    this.change({ text });
  }

  // Other controls say the same as the expression.
  private follow(text: string): void {
    const list = this.candidate.querySelector("select")!;
    list.value = text.trim();
    if (list.selectedIndex < 0) list.value = "";
    this.weights.follow(text);
  }

  private gridSelect(): HTMLElement {
    const choices = this.grids.map((grid, k) => ({ value: String(k), name: gridName(grid) }));
    const chosen = String(this.grids.indexOf(this.state.grid));
    return select("Landscape", choices, chosen, (k) => this.change({ grid: this.grids[Number(k)]! }));
  }

  private axisSelect(k: 0 | 1): HTMLElement {
    const { grid, shown } = this.state;
    const choices = grid.axes.map(({ name }, axis) => ({ value: String(axis), name }));
    return select(k === 0 ? "Across" : "Upward", choices, String(shown[k]), (value) => {
      const chosen = [...shown];
      // The axis that stood there before takes the other's place.
      if (chosen[1 - k] === Number(value)) chosen[1 - k] = chosen[k]!;
      chosen[k] = Number(value);
      this.change({ shown: chosen });
    });
  }

  // Parameters that are held; on a landscape of one parameter, its cursor.
  private placeSliders(): HTMLElement[] {
    const { grid, shown } = this.state;
    return grid.axes.flatMap(({ name, unit, values }, axis) => {
      const isCursor = grid.axes.length === 1;
      if (shown.includes(axis) && !isCursor) return [];
      const made = slider({
        label: isCursor ? `Cursor at ${withUnit(name, unit)}` : withUnit(name, unit),
        min: 0,
        max: values.length - 1,
        value: this.state.place[axis]!,
        describe: (place) => number(values[place]),
        onInput: (along) => {
          const place = [...this.state.place];
          place[axis] = along;
          this.change(isCursor ? { place, hasCursor: true } : { place });
        },
      });
      this.sliders.set(axis, made);
      return [made.element];
    });
  }

  private lowestButton(): HTMLElement {
    const go = () => this.change({ place: lowestEverywhere(this.candidates, this.state), hasCursor: true });
    return h("button", { type: "button", click: go }, "Go to the lowest point of all");
  }

  private networkSelect(): HTMLElement {
    const { grid, view } = this.state;
    return select("Networks", networkChoices(grid), String(view), (value) => {
      const chosen: NetworkView = value === "mean" || value === "spread" ? value : Number(value);
      this.change({ view: chosen });
    });
  }

  private meansList(): HTMLElement {
    const add = (term: string) => () => {
      this.field.text = term;
    };
    const terms = this.state.grid.data.terms.map((term) =>
      h("li", {}, h("button", { type: "button", class: "term", click: add(term) }, term)),
    );
    return h("details", { class: "means" }, h("summary", {}, "Means that are known"), h("ul", {}, ...terms));
  }
}
