// The explorer in a browser, on a real server: everything follows everything.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { painted, until } from "./browser.mjs";
import { serve, served, tool } from "./live.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screen = { viewport: { width: 1440, height: 900 } };
const suite = served("toy", 100);

async function open(options = screen, hash = "") {
  const opened = await suite.browser.live(suite.server.address + hash, options);
  await opened.page.locator(".values tbody tr").first().waitFor();
  await opened.page.locator(".theta-map canvas").waitFor();
  return opened;
}

const fieldOf = (page, name) => page.locator(".theta-field").nth(["a", "c"].indexOf(name));
const theta = async (page) => [
  Number(await fieldOf(page, "a").inputValue()),
  Number(await fieldOf(page, "c").inputValue()),
];
const valueOf = (page, name) =>
  page
    .locator(".values tr", { has: page.locator("th", { hasText: new RegExp(`^${name}$`) }) })
    .locator("td")
    .first()
    .innerText();
// Everything shown belongs to the present θ, and so does the address.
const settled = (page) => page.locator('[aria-busy="false"]').waitFor();

async function dragMap(page, [fromX, fromY], [toX, toY], { nSteps = 12, pause = 0 } = {}) {
  const box = await page.locator(".theta-map canvas").boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(fromX, fromY));
  await page.mouse.down();
  for (let k = 1; k <= nSteps; ++k) {
    const share = k / nSteps;
    await page.mouse.move(...at(fromX + share * (toX - fromX), fromY + share * (toY - fromY)));
    await painted(page);
    await page.waitForTimeout(pause);
  }
  await page.mouse.up();
}

