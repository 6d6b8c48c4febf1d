// One hand that drags a slider: how long each picture took, and what it cost the page, the browser and the server.
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;
const readStat = (pid) => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
};

/** Milliseconds of processor time that a process has had so far. */
export function processorTime(pid) {
  const fields = readStat(pid);
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

// Of all that this process started, and what these started.
function familyTime() {
  const parents = new Map();
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name))
      try {
        parents.set(Number(name), Number(readStat(name)[1]));
      } catch {
        // Ended meanwhile.
      }
  const isOfIt = (pid) => parents.get(pid) === process.pid || (parents.has(pid) && isOfIt(parents.get(pid)));
  let total = 0;
  for (const pid of parents.keys())
    try {
      if (isOfIt(pid)) total += processorTime(pid);
    } catch {
      // Ended meanwhile.
    }
  return total;
}

/** Opens the explorer's page and waits until nothing is computed any more. */
export async function openQuiet(browser, address) {
  const { page } = await browser.live(address, { viewport: { width: 1440, height: 900 } });
  await page.locator(".values tbody tr").first().waitFor();
  await page.locator('[aria-busy="false"]').waitFor();
  await page.locator(".landscape .note", { hasNotText: /Refining|Computing/ }).waitFor();
  return page;
}

/** Drags the first slider to and fro, a move every `pause` milliseconds. */
export async function drag(page, nMoves, pause = 16) {
  const slider = page.getByRole("slider").first();
  const box = await slider.boundingBox();
  const middle = box.y + box.height / 2;
  const across = (k) => box.x + (0.3 + 0.4 * Math.abs(Math.sin(k / 20))) * box.width;
  await page.mouse.move(across(0), middle);
  await page.mouse.down();
  for (let k = 0; k < nMoves; ++k) {
    await page.mouse.move(across(k), middle);
    await page.waitForTimeout(pause);
  }
  await page.mouse.up();
}

/** From the move to the paint, sorted; the page records them and forgets them here. */
export async function paintTimes(page) {
  const times = await page.evaluate(() => {
    const found = performance.getEntriesByName("drag to paint").map(({ duration }) => duration);
    performance.clearMeasures("drag to paint");
    return found;
  });
  return times.sort((a, b) => a - b);
}

export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

const parts = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration"];

/** Milliseconds per picture, of processor time: of the page's main thread by part, of the server, of all of Chromium. */
export async function costOf(page, server, nMoves) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" }).catch(() => {});
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const look = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const known = new Map(metrics.map(({ name, value }) => [name, 1000 * value]));
    return [...parts.map((name) => known.get(name)), processorTime(server.pid), familyTime()];
  };
  await paintTimes(page);
  const before = await look();
  await drag(page, nMoves);
  const after = await look();
  const times = await paintTimes(page);
  const [script, style, layout, task, served, started] = after.map(
    (value, k) => (value - before[k]) / times.length,
  );
  return {
    times,
    script,
    style,
    layout,
    other: task - script - style - layout,
    served,
    browser: started - served,
  };
}
