// Operators and functions on numbers, with the conventions of the engine: a NaN on either side of min and max is
// the result, comparisons are 1 or 0.

type Unary = (x: number) => number;
type Binary = (a: number, b: number) => number;
type Ternary = (a: number, b: number, c: number) => number;

const smaller: Binary = (a, b) => (a < b || Number.isNaN(a) ? a : b);
const larger: Binary = (a, b) => (a > b || Number.isNaN(a) ? a : b);

// C's pow gives 1 for pow(1, anything) and pow(-1, ±∞); JavaScript gives NaN there.
const power: Binary = (a, b) => {
  if (b === 2) return a * a;
  if (a === 1 || (a === -1 && Math.abs(b) === Number.POSITIVE_INFINITY)) return 1;
  return a ** b;
};

export const unaryFunctions: Record<string, Unary> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  log: Math.log,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  sigmoid: (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x))),
  softplus: (x) => larger(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  stop: (x) => x,
};

export const binaryFunctions: Record<string, Binary> = {
  pow: power,
  atan2: Math.atan2,
  min: smaller,
  max: larger,
};

export const ternaryFunctions: Record<string, Ternary> = {
  where: (condition, a, b) => (condition !== 0 ? a : b),
  clamp: (x, low, high) => smaller(larger(x, low), high),
};

export const operators: Record<string, Binary> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "^": power,
  "<": (a, b) => (a < b ? 1 : 0),
  "<=": (a, b) => (a <= b ? 1 : 0),
  ">": (a, b) => (a > b ? 1 : 0),
  ">=": (a, b) => (a >= b ? 1 : 0),
  "==": (a, b) => (a === b ? 1 : 0),
  "!=": (a, b) => (a !== b ? 1 : 0),
};

const tables: [number, object][] = [
  [1, unaryFunctions],
  [2, binaryFunctions],
  [3, ternaryFunctions],
];

/** How many arguments the function takes, if there is one of that name. */
export function arityOf(name: string): number | undefined {
  return tables.find(([, table]) => Object.hasOwn(table, name))?.[0];
}

export function isFunction(name: string): boolean {
  return arityOf(name) !== undefined;
}

export function functionNames(): string[] {
  return tables.flatMap(([, table]) => Object.keys(table));
}
