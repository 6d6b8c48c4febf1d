// The explorer without a mouse: everything can be reached, is seen to have the focus, and does its work.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./browser.mjs";
import { openQuiet } from "./drag.mjs";
import { served } from "./live.mjs";

const suite = served("toy", 60);

// What has the focus, and whether it can be seen that it has.
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (!element || element === document.body) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const isSeen = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    const name =
      element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
    return { name: name.trim(), tag: element.localName, isSeen };
  });

// Presses Tab until the focus is on what has this name.
async function tabTo(page, pattern) {
  for (let k = 0; k < 80; ++k) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now && pattern.test(now.name)) return;
  }
  throw new Error(`Tab does not reach ${pattern}`);
}

const settled = (page) => page.locator('[aria-busy="false"]').waitFor();
const fieldOf = (page, k) => page.locator(".theta-field").nth(k);

test("Tab reaches every control, and each shows that it has the focus", async () => {
  const page = await openQuiet(suite.browser, suite.server.address);
  const all = await page.evaluate(
    () =>
      [...document.querySelectorAll("button, input, select, a[href], [tabindex]")].filter(
        (element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility(),
      ).length,
  );
  const seen = [];
  for (let k = 0; k < 2 * all; ++k) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (!now) break;
    seen.push(now);
  }
  assert.equal(seen.length, all, JSON.stringify(seen.map(({ name }) => name)));
  assert.deepEqual(
    seen.filter(({ isSeen }) => !isSeen).map(({ tag, name }) => `${tag} ${name}`),
    [],
  );
});

test("a walk: move θ, lock, choose, type, pin, descend, undo", async () => {
  const page = await openQuiet(suite.browser, suite.server.address);
  const theta = async () => [
    Number(await fieldOf(page, 0).inputValue()),
    Number(await fieldOf(page, 1).inputValue()),
  ];
  // Number field, slider, lock.
  await fieldOf(page, 0).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("0.6");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal((await theta())[0], 0.6);
  await tabTo(page, /^Lock a$/);
  await page.keyboard.press("Space");
  assert.equal((await focused(page)).name, "Unlock a", "the focus stays on the lock");
  await page.keyboard.press("Space");
  // The map.
  await tabTo(page, /over a and c/);
  await page.keyboard.press("Control+ArrowRight");
  await page.keyboard.press("ArrowUp");
  await settled(page);
  assert.ok((await theta())[0] > 0.7);
  await page.keyboard.press("Home");
  await settled(page);
  // Another candidate, then a regularizer typed.
  await tabTo(page, /^normD$/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "R = normD" }).waitFor();
  assert.equal((await focused(page)).name, "normD", "the focus stays on the small map");
  await tabTo(page, /^R =$/);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("corr + L");
  await page.getByRole("heading", { name: "R = corr + L" }).waitFor();
  // Pins.
  await tabTo(page, /^Pin θ as A$/);
  await page.keyboard.press("Enter");
  await until(
    page,
    async () => /pin A/.test((await focused(page))?.name ?? ""),
    () => "the focus stays at pin A",
  );
  await tabTo(page, /^Remove pin A$/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pin θ as A" }).waitFor();
  // Tabs and a descent.
  await tabTo(page, /^Profiles$/);
  await page.keyboard.press("ArrowRight");
  await tabTo(page, /^Descend from here$/);
  await page.keyboard.press("Enter");
  await page.locator(".descents li").waitFor();
  await settled(page);
  // Another split.
  await tabTo(page, /^Split$/);
  await page.keyboard.press("ArrowUp");
  await page.getByText(/^All \d+ train windows/).waitFor();
  assert.equal((await focused(page)).name, "Split", "the focus stays on the choice");
  // Undo, from anywhere but a text field.
  const before = await theta();
  await tabTo(page, /over a and c/);
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  assert.notDeepEqual(await theta(), before);
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.deepEqual(await theta(), before);
});
