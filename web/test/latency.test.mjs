// From a move of the hand to the picture of it: within 50 ms for 95 of 100 moves, where the machine is quiet.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, painted } from "./browser.mjs";
import { makeRun, serve } from "./live.mjs";

// GREYBOX_MEASURE=1 asks for the budget itself; other machines may be busy.
const budget = process.env.GREYBOX_MEASURE ? 50 : 400;
const names = process.env.GREYBOX_RUNS ? ["toy", "pendulum", "predator-prey", "two-compartment"] : ["toy"];
let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

for (const name of names)
  test(`${name}: drag to paint`, async () => {
    const made = makeRun(name, 40);
    const server = await serve(made.run);
    try {
      const { page } = await browser.live(server.address, { viewport: { width: 1440, height: 900 } });
      await page.locator(".values tbody tr").first().waitFor();
      const slider = page.getByRole("slider").first();
      await slider.waitFor();
      // Everything that opening the page has begun is done.
      await page.locator('[aria-busy="false"]').waitFor();
      await page.locator(".landscape .note", { hasNotText: /Refining|Computing/ }).waitFor();
      const box = await slider.boundingBox();
      await page.mouse.move(box.x + 0.3 * box.width, box.y + box.height / 2);
      await page.mouse.down();
      for (let k = 0; k < 150; ++k) {
        await page.mouse.move(
          box.x + (0.3 + 0.4 * Math.abs(Math.sin(k / 20))) * box.width,
          box.y + box.height / 2,
        );
        await page.waitForTimeout(16);
      }
      await page.mouse.up();
      const times = await page.evaluate(() =>
        performance.getEntriesByName("drag to paint").map(({ duration }) => duration),
      );
      times.sort((a, b) => a - b);
      const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
      console.log(
        `${name}: ${times.length} pictures, median ${at(0.5)?.toFixed(1)} ms, 95 % ${at(0.95)?.toFixed(1)} ms`,
      );
      assert.ok(times.length > 20, `${times.length} pictures`);
      assert.ok(at(0.95) <= budget, `95 % within ${at(0.95)} ms`);
    } finally {
      await server.stop();
      made.remove();
    }
  });
