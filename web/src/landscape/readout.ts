// Tells in words what the cursor points at and where the minima lie.
import { h } from "../dom";
import { number, sentence } from "../format";
import type { Candidates } from "./candidates";
import type { Points } from "./grid";
import type { FoundMinimum } from "./map_view";
import { type ExplorerState, viewName, viewValues } from "./state";

const maxTold = 4;

export class Readout {
  readonly element = h("p", { class: "readout", "aria-live": "polite" });

  constructor(private readonly candidates: Candidates) {}

  show(state: ExplorerState): void {
    if (!state.hasCursor) {
      const keys =
        state.shown.length === 1 ? "move the slider of the cursor" : "focus it and use the arrow keys";
      this.element.textContent = `Point at the picture, or ${keys}, to read values.`;
      return;
    }
    const { grid, place } = state;
    const where = grid.axes.map((axis, k) => `${axis.name} = ${number(axis.values[place[k]!])}`).join(", ");
    const at = place.reduce((sum, along, k) => sum + along * grid.strides[k]!, 0);
    const here = grid.point(at);
    const value = viewValues(this.candidates, state, here)[0];
    const error = this.error(state, here);
    const poor = grid.poorOf(state.view)[at] === 1 ? "; θ does not fit the data here" : "";
    this.element.replaceChildren(
      h("span", {}, where),
      h("strong", {}, `${state.text} = ${number(value)}`),
      h("span", {}, `NRMSE ${number(Number((100 * error).toPrecision(3)))} %${poor}`),
    );
  }

  // Of one network, or the mean over all.
  private error({ grid, view }: ExplorerState, here: Points): number {
    const all = typeof view === "number" ? [view] : grid.data.networks.map((_, network) => network);
    const errors = all.map((network) => this.candidates.evaluate("nrmse", grid, network, here)[0]!);
    return errors.reduce((a, b) => a + b) / errors.length;
  }
}

function told(state: ExplorerState, { places, value, isPoor }: FoundMinimum): string {
  const where = state.shown.map((axis, k) => {
    const { name, values } = state.grid.axes[axis]!;
    return `${name} = ${number(values[places[k]!])}`;
  });
  const caution = isPoor ? " (where the model does not fit the data: it means little)" : "";
  return `${number(value)} at ${where.join(", ")}${caution}`;
}

/** "Lowest 0.3 at a = 1; further minima: …" */
export function minimaSentence(state: ExplorerState, { minima }: { minima: FoundMinimum[] }): string {
  const [lowest, ...others] = minima;
  if (state.view === "spread") return `${sentence(viewName(state))}: where it is large, networks disagree.`;
  if (!lowest) return "There is no finite value here.";
  const view = viewName(state);
  const first = `${view ? `${sentence(view)}: lowest` : "Lowest"} ${told(state, lowest)}`;
  if (others.length === 0) return `${first}.`;
  const more = others
    .slice(0, maxTold)
    .map((minimum) => told(state, minimum))
    .join("; ");
  const rest = others.length > maxTold ? `; and ${others.length - maxTold} more` : "";
  return `${first}. Further minima: ${more}${rest}.`;
}
