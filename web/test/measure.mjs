// node measure.mjs RUN…: time from drag to paint of explored runs and the processor time behind it. For a quiet machine.
import { openBrowser } from "./browser.mjs";
import { costOf, openQuiet, quantile } from "./drag.mjs";
import { serve } from "./live.mjs";

const nMoves = 300;
const runs = process.argv.slice(2);
if (runs.length === 0) {
  console.error("usage: npm run measure -- RUN…");
  process.exit(2);
}
const ms = (value) => value.toFixed(1).padStart(7);
console.log("milliseconds; drag to paint by the clock, the rest processor time per picture");
console.log(
  `${"run".padEnd(18)} ${"median".padStart(7)} ${"95 %".padStart(7)} | ${"script".padStart(7)} ${"style".padStart(7)} ${"layout".padStart(7)} ${"other".padStart(7)} | ${"server".padStart(7)} ${"browser".padStart(7)}`,
);
const browser = await openBrowser();
try {
  for (const run of runs) {
    const server = await serve(run);
    try {
      const page = await openQuiet(browser, server.address);
      const cost = await costOf(page, server, nMoves);
      const row = [cost.script, cost.style, cost.layout, cost.other].map(ms).join(" ");
      const name = run.replace(/\/+$/, "").split("/").at(-1).padEnd(18);
      console.log(
        `${name} ${ms(quantile(cost.times, 0.5))} ${ms(quantile(cost.times, 0.95))} | ${row} | ${ms(cost.served)} ${ms(cost.browser)}`,
      );
      await page.context().close();
    } finally {
      await server.stop();
    }
  }
} finally {
  await browser.close();
}