test("dragging θ moves sliders, values, windows and the address; undo goes back", async () => {
  const { page, troubles } = await open();
  await settled(page);
  const before = {
    theta: await theta(page),
    normD: await valueOf(page, "normD"),
    path: await page.locator(".window path.line-1").last().getAttribute("d"),
  };
  await dragMap(page, [0.5, 0.5], [0.8, 0.25]);
  await settled(page);
  const moved = await theta(page);
  assert.ok(Math.abs(moved[0] - 1.6) < 0.1, `a = ${moved[0]}`);
  assert.ok(moved[1] > 0);
  assert.notEqual(await valueOf(page, "normD"), before.normD);
  assert.notEqual(await page.locator(".window path.line-1").last().getAttribute("d"), before.path);
  assert.equal(
    new URLSearchParams(new URL(page.url()).hash.slice(1)).get("theta").split(",")[0],
    String(moved[0]),
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await settled(page);
  assert.deepEqual(await theta(page), before.theta);
  assert.equal(await valueOf(page, "normD"), before.normD);
  assert.deepEqual(troubles, []);
});

test("a slow drag is undone as one", async () => {
  const { page } = await open();
  await settled(page);
  const before = await theta(page);
  await dragMap(page, [0.5, 0.5], [0.8, 0.25], { nSteps: 3, pause: 900 });
  await settled(page);
  assert.notDeepEqual(await theta(page), before);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.deepEqual(await theta(page), before);
});

test("slider, number field and keys do the same, and the address brings it back", async () => {
  const { page } = await open();
  await fieldOf(page, "a").fill("1.25");
  await fieldOf(page, "a").press("Enter");
  await settled(page);
  const slider = page.getByRole("slider", { name: "a", exact: false }).first();
  assert.equal(await slider.inputValue(), "625");
  await slider.focus();
  await slider.press("ArrowRight");
  await settled(page);
  assert.ok((await theta(page))[0] > 1.25);
  await page.locator(".theta-map").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await settled(page);
  const found = await theta(page);
  const { page: other } = await open(screen, new URL(page.url()).hash);
  assert.deepEqual(await theta(other), found);
});

test("a locked parameter stays where it is", async () => {
  const { page } = await open();
  const [, c] = await theta(page);
  await page.getByRole("button", { name: "Lock c" }).click();
  await dragMap(page, [0.5, 0.5], [0.2, 0.1]);
  const moved = await theta(page);
  assert.equal(moved[1], c);
  assert.ok(moved[0] < 0.6);
});

test("with Shift held the other parameter follows to the lowest R", async () => {
  const { page } = await open();
  const before = await theta(page);
  const slider = page.getByRole("slider").first();
  await slider.focus();
  await page.keyboard.down("Shift");
  for (let k = 0; k < 5; ++k) await page.keyboard.press("PageUp");
  const hasFollowed = async () => (await theta(page)).every((value, k) => value !== before[k]);
  await until(page, hasFollowed, () => "c follows a");
  await page.keyboard.up("Shift");
});

test("so it does without Shift where the box is ticked, as on a phone", async () => {
  const { page } = await open();
  const before = await theta(page);
  await page.getByRole("checkbox", { name: /follow to the lowest R/ }).check();
  await fieldOf(page, "a").fill(String(before[0] > 1 ? 0.5 : 1.5));
  await fieldOf(page, "a").press("Enter");
  await until(
    page,
    async () => (await theta(page))[1] !== before[1],
    () => "c follows a",
  );
});

test("a typed regularizer with a new mean is computed at once; a wrong one is explained", async () => {
  const { page } = await open();
  const field = page.getByRole("textbox", { name: "R =" });
  await field.fill("2*mean(abs(network.y)) + 0.1*a");
  await page.getByRole("heading", { name: "R = 2*mean(abs(network.y))" }).waitFor();
  const value = await page.locator(".values tr.chosen td").first().innerText();
  assert.match(value, /^[\d.]+/);
  await field.fill("normD + 3*crr");
  await page.locator(".mistake", { hasText: "crr" }).waitFor();
  await field.fill("mean(netwrk)");
  await page
    .getByText(/netwrk/)
    .last()
    .waitFor();
});

test("pins are compared, exported and kept", async () => {
  const { page } = await open();
  await settled(page);
  await page.getByRole("button", { name: "Pin θ as A" }).click();
  await dragMap(page, [0.5, 0.5], [0.7, 0.3]);
  await settled(page);
  await page.getByRole("columnheader", { name: "here − A" }).waitFor();
  assert.ok((await page.locator(".window path.pin-A").count()) > 0);
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the pins as CSV" }).click(),
  ]);
  const text = readFileSync(await csv.path(), "utf8");
  assert.match(text, /^pin,a,c,/);
  assert.match(text, /\nA,/);
  const [svg] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /as SVG/ }).click(),
  ]);
  assert.match(readFileSync(await svg.path(), "utf8"), /^<\?xml[\s\S]*<svg/);
  const { page: later } = await open();
  await later.getByRole("button", { name: "Go to pin A" }).waitFor();
  const kept = later.waitForResponse(/\/pins$/);
  await later.getByRole("button", { name: "Remove pin A" }).click();
  await kept;
});

test("a pin's command gives the values that the page shows", async () => {
  const { page } = await open(screen, "#theta=1.31,0.27&R=both&split=train");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const isWhole = (response) =>
    /\/evaluate$/.test(response.url()) && !response.request().postDataJSON().quick;
  const [response] = await Promise.all([page.waitForResponse(isWhole), page.reload()]);
  const shown = await response.json();
  await settled(page);
  await page.getByRole("button", { name: "Pin θ as C" }).click();
  await page.locator(".pins li").last().getByRole("button", { name: "Command" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^greybox predict .*a=1.31,c=0.27.* --on train$/);
  const said = execFileSync("sh", ["-c", `${command.replace(/^greybox/, `'${tool}'`)} --json`]);
  const expected = JSON.parse(said);
  const near = (found, wanted, what) =>
    assert.ok(Math.abs(found - wanted) <= 1e-5 * Math.abs(wanted), `${what}: ${found}, not ${wanted}`);
  for (const name of ["L", "rmse", "nrmse"]) near(shown[name], expected[name], name);
  assert.ok(Object.keys(expected.R).length > 3);
  for (const [name, value] of Object.entries(expected.R)) near(shown.regularizers[name], value, name);
  await page.getByRole("button", { name: "Remove pin C" }).click();
});

test("with three pins every name and every column of the values can be read", async () => {
  const { page } = await open();
  await settled(page);
  for (const name of ["A", "B", "C"]) {
    await page.getByRole("button", { name: `Pin θ as ${name}` }).click();
    await fieldOf(page, "a").fill(String(0.5 + 0.3 * name.charCodeAt(0)).slice(-3));
    await fieldOf(page, "a").press("Enter");
    await settled(page);
  }
  await page.getByRole("columnheader", { name: "here − A" }).waitFor();
  const [table, panel] = await page.evaluate(() =>
    [".values table", ".values"].map((one) => document.querySelector(one).getBoundingClientRect().right),
  );
  assert.ok(table <= panel + 1, `${table} > ${panel}`);
  const heights = await page
    .locator(".values tbody th")
    .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height));
  assert.ok(Math.max(...heights) < 30, `a name on several lines: ${heights}`);
  for (const name of ["A", "B", "C"]) await page.getByRole("button", { name: `Remove pin ${name}` }).click();
});

