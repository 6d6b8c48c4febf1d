// Parses expressions by recursive descent, one method per level of precedence, as the model file's reader does.
import { EquationError } from "./equation_error";
import { isFunction } from "./functions";
import { type Token, tokenize } from "./lexer";

export interface Syntax {
  kind: "number" | "name" | "index" | "unary" | "binary" | "call";
  begin: number;
  end: number;
  /** The name, operator or function; of a number, its digits. */
  text: string;
  children: Syntax[];
}

const comparisons = ["<", "<=", ">", ">=", "==", "!="];
const maxDepth = 200;

class Parser {
  private readonly tokens: Token[];
  private position = 0;
  private depth = 0;

  constructor(text: string) {
    this.tokens = tokenize(text);
  }

  equation(): Syntax {
    if (this.isAtEnd) {
      throw new EquationError(
        0,
        this.token.end,
        "the equation is empty",
        "write an expression, for instance `0`",
      );
    }
    const whole = this.comparison();
    if (!this.isAtEnd) throw this.leftOver();
    return whole;
  }

  private comparison(): Syntax {
    let left = this.sum();
    if (!this.at(...comparisons)) return left;
    left = this.binary(left, () => this.sum());
    if (this.at(...comparisons)) {
      throw this.error(
        this.token,
        "comparisons cannot be chained",
        "write `min(a < b, b < c)` for a < b < c: comparisons are 1 or 0",
      );
    }
    return left;
  }

  private sum(): Syntax {
    return this.leftToRight(["+", "-"], () => this.product());
  }

  private product(): Syntax {
    return this.leftToRight(["*", "/"], () => this.unary());
  }

  private leftToRight(operators: string[], operand: () => Syntax): Syntax {
    let left = operand();
    while (this.at(...operators)) left = this.binary(left, operand);
    return left;
  }

  // Every way down passes through here, so that nesting is counted here.
  private unary(): Syntax {
    if (++this.depth > maxDepth) {
      throw this.error(
        this.token,
        `brackets and signs are nested more than ${maxDepth} deep`,
        "write it in parts",
      );
    }
    const node = this.at("-", "+") ? this.signed() : this.power();
    --this.depth;
    return node;
  }

  private signed(): Syntax {
    const sign = this.take();
    const operand = this.unary();
    if (sign.text === "+") return operand;
    return { kind: "unary", begin: sign.begin, end: operand.end, text: "-", children: [operand] };
  }

  private power(): Syntax {
    const base = this.operand();
    return this.at("^") ? this.binary(base, () => this.unary()) : base;
  }

  private operand(): Syntax {
    if (this.token.kind === "number") return this.leaf("number", this.take());
    if (this.token.kind === "name") return this.name();
    if (!this.at("(")) throw this.operandMissing();
    const open = this.take();
    const inside = this.comparison();
    return { ...inside, begin: open.begin, end: this.close(open, ")") };
  }

  private name(): Syntax {
    const word = this.take();
    if (this.at("(")) return this.call(word);
    if (this.at("[")) return this.index(word);
    return this.leaf("name", word);
  }

  private call(word: Token): Syntax {
    const open = this.take();
    const children: Syntax[] = [];
    if (!this.at(")")) {
      children.push(this.comparison());
      while (this.at(",")) {
        this.take();
        children.push(this.comparison());
      }
    }
    return { kind: "call", begin: word.begin, end: this.close(open, ")"), text: word.text, children };
  }

  private index(vector: Token): Syntax {
    const open = this.take();
    if (!/^\d+$/.test(this.token.text)) {
      throw this.error(
        this.isAtEnd ? open : this.token,
        `the index of \`${vector.text}\` must be a whole number from 0`,
        `write for instance \`${vector.text}[0]\` for its first component`,
      );
    }
    const place = this.leaf("number", this.take());
    return {
      kind: "index",
      begin: vector.begin,
      end: this.close(open, "]"),
      text: vector.text,
      children: [place],
    };
  }

  private binary(left: Syntax, operand: () => Syntax): Syntax {
    const sign = this.take();
    const right = operand();
    return { kind: "binary", begin: left.begin, end: right.end, text: sign.text, children: [left, right] };
  }

  private leaf(kind: "number" | "name", token: Token): Syntax {
    return { kind, begin: token.begin, end: token.end, text: token.text, children: [] };
  }

  private get token(): Token {
    return this.tokens[this.position]!;
  }

  private get isAtEnd(): boolean {
    return this.token.kind === "end";
  }

  private take(): Token {
    return this.tokens[this.position++]!;
  }

  private at(...symbols: string[]): boolean {
    return this.token.kind === "symbol" && symbols.includes(this.token.text);
  }

  private error(token: Token, message: string, help: string): EquationError {
    return new EquationError(token.begin, token.end, message, help);
  }

  // Takes the closing bracket and gives its end.
  private close(open: Token, bracket: string): number {
    if (this.at(bracket)) return this.take().end;
    if (!this.isAtEnd && bracket === ")") throw this.leftOver();
    throw this.error(open, `this \`${open.text}\` is never closed`, `add the missing \`${bracket}\``);
  }

  // Something stands where an operator or the end should.
  private leftOver(): EquationError {
    const here = this.token;
    if (this.at(")", "]"))
      return this.error(here, `this \`${here.text}\` closes nothing`, "remove it, or open a bracket before");
    if (this.at(",")) {
      return this.error(
        here,
        "a `,` can only stand between the arguments of a function",
        "write decimals with a point",
      );
    }
    if (this.at("[")) return this.error(here, "only a name can have an index", "write it as in `z[3]`");
    const before = this.tokens[this.position - 1]!;
    if (before.kind === "name" && isFunction(before.text)) {
      return this.error(
        here,
        `the function \`${before.text}\` needs brackets around its argument`,
        `write \`${before.text}(${here.text})\``,
      );
    }
    const left = before.kind === "symbol" ? "(…)" : before.text;
    const right = here.kind === "symbol" ? "(…)" : here.text;
    return this.error(
      here,
      `an operator is missing before \`${here.text}\``,
      `to multiply, write \`${left}*${right}\``,
    );
  }

  private operandMissing(): EquationError {
    const isFirst = this.position === 0;
    const neighbour = this.tokens[isFirst ? 0 : this.position - 1]!;
    const message = `something is missing ${isFirst ? "before" : "after"} \`${neighbour.text}\``;
    return this.error(neighbour, message, "write a number, a name or a bracket there");
  }
}

/** The syntax tree of an expression; throws EquationError. */
export function parse(text: string): Syntax {
  return new Parser(text).equation();
}

/** One spelling for expressions that differ only in spaces, brackets and how numbers are written. */
export function canonical(node: Syntax): string {
  const parts = node.children.map(canonical);
  switch (node.kind) {
    case "number":
      return String(Number(node.text));
    case "name":
      return node.text;
    case "index":
      return `${node.text}[${parts[0]}]`;
    case "unary":
      return `(-${parts[0]})`;
    case "binary":
      return `(${parts[0]}${node.text}${parts[1]})`;
    case "call":
      return `${node.text}(${parts.join(",")})`;
  }
}
