// Every control of the landscapes does what it says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, until } from "./browser.mjs";
import { samples } from "./sample/reports.mjs";
import { means, twoParameters } from "./sample/two_parameters.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

async function openToy(options = {}) {
  const opened = await browser.open(twoParameters(options), { viewport: { width: 1280, height: 900 } });
  await opened.page.waitForFunction(() => document.querySelector(".minima").textContent.includes("owest"));
  return opened;
}

async function eventually(page, read, pattern) {
  let last = "";
  const holds = async () => pattern.test((last = await read()));
  await until(page, holds, () => `${pattern}, but: ${last}`);
}

// One of the lists to choose from.
const list = (page, name) => page.locator("#landscape").getByRole("combobox", { name });

const weight = (page, name) => page.getByRole("slider", { name, exact: true });

const minimaOf = (page) => () => page.locator(".minima").innerText();
const readoutOf = (page) => () => page.locator("#landscape .readout").innerText();

// The lowest point of a function of (a, c) over the sample's grid, as the page tells it.
function lowest(f) {
  let best = [Number.POSITIVE_INFINITY];
  for (let i = 0; i <= 100; ++i) {
    for (let j = 0; j <= 100; ++j) {
      const theta = [i / 50, -Math.PI + (2 * Math.PI * j) / 100];
      const value = f(theta);
      if (value < best[0]) best = [value, ...theta];
    }
  }
  const told = (x) =>
    String(Number(x.toPrecision(4)))
      .replace("-", "−")
      .replace(".", "\\.");
  return new RegExp(`at a = ${told(best[1])}, c = ${told(best[2])}`);
}

test("candidates, expressions and weights choose what is shown", async () => {
  const { page, troubles } = await openToy();
  await list(page, "Networks").selectOption("0");
  await list(page, "Candidate").selectOption("normD");
  await eventually(
    page,
    minimaOf(page),
    lowest((theta) => means(theta, 0)[0]),
  );
  assert.equal(await page.getByLabel("R =").inputValue(), "normD");

  await page.getByLabel("R =").fill("mean(norm2(network)) + 3*(a - 0.5)^2");
  await eventually(
    page,
    minimaOf(page),
    lowest((theta) => means(theta, 0)[0] + 3 * (theta[0] - 0.5) ** 2),
  );
  assert.equal(await list(page, "Candidate").inputValue(), "");

  await page.locator("details.weights > summary").press("Enter");
  await weight(page, "normD").fill("40");
  await weight(page, "centred").fill("30");
  assert.equal(await page.getByLabel("R =").inputValue(), "10*normD + centred");
  const centred = (theta) =>
    Math.abs(means(theta, 0)[1]) + Math.abs(means(theta, 0)[2] - means(theta, 0)[0]) + theta[1] ** 2;
  await eventually(
    page,
    minimaOf(page),
    lowest((theta) => 10 * means(theta, 0)[0] + centred(theta)),
  );

  await page.locator("details.means > summary").press("Enter");
  await page.getByRole("button", { name: "mean(norm2(theory))" }).click();
  await eventually(page, minimaOf(page), /at a = 0,/);
  assert.equal(await weight(page, "normD").inputValue(), "0", "sliders follow the expression");
  assert.deepEqual(troubles, []);
});

test("a mistake says what, where and how to mend it, and the last picture stays", async () => {
  const { page, troubles } = await openToy();
  const before = await minimaOf(page)();
  await page.getByLabel("R =").fill("normD + corrr");
  const alert = page.getByRole("alert");
  await eventually(
    page,
    () => alert.innerText(),
    /unknown name corrr[\s\S]*\^\^\^\^\^[\s\S]*did you mean corr\?/i,
  );
  assert.equal(await page.getByLabel("R =").getAttribute("aria-invalid"), "true");
  assert.equal(await minimaOf(page)(), before);
  assert.match(await page.locator(".stale-note").innerText(), /still that of centred/);
  await page.getByLabel("R =").fill("mean(abs(network.y))");
  await eventually(
    page,
    () => alert.innerText(),
    /greybox report runs\/toy --regularizer "mean\(abs\(network\.y\)\)"/,
  );
  await page.getByLabel("R =").fill("normD");
  await alert.waitFor({ state: "hidden" });
  assert.equal(await page.locator(".stale-note").isVisible(), false);
  assert.match(await page.locator(".map-title").innerText(), /^R = normD, mean of 5 networks$/);
  assert.deepEqual(troubles, []);
});

