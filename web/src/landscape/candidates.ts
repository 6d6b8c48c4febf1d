// Evaluates expressions over the candidates, means and parameters of a landscape.
import type { Numbers } from "../arrays";
import { chunkSize, compile, type Environment, type Evaluate } from "../language/compile";
import { EquationError } from "../language/equation_error";
import { canonical, parse, type Syntax } from "../language/parser";
import type { Regularizer } from "../report";
import type { LandscapeGrid, Points } from "./grid";

const errorNames = ["L", "rmse", "nrmse"];

function gather(source: Numbers, points: Points): Evaluate {
  const { places } = points;
  if (!places) return (out, begin, n) => out.set(source.subarray(begin, begin + n));
  return (out, begin, n) => {
    for (let i = 0; i < n; ++i) out[i] = source[places[begin + i]!]!;
  };
}

function coordinate(grid: LandscapeGrid, axis: number, points: Points): Evaluate {
  const { values } = grid.axes[axis]!;
  const { places } = points;
  if (places) {
    return (out, begin, n) => {
      for (let i = 0; i < n; ++i) out[i] = values[grid.along(axis, places[begin + i]!)]!;
    };
  }
  // In order the same value stands in a row `stride` times.
  const stride = grid.strides[axis]!;
  return (out, begin, n) => {
    for (let i = 0; i < n;) {
      const end = Math.min(n, i + stride - ((begin + i) % stride));
      out.fill(values[grid.along(axis, begin + i)]!, i, end);
      i = end;
    }
  };
}

function map(values: Evaluate, f: (x: number) => number): Evaluate {
  return (out, begin, n) => {
    values(out, begin, n);
    for (let i = 0; i < n; ++i) out[i] = f(out[i]!);
  };
}

// A command that a shell takes as it stands: `!` in double quotes means the history.
function quoted(text: string): string {
  return text.includes("!") ? `'${text}'` : `"${text}"`;
}

export class Candidates {
  constructor(
    readonly regularizers: Regularizer[],
    private readonly run: string,
  ) {}

  /** Checks an expression on one point and gives its tree; throws EquationError. */
  check(text: string, grid: LandscapeGrid): Syntax {
    const syntax = parse(text);
    compile(syntax, this.environment(text, grid, 0, grid.point(0)));
    return syntax;
  }

  canEvaluate(text: string, grid: LandscapeGrid): boolean {
    try {
      this.check(text, grid);
      return true;
    } catch (error) {
      if (error instanceof EquationError) return false;
      throw error;
    }
  }

  /** The expression's values at the points, by one network. */
  evaluate(text: string, grid: LandscapeGrid, network: number, points: Points): Float64Array {
    return grid.remember(`${text}|${network}`, points, () => this.compute(text, grid, network, points));
  }

  private compute(text: string, grid: LandscapeGrid, network: number, points: Points): Float64Array {
    const values = compile(parse(text), this.environment(text, grid, network, points));
    const out = new Float64Array(points.n);
    for (let begin = 0; begin < points.n; begin += chunkSize) {
      const n = Math.min(chunkSize, points.n - begin);
      values(out.subarray(begin, begin + n), begin, n);
    }
    return out;
  }

  private environment(text: string, grid: LandscapeGrid, network: number, points: Points): Environment {
    const termOf = new Map(grid.data.terms.map((term, k) => [canonical(parse(term)), k]));
    const underWay = new Set<string>();
    const environment: Environment = {
      name: (name) => this.named(name, grid, network, points, environment, underWay),
      mean: (node) => {
        const term = termOf.get(canonical(node));
        return term === undefined ? null : gather(grid.term(network, term), points);
      },
      names: () => this.names(grid),
      meanHelp: (node) => {
        const command = `greybox report ${this.run} --regularizer ${quoted(text.slice(node.begin, node.end))}`;
        return `the network has to be asked for it: run \`${command}\` and open the page again`;
      },
    };
    return environment;
  }

  private named(
    name: string,
    grid: LandscapeGrid,
    network: number,
    points: Points,
    environment: Environment,
    underWay: Set<string>,
  ): Evaluate | null {
    const axis = grid.axes.findIndex((candidate) => candidate.name === name);
    if (axis >= 0) return coordinate(grid, axis, points);
    if (Object.hasOwn(grid.held, name)) return (out, _begin, n) => void out.fill(grid.held[name]!, 0, n);
    const regularizer = this.regularizers.find((candidate) => candidate.name === name);
    if (regularizer && !underWay.has(name)) {
      underWay.add(name);
      const values = compile(parse(regularizer.expression), environment);
      underWay.delete(name);
      return values;
    }
    if (!errorNames.includes(name)) return null;
    const loss = gather(grid.loss(network), points);
    if (name === "L") return loss;
    const scale = name === "nrmse" ? grid.data.range : 1;
    return map(loss, (value) => Math.sqrt(value) / scale);
  }

  private names(grid: LandscapeGrid): string[] {
    const parameters = [...grid.axes.map((axis) => axis.name), ...Object.keys(grid.held)];
    return [...this.regularizers.map((candidate) => candidate.name), ...parameters, ...errorNames, "pi"];
  }
}
