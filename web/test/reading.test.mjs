// What the page says can be read: headline, verdicts, curves, labels, at any width and with a finger.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, painted } from "./browser.mjs";
import { samples } from "./sample/reports.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test("the headline tells of disagreement, of combinations, and what to do", async () => {
  const report = samples[2]();
  report.verdicts.push({
    parameter: "a",
    regularizer: "normD, centred",
    finding: "disagree",
    sentence: "a: normD and centred exclude each other's values",
  });
  report.summary = ["If normD is right, it determines a = 1.4."];
  const { page } = await browser.open(report);
  const summary = await page.locator(".summary").innerText();
  assert.match(summary, /a under normD and centred, which exclude each other’s values; c under/);
  assert.match(summary, /Determined only together: a \/ cos\(c − 0\.79\) under corr\./);
  assert.equal(await page.locator(".conclusions li").count(), 1);
  assert.match(await page.locator(".combinations h3").innerText(), /are determined/);
});

test("the dot of a flat profile stands where the verdict says; numbers in prose have real minus signs", async () => {
  const report = samples[2]();
  const [verdict] = report.verdicts;
  verdict.profile.R = verdict.profile.R.map(() => 0.5);
  verdict.best = verdict.profile.theta.at(-2);
  verdict.sentence = "a: identifiable under normD, from -0.5 to 1";
  report.summary = ["If normD is right, it determines c = 0.04 (-0.08 to 0.11), not R-hat."];
  const { page } = await browser.open(report, { viewport: { width: 1440, height: 900 } });
  const row = page.locator("#verdicts .cards tbody tr").first();
  assert.ok(Number(await row.locator("circle").getAttribute("cx")) > 100);
  assert.match(await row.innerText(), /from −0\.5 to 1/);
  assert.match(await page.locator(".conclusions").innerText(), /\(−0\.08 to 0\.11\), not R-hat/);
});

test("several minima show each interval, and a profile without its first value has its dot", async () => {
  const report = samples[2]();
  report.verdicts[2].intervals = [
    [0.6, 0.7],
    [1.1, 1.2],
  ];
  report.verdicts[0].profile.R[0] = null;
  const { page } = await browser.open(report, { viewport: { width: 1440, height: 900 } });
  const rows = page.locator("#verdicts .cards tbody tr");
  assert.match(await rows.nth(2).innerText(), /\[0\.6, 0\.7\] or \[1\.1, 1\.2\]/);
  const dot = rows.nth(0).locator("circle");
  assert.ok(Number(await dot.getAttribute("cx")) > 60, "at a = 1.4 of 2");
});

test("validation values of every tenth epoch are joined", async () => {
  const report = samples[2]();
  const { curves } = report.training;
  curves.validation_L = curves.epoch.map((_, k) => (k % 10 === 9 ? 0.5 : null));
  const { page } = await browser.open(report);
  const lines = page.locator("#training figure").first().locator("path.series");
  assert.equal(await lines.count(), 2);
  const path = await lines.nth(1).getAttribute("d");
  assert.ok(path.split("L").length > 15, path);
});

test("the marginal of a posterior is smooth and stands beside its prior", async () => {
  const { page } = await browser.open(samples[2]());
  const figure = page.locator("#posterior figure").first();
  await figure.locator("path.series").first().waitFor();
  assert.match(await figure.locator(".legend").innerText(), /posterior[\s\S]*prior/);
  const heights = (await figure.locator("path.series").first().getAttribute("d"))
    .slice(1)
    .split("L")
    .map((point) => Number(point.split(",")[1]));
  const turns = heights.filter(
    (y, k) => k > 0 && k + 1 < heights.length && (y - heights[k - 1]) * (heights[k + 1] - y) < 0,
  );
  assert.ok(turns.length <= 5, `${turns.length} turns`);
});

test("nothing that is touched is smaller than 24 pixels", async () => {
  const { page } = await browser.open(samples[2](), { viewport: { width: 390, height: 900 } });
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details:not(.alternative)")) details.open = true;
  });
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, summary, input, a:not(.skip)")]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ box: element.getBoundingClientRect(), text: element.outerHTML.slice(0, 90) }))
      .filter(({ box }) => box.height < 24 || box.width < 24)
      .map(({ box, text }) => `${box.width} × ${box.height}: ${text}`),
  );
  assert.deepEqual(small, []);
});

test("a page of 820 pixels shows all of a verdict, one of 3840 uses its width", async () => {
  const { page } = await browser.open(samples[2](), { viewport: { width: 820, height: 900 } });
  const cut = await page
    .locator("#verdicts .scroll")
    .first()
    .evaluate((element) => element.scrollWidth - element.clientWidth);
  assert.ok(cut <= 0, `${cut} pixels are out of sight`);
  await page.setViewportSize({ width: 3840, height: 2160 });
  const used = await page.locator("main").evaluate((element) => element.getBoundingClientRect().width);
  assert.ok(used > 0.7 * 3840, `${used} pixels are used`);
});

test("labels of ticks do not overlap", async () => {
  const report = samples[2]();
  report.grids[0].axes[0].values = report.grids[0].axes[0].values.map((v) => 1e-7 * (123 + v));
  const { page } = await browser.open(report, { viewport: { width: 390, height: 900 } });
  await painted(page);
  const overlaps = await page.evaluate(() => {
    const found = [];
    for (const axis of document.querySelectorAll(".axis")) {
      const boxes = [...axis.querySelectorAll("text:not(.axis-label)")].map((text) =>
        text.getBoundingClientRect(),
      );
      boxes.forEach((box, k) => {
        const next = boxes[k + 1];
        if (next && Math.abs(next.top - box.top) < 2 && next.left < box.right)
          found.push(box.right - next.left);
      });
    }
    return found;
  });
  assert.deepEqual(overlaps, []);
});