test("mouse and keyboard move the cursor, and the readout tells its values", async () => {
  const { page } = await openToy();
  const map = page.locator("#landscape .map");
  await map.hover();
  await eventually(page, readoutOf(page), /a = .*c = .*centred = .*NRMSE .* %/s);
  await map.focus();
  await page.keyboard.press("Home");
  const [, a] = /a = ([\d.]+)/.exec(await minimaOf(page)());
  await eventually(page, readoutOf(page), new RegExp(`a = ${a}`));
  await page.keyboard.press("ArrowRight");
  await eventually(page, readoutOf(page), new RegExp(`a = ${(Number(a) + 0.02).toPrecision(3)}`));
  await page.keyboard.press("Shift+ArrowRight");
  await eventually(page, readoutOf(page), new RegExp(`a = ${(Number(a) + 0.22).toPrecision(3)}`));
  for (let k = 0; k < 20; ++k) await page.keyboard.press("Shift+ArrowUp");
  await eventually(page, readoutOf(page), /c = 3\.142/);
  assert.equal(
    (await page.locator(".profiles .dashed").count()) > 0,
    true,
    "sections through the cursor are drawn",
  );
});

test("hatching, adaptivity and readout are those of the networks that are shown", async () => {
  const report = twoParameters({ nNetworks: 3 });
  const [first] = report.grids[0].networks;
  const n = 101 * 101;
  report.grids[0].poor = new Array(n).fill(0);
  first.poor = new Array(n).fill(1);
  first.adaptivity = "nowhere";
  report.grids[0].networks.forEach((network, k) => {
    network.loss = new Array(n).fill((k + 1) ** 2);
  });
  report.grids[0].range = 100;
  const { page } = await browser.open(report, { viewport: { width: 1280, height: 900 } });
  await page.locator("#landscape .map").hover();
  await eventually(page, readoutOf(page), /NRMSE 2 %/);
  const hatched = () => page.locator("#landscape .map svg > path").getAttribute("d");
  assert.equal(await hatched(), "");
  await list(page, "Networks").selectOption("0");
  await eventually(page, readoutOf(page), /NRMSE 1 %; θ does not fit/);
  await eventually(page, () => page.locator("#landscape .note").innerText(), /Nowhere/);
  assert.notEqual(await hatched(), "");
});

test("candidates stand side by side, and choose what is shown", async () => {
  const { page, troubles } = await openToy();
  assert.equal(await page.locator(".thumbnail canvas").count(), 5);
  await page.getByRole("button", { name: "corr", exact: true }).click();
  assert.equal(await page.getByLabel("R =").inputValue(), "corr");
  assert.deepEqual(troubles, []);
});

const picture = (page) => page.locator("#landscape .map canvas").evaluate((canvas) => canvas.toDataURL());

test("scale, colours, axes and networks change the picture", async () => {
  const { page, troubles } = await openToy();
  const seen = new Set([await picture(page)]);
  const expectNew = async (what) => {
    await until(
      page,
      async () => !seen.has(await picture(page)),
      () => what,
    );
    seen.add(await picture(page));
  };
  await page.getByLabel("Logarithmic scale").check();
  await expectNew("logarithmic");
  await list(page, "Colours").selectOption("cividis");
  await expectNew("colours");
  await list(page, "Across").selectOption("1");
  await expectNew("axes");
  assert.equal(await list(page, "Upward").inputValue(), "0", "the other axis gives way");
  await list(page, "Networks").selectOption("spread");
  await expectNew("spread");
  await eventually(page, minimaOf(page), /^Spread of 5 networks.*networks disagree/);
  assert.equal(await page.locator("#landscape .map .minimum").count(), 0, "a spread has no minima of R");
  await list(page, "Networks").selectOption("3");
  await expectNew("one network");
  await page.getByLabel("R =").fill("normD - 1");
  await page.waitForFunction(() => document.querySelector("#landscape input[type=checkbox]").disabled);
  await expectNew("negative values");
  assert.deepEqual(troubles, []);
});