test("a refusal of the engine is a mistake of the field, in a sentence", async () => {
  const { page } = await open();
  await page.getByRole("textbox", { name: "R =" }).fill("mean(log10(a))");
  const mistake = page.locator(".regularizer .mistake");
  await mistake.getByText(/log10/).first().waitFor();
  assert.match(await mistake.innerText(), /^Unknown function log10|^unknown function log10/i);
  assert.match(await mistake.innerText(), /Write log\(x\) \/ log\(10\)/);
  assert.equal(await page.getByRole("textbox", { name: "R =" }).getAttribute("aria-invalid"), "true");
});

test("a descent is watched, and its ends are collected", async () => {
  const { page } = await open();
  await fieldOf(page, "a").fill("0.3");
  await fieldOf(page, "a").press("Enter");
  await page.getByRole("tab", { name: "Descend" }).click();
  await page.getByRole("button", { name: "Descend from here" }).click();
  await page.locator(".descents li").waitFor();
  assert.match(await page.locator(".descents li").innerText(), /centred = /);
  assert.notEqual((await theta(page))[0], 0.3);
  // One end stands at 1, and there is no half of a descent.
  const ticks = await page.locator(".descent-results .axis").nth(1).locator("text").allTextContents();
  assert.deepEqual(
    ticks.filter((text) => /^[\d.]+$/.test(text)),
    ["1", "2"],
  );
});

test("the way of a descent stays within the map", async () => {
  const { page } = await open();
  await page.getByRole("textbox", { name: "R =" }).fill("0-a+c^2");
  await page.getByRole("heading", { name: "R = 0-a+c^2" }).waitFor();
  await page.getByRole("tab", { name: "Descend" }).click();
  await page.getByRole("button", { name: "Descend from here" }).click();
  await page.locator(".descents li").waitFor();
  const [trace, map] = await page.evaluate(() =>
    [".theta-map .trace", ".theta-map canvas"].map((one) =>
      document.querySelector(one).getBoundingClientRect().toJSON(),
    ),
  );
  for (const [side, sign] of [
    ["left", -1],
    ["top", -1],
    ["right", 1],
    ["bottom", 1],
  ])
    assert.ok(sign * (trace[side] - map[side]) <= 3, `${side}: ${trace[side]} beyond ${map[side]}`);
  assert.ok((await theta(page))[0] <= 2, "within the range of the prior");
});

test("what the network learned and the training have their tabs", async () => {
  const { page } = await open();
  await page.getByRole("tab", { name: "Training" }).click();
  await page.locator(".training-tab svg").first().waitFor();
  await page.getByRole("tab", { name: "What the network learned" }).click();
  await page.getByRole("button", { name: "Compute at this θ" }).click();
  await page.getByText(/Partial dependence over \d+ points/).waitFor();
});

test("test windows are locked until they are unlocked by hand", async () => {
  const { page } = await open();
  let asked = "";
  page.once("dialog", (dialog) => ((asked = dialog.message()), dialog.dismiss()));
  await page.getByLabel("Split").selectOption("test");
  assert.match(asked, /ledger/);
  assert.equal(await page.getByLabel("Split").inputValue(), "validation");
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByLabel("Split").selectOption("test");
  await page.getByText(/^All \d+ test windows/).waitFor();
});

