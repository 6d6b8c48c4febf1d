// Splits an expression into numbers, names and symbols; the same language as the model file's.
import { EquationError } from "./equation_error";

export interface Token {
  kind: "number" | "name" | "symbol" | "end";
  begin: number;
  end: number;
  text: string;
}

const patterns: [Token["kind"], RegExp][] = [
  ["number", /(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/y],
  ["name", /[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*/uy],
  ["symbol", /<=|>=|==|!=|[-+*/^<>()[\],]/y],
];

const mistakes: [string, string, string][] = [
  ["**", "`**` is not a power here", "write `^`"],
  ["=<", "", "write `<=`"],
  ["=>", "", "write `>=`"],
  ["&", "there is no `and`, `or`, `not`", 'comparisons are 1 or 0: write `min(a < b, c < d)` for "and"'],
  ["|", "", "write `abs(x)` for |x|"],
  ["!", "there is no `and`, `or`, `not`", 'comparisons are 1 or 0: write `1 - (a < b)` for "not"'],
  [
    "=",
    "`=` cannot stand inside an equation",
    "compare with `==`; an equation gives only its right-hand side",
  ],
  ["−", "`−` is a typographic minus", "write the minus sign of the keyboard: `-`"],
  ["–", "`–` is a dash", "write the minus sign of the keyboard: `-`"],
  ["·", "", "write `*`"],
  ["×", "", "write `*`"],
  ["÷", "", "write `/`"],
  ["≤", "", "write `<=`"],
  ["≥", "", "write `>=`"],
  ["≠", "", "write `!=`"],
  ["²", "", "write `^2`"],
  ["√", "", "write `sqrt(x)`"],
  ["%", "", "there is no remainder; for per cent write `/100`"],
  ["{", "", "group with `(` and `)`"],
  ["}", "", "group with `(` and `)`"],
  [";", "", "separate arguments by `,`; write decimals with a point"],
];

function mistakeAt(text: string, position: number): EquationError | null {
  const found = mistakes.find(([sign]) => text.startsWith(sign, position));
  if (!found || /^[=!]=/.test(text.slice(position))) return null;
  const [sign, message, help] = found;
  const end = position + sign.length;
  return new EquationError(position, end, message || `equations do not have the sign \`${sign}\``, help);
}

function unknownSign(text: string, position: number): EquationError {
  const sign = String.fromCodePoint(text.codePointAt(position)!);
  return new EquationError(
    position,
    position + sign.length,
    `equations do not have the sign \`${sign}\``,
    "the signs are + - * / ^ ( ) [ ] , and the comparisons < <= > >= == !=",
  );
}

function next(text: string, position: number): Token {
  const mistake = mistakeAt(text, position);
  if (mistake) throw mistake;
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) return { kind, begin: position, end: pattern.lastIndex, text: match[0] };
  }
  throw unknownSign(text, position);
}

// "2a" and "1.2.3" look like numbers only at first.
function checkNumber(text: string, token: Token): void {
  const rest = /^\.\d*|^[\p{L}_][\p{L}\p{N}_]*/u.exec(text.slice(token.end))?.[0];
  if (!rest) return;
  if (rest.startsWith("."))
    throw new EquationError(
      token.end,
      token.end + 1,
      `\`${token.text}${rest}\` has two decimal points`,
      "leave one of them out",
    );
  throw new EquationError(
    token.begin,
    token.end + rest.length,
    `\`${token.text}${rest}\` is neither a number nor a name`,
    /^e$/i.test(rest)
      ? `write a number with an exponent as \`${token.text}e3\``
      : `write \`${token.text}*${rest}\``,
  );
}

/** All tokens of the text, the last of kind "end". */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const space = /\s*/y;
  for (let position = 0; ; position = tokens.at(-1)!.end) {
    space.lastIndex = position;
    space.exec(text);
    const begin = space.lastIndex;
    if (begin >= text.length) {
      tokens.push({ kind: "end", begin, end: begin, text: "" });
      return tokens;
    }
    const token = next(text, begin);
    if (token.kind === "number") checkNumber(text, token);
    tokens.push(token);
  }
}
