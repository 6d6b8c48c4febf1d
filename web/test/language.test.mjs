// The page's expressions: the same values and the same mistakes as the engine's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./load.mjs";

const { compile } = await load("language/compile.ts");
const { canonical, parse } = await load("language/parser.ts");
const file = new URL("../../tests/cases/values/expressions.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8"));
const special = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, "-inf": Number.NEGATIVE_INFINITY };

const environment = {
  name: (name) =>
    Object.hasOwn(cases.names, name) ? (out, _begin, n) => out.fill(cases.names[name], 0, n) : null,
  mean: () => null,
  names: () => Object.keys(cases.names),
  meanHelp: () => "ask for it",
};

function valueOf(expression) {
  const out = new Float64Array(3);
  compile(parse(expression), environment)(out, 0, 3);
  assert.deepEqual(out[0], out[2], "all points are computed");
  return out[0];
}

function mistakeOf(expression) {
  try {
    compile(parse(expression), environment);
  } catch (error) {
    return error;
  }
  return assert.fail(`${expression} is accepted`);
}

test("values agree with the engine's", () => {
  for (const { expression, value } of cases.values) {
    const expected = typeof value === "string" ? special[value] : value;
    const found = valueOf(expression);
    const isSame =
      Object.is(found, expected) || Math.abs(found - expected) <= 1e-12 * Math.max(1, Math.abs(expected));
    assert.ok(isSame, `${expression}: ${found}, not ${expected}`);
  }
});

test("mistakes agree with the engine's", () => {
  for (const { expression, begin, end, message } of cases.mistakes) {
    const mistake = mistakeOf(expression);
    assert.deepEqual([mistake.message, mistake.begin, mistake.end], [message, begin, end], expression);
    assert.ok(mistake.help.length > 0, expression);
  }
});

test("unknown names say what was probably meant", () => {
  assert.match(mistakeOf("bigg + 1").help, /did you mean `big`/);
  assert.match(mistakeOf("sinn(a)").help, /did you mean `sin`/);
  assert.match(mistakeOf("sin").help, /sin\(…\)/);
  assert.match(mistakeOf("sin(a, b)").message, /takes 1 argument, and 2 are given/);
  assert.match(mistakeOf("mean(x)").help, /ask for it/);
  assert.match(mistakeOf("norm2(x)").help, /inside mean/);
});

test("spelling does not tell expressions apart", () => {
  const same = (a, b) => assert.equal(canonical(parse(a)), canonical(parse(b)));
  same("mean(dot(theory,network))", "mean( dot( theory , (network) ) )");
  same("mean(1.50*x^2)", "mean(1.5 * (x^2))");
  assert.notEqual(canonical(parse("a - (b - c)")), canonical(parse("a - b - c")));
});
