// The lowest point of a whole grid, however many axes it has.
import type { Candidates } from "./candidates";
import { type ExplorerState, viewValues } from "./state";

/** One place along each axis. */
export function lowestEverywhere(candidates: Candidates, state: ExplorerState): number[] {
  const { grid } = state;
  const values = viewValues(candidates, state, grid.everywhere());
  let best = 0;
  for (let i = 1; i < values.length; ++i)
    if (values[i]! < values[best]! || Number.isNaN(values[best]!)) best = i;
  return grid.axes.map((_, axis) => grid.along(axis, best));
}
