// Hatching over cells of a map: where θ does not fit the data, a value says little.
import type { Numbers } from "../arrays";
import { s } from "../dom";
import type { Box } from "./frame";

export function hatchPattern(id: string): SVGElement {
  return s(
    "pattern",
    { id, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("line", { class: "hatch-halo", x1: 0, x2: 0, y1: 0, y2: 7 }),
    s("line", { class: "hatch-line", x1: 0, x2: 0, y1: 0, y2: 7 }),
  );
}

/** One rectangle for each run of cells that hold 1 along a column; places run up each column. */
export function runsPath(columns: number, rows: number, cells: Numbers, box: Box): string {
  const width = (box.right - box.left) / columns;
  const height = (box.bottom - box.top) / rows;
  const parts: string[] = [];
  for (let column = 0; column < columns; ++column) {
    for (let row = 0; row < rows; ++row) {
      if (cells[column * rows + row] !== 1) continue;
      const begin = row;
      while (row < rows && cells[column * rows + row] === 1) ++row;
      const left = (box.left + column * width).toFixed(2);
      const bottom = (box.bottom - begin * height).toFixed(2);
      parts.push(`M${left} ${bottom}v${(-(row - begin) * height).toFixed(2)}h${width.toFixed(2)}V${bottom}z`);
    }
  }
  return parts.join("");
}
