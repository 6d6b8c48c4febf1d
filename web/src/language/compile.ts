// Compiles an expression into closures that work on chunks of a grid's points.
import { EquationError, UnknownMean } from "./equation_error";
import {
  arityOf,
  binaryFunctions,
  functionNames,
  operators,
  ternaryFunctions,
  unaryFunctions,
} from "./functions";
import { nearestName } from "./nearest_name";
import type { Syntax } from "./parser";

/** Fills `out` with the values at the points from `begin` on. */
export type Evaluate = (out: Float64Array, begin: number, n: number) => void;

/** What names and means stand for. */
export interface Environment {
  /** The values of a name, or null when it is not known. */
  name(name: string): Evaluate | null;
  /** The values of `mean(…)`, or null when the grid has none. */
  mean(node: Syntax): Evaluate | null;
  names(): string[];
  /** What to do about a mean that the grid does not have. */
  meanHelp(node: Syntax): string;
}

/** Small enough that all intermediate values stay in the nearest cache. */
export const chunkSize = 2048;

function constant(value: number): Evaluate {
  return (out, _begin, n) => {
    out.fill(value, 0, n);
  };
}

function mapOne(f: (x: number) => number, a: Evaluate): Evaluate {
  return (out, begin, n) => {
    a(out, begin, n);
    for (let i = 0; i < n; ++i) out[i] = f(out[i]!);
  };
}

function square(a: Evaluate): Evaluate {
  return (out, begin, n) => {
    a(out, begin, n);
    for (let i = 0; i < n; ++i) out[i]! *= out[i]!;
  };
}

function mapTwo(f: (a: number, b: number) => number, a: Evaluate, b: Evaluate): Evaluate {
  const second = new Float64Array(chunkSize);
  return (out, begin, n) => {
    a(out, begin, n);
    b(second, begin, n);
    for (let i = 0; i < n; ++i) out[i] = f(out[i]!, second[i]!);
  };
}

function mapThree(f: (a: number, b: number, c: number) => number, [a, b, c]: Evaluate[]): Evaluate {
  const second = new Float64Array(chunkSize);
  const third = new Float64Array(chunkSize);
  return (out, begin, n) => {
    a!(out, begin, n);
    b!(second, begin, n);
    c!(third, begin, n);
    for (let i = 0; i < n; ++i) out[i] = f(out[i]!, second[i]!, third[i]!);
  };
}

function unknownName(node: Syntax, environment: Environment): EquationError {
  const end = node.begin + node.text.length;
  if (arityOf(node.text) !== undefined) {
    return new EquationError(
      node.begin,
      end,
      `\`${node.text}\` is a function`,
      `write its argument in brackets: \`${node.text}(…)\``,
    );
  }
  const meant = nearestName(node.text, environment.names());
  const help = meant ? `did you mean \`${meant}\`?` : `known names: ${environment.names().join(", ")}`;
  return new EquationError(node.begin, end, `unknown name \`${node.text}\``, help);
}

function compileName(node: Syntax, environment: Environment): Evaluate {
  const values = environment.name(node.text);
  if (values) return values;
  if (node.text === "pi") return constant(Math.PI);
  throw unknownName(node, environment);
}

function checkCall(node: Syntax): void {
  const end = node.begin + node.text.length;
  const arity = arityOf(node.text);
  if (arity === undefined) {
    const meant = nearestName(node.text, [...functionNames(), "mean"]);
    const help = meant ? `did you mean \`${meant}\`?` : `functions: mean, ${functionNames().join(", ")}`;
    throw new EquationError(node.begin, end, `unknown function \`${node.text}\``, help);
  }
  if (arity !== node.children.length) {
    const given = node.children.length === 1 ? "1 is given" : `${node.children.length} are given`;
    const words = arity === 1 ? "1 argument" : `${arity} arguments`;
    throw new EquationError(
      node.begin,
      node.end,
      `\`${node.text}\` takes ${words}, and ${given}`,
      "separate arguments by `,`",
    );
  }
}

function compileCall(node: Syntax, environment: Environment): Evaluate {
  if (node.text === "mean") {
    const values = environment.mean(node);
    if (values) return values;
    throw new UnknownMean(
      node.begin,
      node.end,
      "this mean is not among those computed for this page",
      environment.meanHelp(node),
    );
  }
  if (["norm2", "dot"].includes(node.text)) {
    throw new EquationError(
      node.begin,
      node.end,
      `\`${node.text}\` varies from sample to sample, and a regularizer is one number`,
      "put it inside mean(…)",
    );
  }
  checkCall(node);
  const parts = node.children.map((child) => compile(child, environment));
  if (parts.length === 1) return mapOne(unaryFunctions[node.text]!, parts[0]!);
  if (parts.length === 2) return mapTwo(binaryFunctions[node.text]!, parts[0]!, parts[1]!);
  return mapThree(ternaryFunctions[node.text]!, parts);
}

// Operators written out: a loop with its operator inside runs several times as fast as one that calls a function.
function compileArithmetic(sign: string, a: Evaluate, b: Evaluate): Evaluate {
  const second = new Float64Array(chunkSize);
  const loops: Record<string, (out: Float64Array, n: number) => void> = {
    "+": (out, n) => {
      for (let i = 0; i < n; ++i) out[i]! += second[i]!;
    },
    "-": (out, n) => {
      for (let i = 0; i < n; ++i) out[i]! -= second[i]!;
    },
    "*": (out, n) => {
      for (let i = 0; i < n; ++i) out[i]! *= second[i]!;
    },
    "/": (out, n) => {
      for (let i = 0; i < n; ++i) out[i]! /= second[i]!;
    },
  };
  const loop = loops[sign];
  if (!loop) return mapTwo(operators[sign]!, a, b);
  return (out, begin, n) => {
    a(out, begin, n);
    b(second, begin, n);
    loop(out, n);
  };
}

/** Throws EquationError for names and means that are not known. */
export function compile(node: Syntax, environment: Environment): Evaluate {
  switch (node.kind) {
    case "number":
      return constant(Number(node.text));
    case "name":
      return compileName(node, environment);
    case "index":
      throw new EquationError(
        node.begin,
        node.end,
        `\`${node.text}\` varies from sample to sample`,
        "put it inside mean(…)",
      );
    case "unary":
      return mapOne((x) => -x, compile(node.children[0]!, environment));
    case "binary": {
      const [left, right] = node.children.map((child) => compile(child, environment));
      if (node.text === "^" && node.children[1]!.text === "2") return square(left!);
      return compileArithmetic(node.text, left!, right!);
    }
    case "call":
      return compileCall(node, environment);
  }
}
