// The page as a whole: it reads everywhere, asks nothing of the network, and everyone can use it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { openBrowser, painted } from "./browser.mjs";
import { samples } from "./sample/reports.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

async function violations(page, options) {
  const found = await page.evaluate((chosen) => window.axe.run(chosen), options);
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`,
  );
}

const sections = (page) => page.locator("main > section").evaluateAll((all) => all.map(({ id }) => id));

for (const [n, make] of Object.entries(samples)) {
  test(`${n} parameters: no error, no request, no overflow at any width`, async () => {
    const { page, troubles } = await browser.open(make());
    for (const width of [320, 390, 820, 1440, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      await painted(page);
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= window, `${content} pixels wide on ${width}`);
    }
    assert.deepEqual(troubles, []);
  });

  test(`${n} parameters: nothing that the rules of accessibility forbid`, async () => {
    const { page } = await browser.open(make(), { viewport: { width: 1280, height: 900 }, bypassCSP: true });
    // One table of numbers is like the others.
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details:not(.alternative)")) details.open = true;
      document.querySelector("details.alternative").open = true;
    });
    await painted(page);
    await page.evaluate(axe);
    assert.deepEqual(await violations(page, {}), []);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await violations(page, { runOnly: ["color-contrast"] }), []);
  });
}

test("every part of the data has its section, and content cannot end the script", async () => {
  const { page } = await browser.open(samples[2]());
  assert.deepEqual(await sections(page), [
    "model",
    "verdicts",
    "landscape",
    "estimates",
    "predictions",
    "posterior",
    "data",
    "training",
    "ledger",
    "provenance",
  ]);
  assert.equal(await page.title(), "Toy, synthetic sample – greybox report");
  assert.match(
    await page.locator(".summary").innerText(),
    /a under normD and centred; c under normD and centred/,
  );
  await page.getByText("The model file").click();
  assert.match(await page.locator("#model pre").innerText(), /<\/script><!-- is only text here/);
  assert.equal(await page.locator("#model math").count(), 5);
});

test("a report with little in it is a page too", async () => {
  const report = {
    version: "0.1.0",
    made: "2026-01-01T00:00:00Z",
    title: "Bare",
    model: { name: "bare", equations: [], parameters: [], networks: [] },
  };
  const { page, troubles } = await browser.open(report);
  assert.deepEqual(await sections(page), ["model"]);
  assert.deepEqual(troubles, []);
});

test("names, priors and the headline are told in full", async () => {
  const names = (section, name, latex) => ({ section, name, text: "x", latex });
  const report = {
    version: "0.2.0",
    made: "2026-01-01T00:00:00Z",
    title: "Growth",
    model: {
      name: "growth",
      equations: [
        names("observe", "od600", "\\mathrm{od600} = \\mathrm{size}"),
        names("define", "k1", "\\mathrm{k1} = x"),
      ],
      parameters: [
        { name: "rate", prior: "lognormal", low: 0, high: null, mean: Math.log(0.3), sd: 0.5 },
        { name: "level", prior: "normal", low: null, high: null, mean: 2, sd: 0.25 },
        { name: "share", prior: "uniform", low: 0, high: 1 },
      ],
      networks: [],
    },
    verdicts: [
      { parameter: "rate", regularizer: "size", finding: "flat", sentence: "rate: flat" },
      { parameter: "level", regularizer: "size", finding: "identifiable", sentence: "level: identifiable" },
    ],
  };
  const { page, troubles } = await browser.open(report);
  assert.deepEqual(troubles, []);
  const equations = await page.locator(".equation").allInnerTexts();
  assert.deepEqual(
    equations.map((text) => text.replaceAll("\n", "")),
    ["od600=size", "k1=𝑥"],
  );
  const cells = await page.locator("#model tbody tr td:last-child").allInnerTexts();
  assert.deepEqual(cells, [
    "lognormal, median 0.3, log-sd 0.5",
    "normal, mean 2, sd 0.25",
    "uniform on [0, 1]",
  ]);
  const headline = await page.locator(".summary").innerText();
  assert.equal(headline, "Identifiable: rate under no candidate; level under size.");
});

test("columns of different sizes have charts of their own", async () => {
  const report = samples[1]();
  const x = Array.from({ length: 20 }, (_, k) => k);
  report.data.preview = [
    {
      series: "s",
      x: { name: "time", values: x },
      columns: [
        { name: "temperature", values: x.map(() => 300) },
        { name: "level", values: x.map((k) => 0.1 * k) },
        { name: "flow", values: x.map((k) => 0.2 * k) },
      ],
    },
  ];
  const { page } = await browser.open(report);
  await page.locator("#data path.series").first().waitFor({ state: "attached" });
  const labels = await page
    .locator("#data svg[role=img]")
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(labels, ["temperature over time", "level and flow over time"]);
});

test("between its snapshots a prediction is a curve; its numbers are those of the snapshots", async () => {
  const report = samples[1]();
  const [window] = report.predictions.windows;
  const nPoints = 300;
  const time = Array.from({ length: nPoints }, (_, k) => (2 * k) / (nPoints - 1));
  window.curve = {
    time,
    outputs: window.outputs.map(({ name }) => ({ name, predicted: time.map((t) => Math.sin(t)) })),
    parts: [],
  };
  const { page } = await browser.open(report);
  const path = page.locator("#predictions path.series.line-1").first();
  await path.waitFor({ state: "attached" });
  assert.equal((await path.getAttribute("d")).split("L").length, nPoints);
  await page.locator("#predictions .alternative summary").first().click();
  await page.waitForSelector("#predictions tbody tr");
  assert.equal(await page.locator("#predictions tbody").first().locator("tr").count(), 41);
});

test("links, skip link and contents work from the keyboard", async () => {
  const { page } = await browser.open(samples[2](), {
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 800 },
  });
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.getByRole("link", { name: "Posterior" }).focus();
  await page.keyboard.press("Enter");
  const top = await page.locator("#posterior").evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(Math.abs(top) < 120, `the section is at ${top}`);
  const outline = await page.evaluate(() => {
    const button = document.querySelector("button.theme");
    button.focus({ focusVisible: true });
    return getComputedStyle(button).outlineStyle;
  });
  assert.equal(outline, "solid", "focus is visible");
});

const background = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test("dark as the system says, or as the reader chooses", async () => {
  const { page } = await browser.open(samples[1](), { colorScheme: "dark" });
  const dark = await background(page);
  await page.getByRole("button", { name: "Change to the light theme" }).click();
  assert.equal(await background(page), "rgb(255, 255, 255)");
  await page.getByRole("button", { name: "Change to the dark theme" }).click();
  assert.equal(await background(page), dark);
  assert.notEqual(dark, "rgb(255, 255, 255)");
});

test("on paper: light, without controls, with everything opened", async () => {
  const { page } = await browser.open(samples[2](), { colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await background(page), "rgb(255, 255, 255)");
  assert.equal(await page.locator(".controls").first().isVisible(), false);
  assert.equal(await page.locator("nav").isVisible(), false);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("details.evidence:not([open])").count(), 0);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator("details.evidence[open]").count(), 0);
  assert.equal(
    await page.locator(".readout").first().isVisible(),
    false,
    "it says how to point at the picture",
  );
  const columns = await page
    .locator(".pair")
    .first()
    .evaluate((pair) => getComputedStyle(pair).gridTemplateColumns.split(" ").length);
  assert.equal(columns, 2, "charts stand beside each other as they were drawn");
  for (const grid of [".pair", ".thumbnails"])
    assert.equal(
      await page
        .locator(grid)
        .first()
        .evaluate((element) => getComputedStyle(element).breakInside),
      "avoid",
      "Chromium loses what a grid has left at the end of a page",
    );
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 20000);
});

test("verdicts open to their evidence; commands and citation can be copied", async () => {
  const { page } = await browser.open(samples[2](), { permissions: ["clipboard-read", "clipboard-write"] });
  const evidence = page.locator("#verdicts details").first();
  await evidence.locator("summary").click();
  assert.match(await evidence.innerText(), /the profile of normD rises/);
  assert.deepEqual(await page.locator("#verdicts .finding").allInnerTexts(), [
    "identifiable",
    "flat",
    "several minima",
    "identifiable",
    "identifiable",
    "unstable",
    "one-sided",
    "identifiable",
  ]);
  await page.getByRole("button", { name: "Copy the BibTeX entry" }).click();
  await page.getByText("Copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^@inproceedings/);
});

test("bands over networks and over draws of θ stand behind a prediction, and are named", async () => {
  const report = samples[1]();
  for (const window of report.predictions.windows)
    for (const output of window.outputs) {
      output.predicted = output.observed.map((value) => 0.9 * value);
      const around = (by) => ({
        low: output.predicted.map((value) => value - by),
        high: output.predicted.map((value) => value + by),
      });
      output.networks = around(0.2);
      output.draws = around(0.1);
    }
  Object.assign(report.predictions, { networks: 3, draws: 50, level: 0.9 });
  const { page, troubles } = await browser.open(report);
  const first = page.locator("#predictions .line-chart").first();
  assert.equal(await first.locator("path.band").count(), 2);
  assert.match(await first.locator(".legend").innerText(), /range of 3 networks[\s\S]*90 % of 50 draws of θ/);
  const heights = await first
    .locator("path.band")
    .evaluateAll((bands) => bands.map((band) => band.getBoundingClientRect().height));
  assert.ok(heights[0] > heights[1], `${heights}`);
  await first.locator(".alternative summary").click();
  await page.waitForSelector("#predictions thead");
  assert.equal(await first.locator("thead th").count(), 3, "x, observed, predicted");
  assert.deepEqual(troubles, []);
});

test("predictions: windows, fields over time, numbers of a chart", async () => {
  const series = (await browser.open(samples[1]())).page;
  const line = () => series.locator("#predictions path.series").first().getAttribute("d");
  await series.waitForSelector("#predictions path.series");
  const first = await line();
  await series.locator("#predictions").getByLabel("Window").selectOption("1");
  await series.waitForFunction(
    (before) => document.querySelector("#predictions path.series")?.getAttribute("d") !== before,
    first,
  );
  await series.locator("#predictions .alternative summary").first().click();
  await series.waitForSelector("#predictions thead");
  assert.deepEqual(await series.locator("#predictions thead").first().locator("th").allInnerTexts(), [
    "time",
    "observed",
    "predicted",
  ]);

  const fields = (await browser.open(samples[4]())).page;
  const frame = () =>
    fields
      .locator("#predictions canvas")
      .first()
      .evaluate((canvas) => canvas.toDataURL());
  const last = await frame();
  await fields.locator("#predictions").getByLabel("Time").fill("0");
  assert.notEqual(await frame(), last);
});

test("the headline says of nothing that could not be judged that it is not identifiable", async () => {
  const report = samples[2]();
  for (const verdict of report.verdicts) verdict.finding = "not judged";
  const names = [...new Set(report.verdicts.map(({ parameter }) => parameter))];
  const { page } = await browser.open(report);
  const headline = await page.locator(".summary").innerText();
  assert.ok(headline.startsWith(`Not judged: ${names.join(" and ")}.`), headline);
});

test("posterior: axes of a pair have units", async () => {
  const report = samples[2]();
  for (const parameter of report.model.parameters) parameter.unit = "m/s^2";
  const { page } = await browser.open(report);
  assert.match(await page.locator("#posterior .pair-density").textContent(), /c \(m\/s²\)/);
});

test("posterior: the pair shown can be chosen, chains that disagree are told", async () => {
  const { page } = await browser.open(samples[2]());
  const picture = () => page.locator("#posterior canvas").evaluate((canvas) => canvas.toDataURL());
  const before = await picture();
  await page.locator("#posterior").getByLabel("Across").selectOption("c");
  assert.notEqual(await picture(), before);
  assert.match(await page.locator("#posterior table").first().innerText(), /1\.034 — chains disagree/);
});

test("estimates of each window are shown by their means", async () => {
  const report = samples[2]();
  report.estimates = [
    {
      regularizer: "normD",
      method: "grid",
      on: "each",
      theta_mean: { a: 1.25 },
      theta_sd: { a: 0.5 },
      R: 1,
      L: 1,
    },
  ];
  const { page, troubles } = await browser.open(report);
  assert.match(await page.locator("#estimates").innerText(), /1\.25 ± 0\.5/);
  assert.deepEqual(troubles, []);
});

test("a section that cannot be shown says so, and the others stay", async () => {
  const report = samples[2]();
  report.posterior = { regularizer: "normD" };
  report.estimates = [null];
  const { page } = await browser.open(report);
  for (const id of ["posterior", "estimates"])
    assert.match(await page.locator(`#${id}`).innerText(), /cannot be shown/);
  const shown = await sections(page);
  for (const id of ["model", "landscape", "posterior", "estimates", "provenance"])
    assert.ok(shown.includes(id), id);
});
