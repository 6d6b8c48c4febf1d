// One Chromium for the tests, and pages in it that record whatever should not happen.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { pageWith } from "./sample/reports.mjs";

const executables = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Everything that was asked for is in the picture: sizes are told in one frame and drawn in the next. */
export const painted = (page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; ++frame) await new Promise((go) => requestAnimationFrame(go));
  });

/** Asks again until it holds: the page draws in frames of its own, and a busy machine takes its time. What was waited
 * for is said when it never came. */
export async function until(page, holds, what, patience = 30_000) {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${patience} ms: ${what()}`);
    await painted(page);
  }
}

export async function openBrowser() {
  const executablePath = executables.find((path) => path && existsSync(path));
  if (!executablePath)
    throw new Error(
      "no Chromium: scripts/install-dependencies.sh --tests installs one; CHROMIUM names another",
    );
  const browser = await chromium.launch({ executablePath, args: flags });
  const folder = mkdtempSync(join(tmpdir(), "greybox-page-"));
  return {
    /** Opens a report; `troubles` collects errors of the console and requests that leave the page. */
    async open(report, options = {}) {
      const file = join(folder, "report.html");
      writeFileSync(file, pageWith(report));
      return visit(pathToFileURL(file).href, /^(file|data|blob):/, options);
    },
    /** Opens a page of the explorer's server. */
    live: (address, options = {}) => visit(address, address, options),
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function visit(address, allowed, options) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(60000);
    const page = await context.newPage();
    const troubles = [];
    page.on(
      "console",
      (message) => ["error", "warning"].includes(message.type()) && troubles.push(message.text()),
    );
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("request", (request) => {
      const url = request.url();
      const isAllowed = typeof allowed === "string" ? url.startsWith(allowed) : allowed.test(url);
      if (!isAllowed && !/^(data|blob):/.test(url)) troubles.push(url);
    });
    await page.goto(address).catch((error) => {
      // A connection that Chromium opened in advance and the server closed as idle, on a slow machine.
      if (!String(error).includes("ERR_SOCKET_NOT_CONNECTED")) throw error;
      troubles.length = 0;
      return page.goto(address);
    });
    await page.evaluate(() => document.fonts.ready);
    return { page, troubles };
  }
}