test("no rule of accessibility is broken, in both themes; nothing overflows at any width", async () => {
  const { page } = await open({ ...screen, bypassCSP: true });
  await settled(page);
  await page.getByRole("button", { name: "Pin θ as A" }).click();
  await page.evaluate(axe);
  const check = async () => {
    const { violations } = await page.evaluate(() => window.axe.run());
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`),
      [],
    );
  };
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await check();
  }
  await page.getByRole("tab", { name: "What the network learned" }).click();
  await page.getByRole("button", { name: "Compute at this θ" }).click();
  await page.getByText(/Partial dependence over \d+ points/).waitFor();
  await check();
  for (const name of ["Descend", "Training"]) {
    await page.getByRole("tab", { name }).click();
    await check();
  }
  for (const width of [320, 390, 820, 1440, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    await painted(page);
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${content} pixels wide on ${width}`);
  }
  await page.getByRole("button", { name: "Remove pin A" }).click();
});

test("a laptop's screen shows all values at once, and labels of axes keep clear of their ticks", async () => {
  const { page } = await open();
  await page.getByRole("textbox", { name: "R =" }).fill("0.0001*normD");
  await page.getByRole("heading", { name: "R = 0.0001*normD" }).waitFor();
  await settled(page);
  await painted(page);
  const { bottom } = await page.locator(".values table").evaluate((table) => table.getBoundingClientRect());
  assert.ok(bottom <= screen.viewport.height, `values end at ${bottom}`);
  const overlaps = await page.evaluate(() =>
    [...document.querySelectorAll(".axis")].flatMap((axis) => {
      const label = axis.querySelector(".axis-label").getBoundingClientRect();
      const meets = (one) =>
        one.right > label.left && one.left < label.right && one.bottom > label.top && one.top < label.bottom;
      return [...axis.querySelectorAll("text:not(.axis-label)")]
        .filter((tick) => meets(tick.getBoundingClientRect()))
        .map((tick) => tick.textContent);
    }),
  );
  assert.deepEqual(overlaps, []);
});

test("a long R stays within its charts", async () => {
  const { page } = await open();
  const text = "normD + corr + normdif + both + 2*normD + 3*corr + 4*normdif";
  await page.getByRole("textbox", { name: "R =" }).fill(text);
  await page.getByRole("heading", { name: `R = ${text}` }).waitFor();
  await settled(page);
  await page.locator(".profiles .axis-label", { hasText: "…" }).first().waitFor();
  const beyond = await page.locator(".profiles svg").evaluateAll((charts) =>
    charts.flatMap((chart) => {
      const { top, bottom } = chart.getBoundingClientRect();
      return [...chart.querySelectorAll(".axis-label")]
        .map((label) => label.getBoundingClientRect())
        .filter((label) => label.top < top - 2 || label.bottom > bottom + 2)
        .map((label) => `${label.top} to ${label.bottom} in ${top} to ${bottom}`);
    }),
  );
  assert.deepEqual(beyond, []);
});

test("two browsers at once work", async () => {
  const [{ page: one }, { page: two }] = await Promise.all([open(), open()]);
  await Promise.all([dragMap(one, [0.5, 0.5], [0.9, 0.2]), dragMap(two, [0.5, 0.5], [0.1, 0.8])]);
  await Promise.all([settled(one), settled(two)]);
  assert.ok((await theta(one))[0] > 1.5);
  assert.ok((await theta(two))[0] < 0.5);
  assert.notEqual(await valueOf(one, "normD"), await valueOf(two, "normD"));
});

test("a killed server shows: disconnected, and pins stay", async () => {
  const other = await serve(suite.made.run);
  const { page } = await suite.browser.live(other.address, screen);
  await page.locator(".values tbody tr").first().waitFor();
  await page.getByRole("button", { name: "Pin θ as B" }).click();
  await page.getByRole("button", { name: "Go to pin B" }).waitFor();
  await other.stop("SIGKILL");
  await fieldOf(page, "a").fill("0.7");
  await fieldOf(page, "a").press("Enter");
  await page.getByText(/^Disconnected/).waitFor();
  await page.getByRole("button", { name: "Go to pin B" }).waitFor();
});
