// Windows of a trajectory in the explorer: curves between the snapshots that meet the predictions there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, served } from "./live.mjs";
import { openQuiet } from "./drag.mjs";

const suite = served("two-compartment", 2);

const numbers = (packed) => {
  if (Array.isArray(packed)) return packed;
  const bytes = Buffer.from(packed.f32, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(4 * k));
};

test("a curve has points between the snapshots and meets the prediction at each", async () => {
  const page = await openQuiet(suite.browser, suite.server.address);
  const live = await page.evaluate(() => JSON.parse(document.getElementById("report-data").textContent).live);
  const theta = Object.fromEntries(live.parameters.map(({ name, middle }) => [name, middle]));
  const shown = live.splits.validation.index.slice(0, 2);
  const { body } = await ask(suite.server.address, "evaluate", { theta, split: "validation", shown });
  const { windows } = JSON.parse(body).shown;
  assert.equal(windows.length, 2);
  for (const { start, time, outputs, parts, curve } of windows) {
    const at = numbers(curve.time);
    const snapshots = numbers(time);
    const n = at.length / snapshots.length;
    assert.ok(Number.isInteger(n) && n > 1, `${at.length} points for ${snapshots.length} snapshots`);
    assert.ok(at[0] > start && at[0] < snapshots[0], "it begins after the start, before the first snapshot");
    const meets = (fine, coarse, what) =>
      numbers(coarse).forEach((value, k) => {
        const found = numbers(fine)[(k + 1) * n - 1];
        assert.ok(Math.abs(found - value) <= 1e-3 * (1 + Math.abs(value)), `${what}: ${found}, not ${value}`);
      });
    outputs.forEach((output, o) => meets(curve.outputs[o].predicted, output.predicted, output.name));
    parts.forEach((part, s) =>
      ["theory", "network", "state"].forEach((key) =>
        meets(curve.parts[s][key], part[key], `${key} ${part.name}`),
      ),
    );
  }
  const chart = page.locator(".window svg").first();
  const path = await chart.locator("path.series.line-1").last().getAttribute("d");
  const nDots = await chart.locator("circle").count();
  assert.ok(path.split("L").length > 3 * nDots, `${path.split("L").length} points and ${nDots} dots`);
});

test("rates of change and the state stand on axes of their own", async () => {
  const page = await openQuiet(suite.browser, suite.server.address);
  const labels = await page
    .locator(".parts svg[role=img]")
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.equal(labels.length, 2);
  assert.match(labels[0], /^Theory and network part of /);
  assert.match(labels[1], /^State /);
});
