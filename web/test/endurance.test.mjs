// Long use of the explorer's page: thousands of moves leave nothing behind in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openQuiet } from "./drag.mjs";
import { served } from "./live.mjs";

// GREYBOX_DRAGS=10000 takes some minutes.
const nMoves = Number(process.env.GREYBOX_DRAGS ?? 400);
const suite = served("toy", 60);

// As a hand does it: one move for each picture.
const move = (page, n) =>
  page.evaluate(async (n) => {
    const slider = document.querySelector('.parameter input[type="range"]');
    for (let k = 0; k < n; ++k) {
      slider.value = String(500 + Math.round(400 * Math.sin(k / 20)));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((go) => requestAnimationFrame(go));
    }
  }, n);

test(`${nMoves} moves leave the memory of the page flat`, async () => {
  const page = await openQuiet(suite.browser, suite.server.address);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const look = async () => {
    await page.locator('[aria-busy="false"]').waitFor();
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (wanted) => metrics.find(({ name }) => name === wanted).value;
    return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), listeners: of("JSEventListeners") };
  };
  // What the first ones leave is what is kept between two: codes, the list of undo, the browser's own measurements.
  await move(page, 150);
  const before = await look();
  await move(page, nMoves);
  const after = await look();
  const said = `from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
  console.log(said);
  assert.ok(after.heap < before.heap + 1.5e6, said);
  assert.ok(after.nodes < before.nodes + 300, said);
  assert.ok(after.listeners < before.listeners + 50, said);
});
