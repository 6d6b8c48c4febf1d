// Where the values of a grid cross a level, as segments of a path (marching squares).

/** Values [column][row]; gives the path in units of cells, (0, 0) being the first value. */
export function contourPath(
  values: ArrayLike<number>,
  nColumns: number,
  nRows: number,
  level: number,
  place: (column: number, row: number) => [number, number],
): string {
  const at = (column: number, row: number) => values[column * nRows + row]!;
  const cut = (a: number, b: number) => (level - a) / (b - a);
  const parts: string[] = [];
  for (let column = 0; column + 1 < nColumns; ++column) {
    for (let row = 0; row + 1 < nRows; ++row) {
      const corners = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
      if (!corners.every(Number.isFinite)) continue;
      const [a, b, c, d] = corners as [number, number, number, number];
      const crossings: [number, number][] = [];
      if (a <= level !== b <= level) crossings.push([column + cut(a, b), row]);
      if (b <= level !== c <= level) crossings.push([column + 1, row + cut(b, c)]);
      if (d <= level !== c <= level) crossings.push([column + cut(d, c), row + 1]);
      if (a <= level !== d <= level) crossings.push([column, row + cut(a, d)]);
      for (let k = 0; k + 1 < crossings.length; k += 2) {
        const from = place(...crossings[k]!);
        const to = place(...crossings[k + 1]!);
        parts.push(`M${from[0].toFixed(1)} ${from[1].toFixed(1)}L${to[0].toFixed(1)} ${to[1].toFixed(1)}`);
      }
    }
  }
  return parts.join("");
}