test("the picture shows the values: dark where low, hatched where poor, a disc at the minimum", async () => {
  const { page } = await openToy({ nNetworks: 1 });
  await page.getByLabel("R =").fill("a");
  await eventually(page, () => page.locator(".map-title").innerText(), /^R = a\b/);
  const colours = await page.locator("#landscape .map canvas").evaluate((canvas) => {
    const context = canvas.getContext("2d");
    return [0, canvas.width - 1].map((x) => [...context.getImageData(x, 50, 1, 1).data]);
  });
  assert.deepEqual(
    colours,
    [
      [68, 1, 84, 255],
      [253, 231, 37, 255],
    ],
    "the ends of viridis",
  );
  const hatched = await page.locator("#landscape .map svg > path").getAttribute("d");
  assert.ok(hatched.split("M").length - 1 === 10, "ten columns of the sample are poor");
  assert.equal(await page.locator("#landscape .map .minimum.main").count(), 1);
});

test("numbers of the map stand in a table", async () => {
  const { page } = await openToy({ nNetworks: 1 });
  await page.getByLabel("R =").fill("a + 10*c");
  await page.getByText("Numbers of the map").click();
  const table = page.locator("#landscape .shown table");
  assert.equal(await table.locator("tbody tr").first().locator("td").first().innerText(), "31.42");
  assert.equal(await table.locator("tbody tr").last().locator("td").last().innerText(), "−29.42");
});

test("one parameter: a line with its band, a cursor, minima", async () => {
  const { page, troubles } = await browser.open(samples[1]());
  await page.waitForSelector("#landscape .line-chart .band");
  await list(page, "Networks").selectOption("0");
  await eventually(page, minimaOf(page), /at g = 10\.2\./);
  await list(page, "Candidate").selectOption("normD");
  await eventually(page, minimaOf(page), /at g = 10\.6\./);
  await page.getByLabel(/Cursor at g/).fill("0");
  await eventually(page, readoutOf(page), /g = 8[\s\S]*does not fit the data/);
  await page.getByLabel("Logarithmic scale").press("Space"); // a click may miss while the page still moves
  assert.equal(await page.getByLabel("Logarithmic scale").isChecked(), true);
  assert.deepEqual(troubles, []);
});

test("four parameters: pairs, held parameters, the lowest point of all, other grids", async () => {
  const { page, troubles } = await browser.open(samples[4]());
  await eventually(page, minimaOf(page), /alpha = .* beta = /);
  await list(page, "Across").selectOption("2");
  await list(page, "Upward").selectOption("3");
  await eventually(page, minimaOf(page), /gamma = 0\.5625, delta = 1\.125/);
  await page.getByLabel("R =").fill("(gamma - alpha)^2 + (delta - 2*beta)^2");
  await page.getByLabel(/^alpha/).fill("4");
  await page.getByLabel(/^beta/).fill("4");
  await eventually(page, minimaOf(page), /gamma = 0\.375, delta = 1\.5/);
  await page.getByLabel("R =").fill("normD");
  await page.getByRole("button", { name: "Go to the lowest point of all" }).click();
  await eventually(page, readoutOf(page), /alpha = .*gamma = 0\.5625, delta = 1\.125/);
  assert.equal(await page.locator(".profiles figure").count(), 4);
  await list(page, "Landscape").selectOption("1");
  await eventually(page, minimaOf(page), /alpha = .* beta = /);
  await page.waitForFunction(() => document.querySelectorAll(".profiles figure").length === 2);
  assert.deepEqual(troubles, []);
});

test("a grid that lacks what the expression needs says so, and the others still work", async () => {
  const report = samples[4]();
  report.grids[1].held = {};
  report.regularizers.push({ name: "centred", expression: "normD + gamma^2" });
  const { page, troubles } = await browser.open(report);
  await list(page, "Candidate").selectOption("centred");
  await eventually(page, minimaOf(page), /owest/);
  await list(page, "Landscape").selectOption("1");
  await eventually(page, () => page.getByRole("alert").innerText(), /unknown name gamma/i);
  await list(page, "Candidate").selectOption("normD");
  await eventually(page, minimaOf(page), /alpha = .* beta = /);
  assert.equal(await page.getByRole("alert").isVisible(), false);
  assert.deepEqual(troubles, []);
});
