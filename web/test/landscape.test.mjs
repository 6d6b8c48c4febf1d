// What the explorer computes: values, minima, slices, profiles.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";
import { fourParameters } from "./sample/four_parameters.mjs";
import { random } from "./sample/numbers.mjs";
import { means, twoParameters } from "./sample/two_parameters.mjs";

const { LandscapeGrid } = await load("landscape/grid.ts");
const { Candidates } = await load("landscape/candidates.ts");
const { findMinima } = await load("landscape/minima.ts");
const { unpack } = await load("arrays.ts");

const toy = twoParameters({ n: 21, nNetworks: 2 });
const grid = new LandscapeGrid(toy.grids[0]);
const candidates = new Candidates(toy.regularizers, "runs/toy");

function near(found, expected, tolerance = 1e-5) {
  assert.ok(
    Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected)),
    `${found}, not ${expected}`,
  );
}

test("numbers agree with what they count", async () => {
  const { counted } = await load("format.ts");
  assert.deepEqual(
    [0, 1, 2, 1234].map((n) => counted(n, "window")),
    ["0 windows", "1 window", "2 windows", "1\u202f234 windows"],
  );
});

test("ticks of logarithmic axes are 1, 2 and 5, or powers of ten where these are many", async () => {
  globalThis.window ??= new EventTarget();
  const { makeScale, ticksOf } = await load("charts/frame.ts");
  const ticks = (low, high, n) =>
    ticksOf(makeScale({ label: "", domain: [low, high], isLog: true }, 0, 1), true, n);
  assert.deepEqual(ticks(0.08, 1.04, 6), [0.1, 0.2, 0.5, 1]);
  assert.deepEqual(ticks(0.4, 6, 4), [0.5, 1, 2, 5]);
  assert.deepEqual(ticks(0.001, 1, 5), [0.001, 0.01, 0.1, 1]);
});

test("expressions are evaluated at every point, with parameters, candidates and means", () => {
  const values = candidates.evaluate("0.5*centred + mean( norm2(network) ) + a", grid, 1, grid.everywhere());
  for (const place of [0, 57, 440]) {
    const a = grid.axes[0].values[Math.floor(place / 21)];
    const c = grid.axes[1].values[place % 21];
    const [network, dot, theory] = means([a, c], 1);
    near(values[place], 0.5 * (Math.abs(dot) + Math.abs(theory - network) + c * c) + network + a);
  }
});

test("an unknown mean names the command that computes it", () => {
  const unknown = (text) => {
    try {
      candidates.check(text, grid);
    } catch (error) {
      return error;
    }
    return assert.fail("accepted");
  };
  const error = unknown("normD + mean(abs(network.y))");
  assert.deepEqual([error.begin, error.end], [8, 28]);
  assert.ok(error.help.includes('greybox report runs/toy --regularizer "mean(abs(network.y))"'), error.help);
  assert.ok(
    unknown("mean(x != 0)").help.includes("--regularizer 'mean(x != 0)'"),
    "a shell takes ! in double quotes for its history",
  );
});

test("errors are names too", () => {
  const loss = grid.loss(0)[5];
  near(candidates.evaluate("nrmse", grid, 0, grid.everywhere())[5], Math.sqrt(loss) / 2.83);
  near(candidates.evaluate("rmse^2 - L", grid, 0, grid.everywhere())[5], 0);
});

test("slices of four parameters hold the others", () => {
  const plankton = fourParameters();
  const all = new LandscapeGrid(plankton.grids[0]);
  const own = new Candidates(plankton.regularizers, "RUN");
  const slice = all.slice([3, 1], [2, 0, 5, 0]);
  const values = own.evaluate("alpha + 10*beta + 100*gamma + 1000*delta", all, 0, slice);
  const at = (axis, place) => all.axes[axis].values[place];
  near(values[4 * 17 + 6], at(0, 2) + 10 * at(1, 6) + 100 * at(2, 5) + 1000 * at(3, 4));
  const held = new LandscapeGrid(plankton.grids[1]);
  near(own.evaluate("gamma", held, 0, held.everywhere())[0], 0.6);
});

// The engine's way, by rising water; slow and plain.
function floodedMinima(values, nInner, depth) {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b] || a - b);
  const pool = new Map();
  const bottom = (place) => (pool.get(place) === place ? place : bottom(pool.get(place)));
  const neighbours = (place) =>
    [-1, 0, 1]
      .flatMap((o) => [-1, 0, 1].map((i) => [Math.floor(place / nInner) + o, (place % nInner) + i]))
      .filter(([o, i]) => o >= 0 && i >= 0 && i < nInner && o < values.length / nInner)
      .map(([o, i]) => o * nInner + i);
  const found = new Set();
  for (const place of order) {
    pool.set(place, place);
    for (const neighbour of neighbours(place)) {
      if (neighbour === place || !pool.has(neighbour)) continue;
      const [low, high] = [bottom(place), bottom(neighbour)].sort((a, b) => values[a] - values[b] || a - b);
      if (low === high) continue;
      pool.set(high, low);
      if (high !== place && values[place] - values[high] >= depth) found.add(high);
    }
  }
  for (const place of order) if (pool.get(place) === place) found.add(place);
  return [...found].sort((a, b) => values[a] - values[b] || a - b);
}

test("minima are those of rising water", () => {
  const uniform = random(1);
  for (const steps of [0, 4]) {
    for (let trial = 0; trial < 40; ++trial) {
      const values = Float64Array.from({ length: 12 * 9 }, () =>
        steps ? Math.floor(steps * uniform()) : uniform(),
      );
      const lowest = Math.min(...values);
      const median = lowest + 3 * uniform();
      assert.deepEqual(findMinima(values, 9, median), floodedMinima(values, 9, 0.1 * (median - lowest)));
    }
  }
});

test("minima leave out what is not a number, and stand on lines too", () => {
  const line = Float64Array.of(Number.NaN, 3, 1, 3, 2, 3, Number.NaN);
  assert.deepEqual(findMinima(line, 7, 3), [2, 4]);
  assert.deepEqual(findMinima(line, 7, 100), [2]);
  assert.deepEqual(findMinima(Float64Array.of(Number.NaN), 1, 0), []);
});

test("arrays are unpacked from lists and from base64", () => {
  assert.deepEqual([...unpack([1, null, -2])], [1, Number.NaN, -2]);
  const packed = { f32: Buffer.from(Float32Array.of(1.5, Number.NaN, -0.25).buffer).toString("base64") };
  assert.deepEqual([...unpack(packed)], [1.5, Number.NaN, -0.25]);
  assert.equal(unpack(packed), unpack(packed), "once");
});
